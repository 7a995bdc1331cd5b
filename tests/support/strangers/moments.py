"""Time: moments that no clock shows, that Python cannot read, or that lie before what they follow."""

from .words import ACCEPTED, APP, SEALER, TOLD, entry, movement, statements

_SESSION = (
    "INSERT INTO tables_session (status, business_date, begun_by_id, table_id{0})"
    " VALUES ('OPENING', '{2}', 10, $table_closed{1})"
)
_EXPORT = (
    "INSERT INTO audit_export (kind, table_key, from_at, to_at, status, leaves, leaves_written, entries, progress,"
    " failure, asked_by_id) VALUES ('period', '', '{}', '{}', 'ASKED', 0, 0, 0, '{{}}', '', 8)"
)
_INSPECTION = (
    "INSERT INTO audit_inspection (kind, hurried, begun_at, plan, place, after, state, counts, ended_at)"
    " VALUES ('{kind}', {hurried}, {begun}, '{plan}', {place}, {after}, '{{}}', '{{}}', {ended})"
)


def _inspection(kind="all", hurried="false", begun="now()", plan="[]", place=0, after=0, ended="NULL"):
    return _INSPECTION.format(kind=kind, hurried=hurried, begun=begun, plan=plan, place=place, after=after, ended=ended)


_ROUND = (
    "INSERT INTO tables_round (table_id, session_id, sheet_id, number, status, phase, seats, opened_by_id,"
    " leases, alone,"
    " failures{0}) VALUES ($table4, $session4, 3, 1, 'OPEN', 'betting', '{{1,2}}', 12, 0, false, 0{1});"
    " UPDATE tables_table SET last_number = 1 WHERE id = $table4"
)

