import psycopg, pytest, time
from django.db import connection
def test_login(live_stack, page):
    page.goto(live_stack.base_url + "/login/")
    print(page.title())
    page.fill("[name=username]", "anna"); page.fill("[name=password]", live_stack.logins["anna"])
    page.click("[type=submit]")
    print(page.url, page.title())
def test_worker(live_stack):
    live_stack.stop_worker(); live_stack.start_worker()
    with psycopg.connect(live_stack.database_url) as c: print(c.execute("select current_user, current_database(), count(*) from casino_staff").fetchone())
def test_seeded(seeded_db, auditor_connection):
    print(seeded_db, auditor_connection.execute("select count(*) from audit_entry").fetchone())
def test_skip(): pytest.skip("why not")
