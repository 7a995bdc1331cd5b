-- Actions belong to an open round and follow one another without a gap. The round is locked before it is looked at, so
-- that neither a close under way in another transaction nor an old snapshot lets an action in that comes too late.

CREATE OR REPLACE FUNCTION action_follows() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM FROM tables_round WHERE id = NEW.round_id AND status = 'OPEN' FOR SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'round % is not open', NEW.round_id USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.ordinal > 1 + (SELECT coalesce(max(ordinal), 0) FROM tables_action WHERE round_id = NEW.round_id) THEN
        RAISE EXCEPTION 'action % leaves a gap', NEW.ordinal USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER follows BEFORE INSERT ON tables_action FOR EACH ROW EXECUTE FUNCTION action_follows();
ALTER TABLE tables_action ENABLE ALWAYS TRIGGER follows;
COMMENT ON TRIGGER follows ON tables_action IS 'An action is of an OPEN round and leaves no gap in its numbers.';

COMMENT ON CONSTRAINT action_ordinal_from_one ON tables_action IS 'Actions are counted from 1.';
COMMENT ON CONSTRAINT action_ordinal_once ON tables_action IS 'A number stands for one action of a round.';
COMMENT ON CONSTRAINT action_undo_names ON tables_action IS 'An undo names the action that it takes back.';
COMMENT ON CONSTRAINT action_undoes_earlier ON tables_action IS 'An undo takes back an earlier action.';
COMMENT ON CONSTRAINT action_undone_once ON tables_action IS 'An action is taken back once.';
COMMENT ON CONSTRAINT action_four_eyes ON tables_action IS
    'The person who approves is another than the person who acts.';
COMMENT ON CONSTRAINT action_arguments_object ON tables_action IS 'What an action says are arguments with names.';
COMMENT ON CONSTRAINT action_arguments_readable ON tables_action IS 'What an action says can be read.';
