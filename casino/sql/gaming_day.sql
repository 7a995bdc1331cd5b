-- The gaming day of an instant, the twin of casino/gaming_day.py: other guards ask on which day a session opens and a
-- settlement counts.

CREATE OR REPLACE FUNCTION gaming_day(at timestamptz, zone text, starts time) RETURNS date
LANGUAGE sql STABLE PARALLEL SAFE RETURN ((at AT TIME ZONE zone) - starts)::date;
COMMENT ON FUNCTION gaming_day(timestamptz, text, time) IS
    'The gaming day of an instant: its local wall-clock time less the start of the day, as a date.';
