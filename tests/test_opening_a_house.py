"""docs/opening-a-house.md, followed step by step: a house founded from its file in an empty database, its first round
settled, and its log found whole. Whoever adds a step there adds it here."""

import io
import re
import uuid

from django.conf import settings as product
from django.core.management import call_command
from django.test import Client

from audit import anchor, keys, verify_export
from casino.models import Staff
from casino.roles import Role
from tables.models import Round, RuleSheet, Table
from tables.verbs import settling

from .support.authenticator import code as shown_by_app
from .support.factories import FLUSH_WINS
from .test_architecture import BASE_DIR

GUIDE = BASE_DIR / "docs" / "opening-a-house.md"
ISSUED = {"100": 20_000, "500": 10_000, "2500": 5_000, "10000": 4_000, "50000": 1_000, "100000": 500}
OPENER = {"100": 100, "500": 100, "2500": 100, "10000": 100, "50000": 40, "100000": 20}


class Opening:
    """The people of the guide, each at a browser of their own."""

    def __init__(self, folder):
        self.folder, self.browsers, self.codes = folder, {}, {}

    def write_the_file(self):
        self.file = self.folder / "house.toml"
        self.file.write_text((BASE_DIR / "docs" / "house.toml").read_text())
        call_command("open_house", str(self.file), check=True, stdout=io.StringIO())
        assert not Staff.objects.exists()

    def found_the_house(self):
        said = io.StringIO()
        call_command("open_house", str(self.file), stdout=said)
        self.codes = dict(re.findall(r"login (\w+) +code ([0-9A-Z-]+)", said.getvalue()))
        keys.make()

    def log_in(self):
        for login in ("ida", "jan"):
            self.enter(login)

    def add_people(self):
        self.join("clara", Role.PIT_BOSS)
        self.join("hugo", Role.CAGE)
        self.join("david", Role.AUDITOR)
        self.join("anna", Role.CROUPIER, pit=1)
        for login in ("clara", "hugo", "david", "anna"):
            self.enter(login, takes_second_step=login != "anna")

    def put_a_rule_sheet_in_force(self):
        sheet = RuleSheet.objects.get(game="split")
        self.table = Table.objects.get(code="S1")
        assert "No rule sheet is in force here" in self.browsers["clara"].get("/tables/1/session/").content.decode()
        refused = self.post("ida", f"sheets/{sheet.pk}/publish/", status=403)
        assert refused["code"] == "not_your_right"
        self.post("clara", f"sheets/{sheet.pk}/publish/")
        body = {"tables": [self.table.pk], "signature": self.signature("ida")}
        self.post("clara", f"sheets/{sheet.pk}/in-force/", body)
        assert "No rule sheet" not in self.browsers["clara"].get("/tables/1/session/").content.decode()

    def issue_the_chips(self):
        shift = self.post("hugo", "cage/shifts/", status=201)
        body = {"kind": "issued", "denominations": ISSUED, "signature": self.signature("clara")}
        self.post("hugo", f"cage/shifts/{shift['id']}/movements/", body, status=201)

    def open_the_table(self):
        session = f"sessions/{self.post('clara', f'tables/{self.table.pk}/sessions/', status=201)['id']}/"
        for login in ("clara", "hugo"):
            self.post(login, f"{session}counts/", {"denominations": OPENER})
        assert self.post("clara", f"{session}sign/", {"signature": self.signature("hugo")})["status"] == "OPEN"

    def enrol_the_terminal(self):
        """Anna's browser, too, is that of the device from now on."""
        device, page = self.browsers["clara"], f"/tables/{self.table.pk}/enrol/"
        device.post(page, {"name": "S1-left"})
        self.browsers["anna"].cookies[product.TERMINAL_COOKIE_NAME] = device.cookies[product.TERMINAL_COOKIE_NAME].value
        self.post("anna", f"tables/{self.table.pk}/sign-on/")

    def play_the_first_round(self):
        round_ = self.post("anna", f"tables/{self.table.pk}/rounds/", status=201)
        at = f"rounds/{round_['id']}/"
        for version, (kind, box, arguments) in enumerate(FLUSH_WINS):
            body = {"version": version, "kind": kind, "box": box, "arguments": arguments}
            self.post("anna", f"{at}actions/", body)
        self.post("anna", f"{at}close/", {"version": len(FLUSH_WINS)})
        assert settling.settle_due() == 1
        first = Round.objects.get()
        assert (str(first), first.status) == ("S1-00001", Round.Status.SETTLED)
        assert first.settlement.payments.get(box=1).paid_units == 10_000

    def verify_it(self):
        said = io.StringIO()
        call_command("export", stdout=said)
        size = re.search(r"--as-of (\d+)", said.getvalue())[1]
        words = [str(self.folder / "exports" / "export-1"), "--key", str(self.folder / "keys" / "public")]
        words += ["--anchor", str(anchor.path()), "--as-of", size, "--asked", "all", "--resettle", str(BASE_DIR)]
        assert verify_export.main(words) == 0

    def enter(self, login, *, takes_second_step=True):
        """Set a password with the one-time code, log in, and add an app where the role takes one."""
        browser = self.browsers[login] = Client()
        password = self.signature(login)["password"]
        sent = {"login": login, "code": self.codes[login], "new": password, "again": password}
        assert browser.post("/first/", sent)["Location"] == "/login/?first=1"
        there = browser.post("/login/", {"username": login, "password": password})["Location"]
        assert there == ("/account/keys/" if takes_second_step else "/")
        if takes_second_step:
            page = browser.get(there).content.decode()
            secret = re.search(r'data-test="secret">([A-Z2-7 ]+)<', page)[1]
            kept = re.search(r'name="kept" value="([^"]+)"', page)[1]
            sent = {"act": "app", "name": "Telephone", "kept": kept, "code": shown_by_app(secret)}
            assert "Recovery codes" in browser.post(there, sent).content.decode()
        assert browser.get("/account/").status_code == 200

    def join(self, login, role, **pit):
        body = {"login": login, "name": login.title(), "role": role, "signature": self.signature("jan"), **pit}
        self.codes[login] = self.post("ida", "staff/", body, status=201)["code"]

    def signature(self, login):
        return {"login": login, "password": f"velvet-otter-{login}-41"}

    def post(self, login, path, body=None, *, status=200):
        answer = self.browsers[login].post(
            f"/api/v1/{path}",
            body or {},
            content_type="application/json",
            headers={"Idempotency-Key": str(uuid.uuid4())},
        )
        assert answer.status_code == status, answer.content
        return answer.json()


def test_whoever_follows_the_guide_founds_a_house_and_settles_its_first_round(fresh_db, tmp_path, settings):
    settings.SECOND_STEP, settings.EXPORTS = True, str(tmp_path / "exports")
    settings.LOG_KEYS, settings.ANCHOR_FILE = str(tmp_path / "keys"), str(tmp_path / "outside" / "checkpoints")
    settings.ANCHOR_SECONDS = 0
    opening = Opening(tmp_path)
    for step in re.findall(r"^## \d+\. (.+)$", GUIDE.read_text(), re.MULTILINE):
        getattr(opening, step.lower().replace(" ", "_"))()
    call_command("inspect", stdout=io.StringIO())
