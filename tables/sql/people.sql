-- Postings and one-time codes: two others give and end them.

COMMENT ON CONSTRAINT posting_posted_whole ON tables_posting IS
    'Two people post a person; none is named where the house was set up.';
COMMENT ON CONSTRAINT posting_ended_whole ON tables_posting IS
    'Two people are named who end a posting, when it ends, or none.';
COMMENT ON CONSTRAINT posting_four_eyes ON tables_posting IS 'Nobody posts, or ends a posting, as both of the two.';
COMMENT ON CONSTRAINT posting_by_others ON tables_posting IS 'Nobody gives or ends their own posting.';
COMMENT ON CONSTRAINT onetimecode_four_eyes ON tables_onetimecode IS 'Two different people give a one-time code.';
COMMENT ON CONSTRAINT onetimecode_by_others ON tables_onetimecode IS 'Nobody gives themselves a one-time code.';
COMMENT ON INDEX onetimecode_one_stands IS 'A person has one one-time code at a time.';
