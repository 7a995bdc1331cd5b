-- PostgreSQL lets everybody call a function unless its owner says otherwise: here nobody calls one without a grant,
-- neither those that are there nor those to come. Migrations lay this down first.

REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA public FROM PUBLIC;
ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