ATTACKS = {
    "days": {
        "a session for ever": (
            APP,
            _SESSION.format("", "", "infinity"),
            "23001 it has not come yet",
        ),
        "a session of a day before Christ": (
            APP,
            _SESSION.format("", "", "0044-03-15 BC"),
            "23001 a session begins with its opener to be counted, on the gaming day of now",
        ),
        "a session of yesterday": (
            APP,
            _SESSION.format("", "", "2026-01-01"),
            "23001 a session begins with its opener to be counted, on the gaming day of now",
        ),
        "a session opened in another time zone": (
            APP,
            statements("SET LOCAL TimeZone = 'Pacific/Kiritimati'", _SESSION.format("", "", "2026-01-01")),
            "23001 a session begins with its opener to be counted, on the gaming day of now",
        ),
        "a session whose day is changed": (
            APP,
            "UPDATE tables_session SET business_date = '2026-01-01' WHERE id = 1",
            "23001 what it was opened and closed with stays",
        ),
        "a session begun long ago": (
            APP,
            statements(
                _SESSION.format(", begun_at", ", '2001-01-01'", "$date"),
                "SELECT 1 / (begun_at = '2001-01-01')::int FROM tables_session ORDER BY id DESC LIMIT 1",
            ),
            "22012 division by zero",
        ),
        "the house's day moved": (
            APP,
            "UPDATE casino_casino SET day_starts_at = '23:59'",
            "42501 permission denied for table casino_casino",
        ),
        "the house moved to another time zone": (
            APP,
            "UPDATE casino_casino SET time_zone = 'Pacific/Kiritimati'",
            "42501 permission denied for table casino_casino",
        ),
        "a second house": (
            APP,
            "INSERT INTO casino_casino VALUES (2, 'mine', 'Mine', 'EUR', 2, 'UTC', '06:00')",
            "23514 casino_one_row",
        ),
        "a day written in another order": (
            APP,
            statements("SET LOCAL DateStyle = 'ISO, DMY'", movement(day="01-02-2026")),
            "23001 its movement is not of a session that takes it now, at its table on its day",
        ),
        "a fill under a clock that writes other days": (
            APP,
            statements("SET LOCAL DateStyle = 'German'", movement(day="2026-01-01")),
            "23001 its movement is not of a session that takes it now, at its table on its day",
        ),
    },
    "moments": {
        "a round that happens never": (
            APP,
            "UPDATE tables_round SET happened_at = '-infinity' WHERE id = $open",
            "23001 what it was opened with stays",
        ),
        "a round opened that happened in the year 290000": (
            APP,
            _ROUND.format(", happened_at", ", '290000-01-01'"),
            "23514 round_happened_before",
        ),
        "a round that is due at the end of time": (
            APP,
            "UPDATE tables_round SET next_at = 'infinity' WHERE id = $closed",
            "23001 nothing is put off by more than a day",
        ),
        "a round that was due before time": (
            APP,
            "UPDATE tables_round SET next_at = '-infinity' WHERE id = $closed",
            "23001 or due before the year",
        ),
        "a round that is due in ten years": (
            APP,
            "UPDATE tables_round SET next_at = now() + interval '10 years' WHERE id = $closed",
            "23001 nothing is put off by more than a day",
        ),
        "a round leased for ever": (
            APP,
            "SELECT * FROM lease_due(100, 20, interval '1000000 years', interval '30 seconds')",
            "22008 timestamp out of range",
        ),
        "a round leased beyond all time": (
            APP,
            "SELECT * FROM lease_due(100, 20, 'infinity'::interval, interval '30 seconds')",
            "23001 nothing is put off by more than a day",
        ),
        "a round leased backwards": (
            APP,
            "SELECT * FROM lease_due(100, 20, interval '-1 day', interval '-1 day')",
            ACCEPTED,
        ),
        "a round whose leases run over": (
            APP,
            "UPDATE tables_round SET leases = 2147483647, failures = 32767 WHERE id = $closed",
            ACCEPTED,
        ),
        "a round held since for ever": (
            APP,
            "UPDATE tables_round SET held_at = '-infinity' WHERE id = $closed",
            "23001 no intervention says so",
        ),
        "a round held that nobody held": (
            APP,
            "UPDATE tables_round SET held_at = now() WHERE id = $closed",
            "23001 no intervention says so",
        ),
        "a sheet in force since before time": (
            APP,
            "INSERT INTO tables_inforce (table_id, sheet_id, from_at, set_by_id, approved_by_id)"
            " VALUES ($table1, $sheet, '-infinity', 5, 6)",
            "23001 only a published sheet is put in force, from now on and within a year",
        ),
        "a sheet in force since last year": (
            APP,
            "INSERT INTO tables_inforce (table_id, sheet_id, from_at, set_by_id, approved_by_id)"
            " VALUES ($table1, $sheet, '2025-01-01', 5, 6)",
            "23001 only a published sheet is put in force, from now on and within a year",
        ),
        "a sheet in force from the year 9999 on": (
            APP,
            "INSERT INTO tables_inforce (table_id, sheet_id, from_at, set_by_id, approved_by_id)"
            " VALUES ($table1, $sheet, '9999-12-31', 5, 6)",
            "23001 only a published sheet is put in force, from now on and within a year",
        ),
        "a minute of failed logins at the end of time": (
            APP,
            "INSERT INTO casino_wronglogins (minute, number, unknown) VALUES ('infinity', 1, 1)",
            "23001 no login was wrong at infinity",
        ),
        "a minute of failed logins before time": (
            APP,
            "INSERT INTO casino_wronglogins (minute, number, unknown) VALUES ('-infinity', 1, 1)",
            "23001 no login was wrong at",
        ),
        "failed logins in the year 200000 before Christ": (
            APP,
            "INSERT INTO casino_wronglogins (minute, number, unknown) VALUES ('4700-01-01 BC', 1, 1)",
            "23001 no login was wrong at",
        ),
        "fewer than no failed logins": (
            APP,
            "INSERT INTO casino_wronglogins (minute, number, unknown) VALUES ('2026-01-01', 5, -5)",
            "23514 wronglogins_unknown_range",
        ),
        "a minute of failed logins said to be told": (
            APP,
            "INSERT INTO casino_wronglogins (minute, number, unknown, is_logged) VALUES (date_trunc('minute',"
            " now()), 9, 9, true)",
            ACCEPTED,
        ),
        "wrong logins at the end of time": (
            APP,
            "INSERT INTO casino_wronglogins (minute, number) VALUES ('infinity', 2147483647)",
            "23001 no login was wrong at infinity",
        ),
        "wrong logins before time": (
            APP,
            "INSERT INTO casino_wronglogins (minute, number) VALUES ('-infinity', 1)",
            "23001 no login was wrong at",
        ),
        "a web session that never ends": (
            APP,
            "INSERT INTO casino_websession (digest, staff_id, device, content, expires_at)"
            " VALUES ('x', 8, 'd', '', 'infinity')",
            "23514 websession_moments_readable",
        ),
        "a web session that is active at the end of time": (
            APP,
            "INSERT INTO casino_websession (digest, staff_id, device, content, expires_at, last_activity_at)"
            " VALUES ('x', 8, 'd', '', now() + interval '1 hour', 'infinity')",
            "23514 websession_moments_readable",
        ),
        "a kept answer of the end of time": (
            APP,
            "UPDATE casino_command SET made_at = 'infinity'",
            "23514 command_moment_readable",
        ),
        "a kept answer of another key to come": (
            APP,
            "INSERT INTO casino_command (staff_id, key, content, status, answer, made_at)"
            " VALUES (1, 'to-come', repeat('0', 64), 201, '{}', '-infinity')",
            "23514 command_moment_readable",
        ),
        "a person added before time": (
            APP,
            "INSERT INTO casino_staff (login, name, password, is_active, added_at)"
            " VALUES ('mallory', 'M', '!', true, '-infinity')",
            "23001 the log has no entry that says so",
        ),
        "a person who logged in before time": (
            APP,
            "UPDATE casino_staff SET last_login = '-infinity' WHERE id = 8",
            "23514 staff_moment_readable",
        ),
        "a terminal enrolled at the end of time": (
            APP,
            "INSERT INTO tables_terminal (table_id, name, enrolled_at) VALUES (1, 'Z', 'infinity')",
            TOLD,
        ),
        "a terminal that will be revoked at the end of time": (
            APP,
            "UPDATE tables_terminal SET revoked_at = 'infinity'",
            ACCEPTED,
        ),
        "a posting that ends at the end of time": (
            APP,
            "UPDATE tables_posting SET ended_at = 'infinity' WHERE id = 8",
            "23001 two people post a person, and end that",
        ),
        "a sign-on that ended before it began": (
            APP,
            "UPDATE tables_signon SET signed_off_at = '-infinity' WHERE staff_id = 1",
            TOLD,
        ),
        "a draft drafted before time": (
            APP,
            "INSERT INTO payouts_coefficienttable (game, name, status, drafted_by_id, drafted_at)"
            " VALUES ('split', 'Mine', 'DRAFT', 5, '-infinity')",
            ACCEPTED,
        ),
        "a settlement begun before time": (
            APP,
            "INSERT INTO payouts_settlement (key, business_date, round_key, generation, table_key,"
            " line_ordinal,"
            " sheet_digest, result, begun_at) VALUES ('round:3:1', '$date', 'round:3', 1, 'table:2', 1,"
            " '$digest', '{}',"
            " '-infinity')",
            "23001 its round does not take it",
        ),
        "an action of the past": (
            APP,
            "INSERT INTO tables_action (round_id, ordinal, phase, kind, box, arguments, by_id, at)"
            " VALUES ($open, 1, 'betting', 'ante', 1, '{\"box\":1,\"units\":500}', 3, '-infinity')",
            TOLD,
        ),
        "a wrong password of the end of time": (
            APP,
            "INSERT INTO axes_accessattempt (user_agent, ip_address, username, http_accept, path_info, attempt_time,"
            " get_data, post_data, failures_since_start) VALUES ('', NULL, 'anna', '', '', 'infinity', '', '', 1)",
            "23514 accessattempt_moment_readable",
        ),
        "a wrong password of before time": (
            APP,
            "INSERT INTO axes_accessattempt (user_agent, ip_address, username, http_accept, path_info, attempt_time,"
            " get_data, post_data, failures_since_start) VALUES ('', NULL, 'anna', '', '', '-infinity', '', '', 1)",
            "23514 accessattempt_moment_readable",
        ),
        "a finding accepted before it was named": (
            APP,
            "UPDATE audit_finding SET accepted_at = '-infinity', accepted_by_id = 8, reason = 'r', salt = 's'",
            "23001 the log does not tell who accepted it",
        ),
        "a chain whose newest entry is of the end of time": (
            APP,
            "UPDATE audit_chain SET at = 'infinity' WHERE key = 'house'",
            "23001 chain house can only grow",
        ),
        "an entry of the end of time": (
            APP,
            entry("house", "history.read", "history", '{"what":"search"}', by="system", at="'infinity'::timestamptz"),
            "23001 of chain house is no entry: it is empty, or longer than",
        ),
        "an entry of tomorrow": (
            APP,
            entry("house", "history.read", "history", '{"what":"s"}', by="system", at="now() + interval '1 day'"),
            "23001 of chain house: it is not",
        ),
        "an entry of yesterday": (
            APP,
            entry("house", "history.read", "history", '{"what":"s"}', by="system", at="now() - interval '1 day'"),
            "23001 of chain house: it is not",
        ),
        "an entry of the year 12000": (
            APP,
            entry("house", "history.read", "history", '{"what":"s"}', by="system", at="'12000-01-01'::timestamptz"),
            "23001 it has not exactly the keys of an entry, or a value that is not what i",
        ),
        "an export up to the end of time": (
            APP,
            _EXPORT.format("2026-01-01", "infinity"),
            "23514 export_moments_readable",
        ),
        "an export from before time on": (
            APP,
            _EXPORT.format("-infinity", "2026-12-01"),
            "23514 export_moments_readable",
        ),
        "an export up to the year 200000": (
            APP,
            _EXPORT.format("2026-01-01", "200000-01-01"),
            "23514 export_moments_readable",
        ),
        "an export from before Christ on": (
            APP,
            _EXPORT.format("0100-01-01 BC", "2026-12-01"),
            "23514 export_moments_readable",
        ),
        "an anchor of the end of time, by the sealer": (
            SEALER,
            "INSERT INTO audit_anchor (checkpoint_id, at) SELECT max(size), 'infinity' FROM audit_checkpoint",
            "23505 audit_anchor_pkey",
        ),
        "a sealing of the end of time, by the sealer": (
            SEALER,
            "UPDATE audit_sealing SET anchored_at = 'infinity'",
            "23514 sealing_moment_readable",
        ),
    },
    "inspections": {
        "an inspection that is over and looked at all": (
            APP,
            statements("UPDATE audit_inspection SET ended_at = now()", _inspection(ended="now()")),
            "42501 permission denied for table audit_inspection",
        ),
        "an inspection that is over, beside that under way": (
            APP,
            _inspection(ended="now()"),
            "23001 an inspection begins with nothing planned and nothing looked at",
        ),
        "an inspection of the books that is over": (
            APP,
            _inspection("books", ended="now()"),
            "23001 an inspection begins with nothing planned and nothing looked at",
        ),
        "an inspection under way with an empty plan": (APP, _inspection("books"), ACCEPTED),
        "an inspection under way at its last place": (
            APP,
            _inspection("books", plan='[["accounts", 25], ["settlements", 0]]', place=9),
            "23001 an inspection begins with nothing planned and nothing looked at",
        ),
        "an inspection of a part that there is not": (
            APP,
            _inspection("books", plan='[["nothing", 5]]'),
            "23001 an inspection begins with nothing planned and nothing looked at",
        ),
        "an inspection whose plan is a number": (
            APP,
            _inspection("books", plan="5"),
            "23001 an inspection begins with nothing planned and nothing looked at",
        ),
        "an inspection from the end on": (
            APP,
            _inspection("books", plan='[["accounts", 25]]', after=9223372036854775807),
            "23001 an inspection begins with nothing planned and nothing looked at",
        ),
        "an inspection begun before time": (APP, _inspection("books", begun="'-infinity'"), ACCEPTED),
        "an inspection begun at the end of time": (APP, _inspection("books", begun="'infinity'"), ACCEPTED),
        "a hurried inspection with an empty plan": (APP, _inspection(hurried="true"), ACCEPTED),
        "an inspection asked by somebody else": (
            APP,
            "INSERT INTO audit_inspection (kind, hurried, plan, place, after, state, counts, asked_by_id)"
            " VALUES ('books', true, '[]', 0, 0, '{}', '{}', 9)",
            ACCEPTED,
        ),
        "an inspection whose state is garbage": (
            APP,
            "INSERT INTO audit_inspection (kind, hurried, plan, place, after, state, counts)"
            " VALUES ('books', false, '[[\"accounts\", 25]]', 0, 0, '[1e400]', '5')",
            "23001 an inspection begins with nothing planned and nothing looked at",
        ),
    },
}
