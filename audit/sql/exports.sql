-- What is asked of an export, and how it ends. The constraints are made with the table.

COMMENT ON CONSTRAINT export_says_what ON audit_export IS
    'An export is of everything, of one table, or of a period that ends after it begins.';
COMMENT ON CONSTRAINT export_ended_whole ON audit_export IS
    'An export is ASKED, or DONE with a checkpoint, or FAILED with a sentence, the latter two with their time. No'
    ' trigger keeps the order of these states.';
