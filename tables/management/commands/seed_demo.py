"""A demo casino for `make up`: three Split tables in two pits, a table for each game of the house, all the staff,
and an open shift of the cage with the chips that the house issued."""

import datetime as dt
import json
import os
import secrets
import sys

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import transaction

from audit.log import Actor
from casino.games.registry import GAMES
from casino.games.split import SPLIT
from casino.models import Casino, ChipSet
from casino.roles import Role
from payouts import coefficient_tables, ledger
from payouts.models import Account, Movement
from tables.lab import counting
from tables.people import staff
from tables.verbs import cage, pits, rulesheets

CHIPS = {100: "#5b6670", 500: "#ad1f2b", 2500: "#17633f", 10000: "#22272b", 50000: "#5a3891", 100000: "#8a5a00"}
ISSUED = {100: 20_000, 500: 10_000, 2500: 5_000, 10000: 4_000, 50000: 1_000, 100000: 500}
"""The chips that the house has."""
OPENER = {100: 100, 500: 100, 2500: 100, 10000: 100, 50000: 40, 100000: 20}
RATIOS = next(parameter.default for parameter in SPLIT.parameters if parameter.name == "coefficients")
SHEET = {"chip": 100, "ante_minimum": 500, "ante_maximum": 10000, "boxes": 6}
HOUSE_GAMES = {
    "G1": ("genpoker", {"chip": 100, "stake": 2000, "rake_percent": 5}, "jonas", "Jonas Jung"),
    "G2": ("dynastia", {"chip": 100, "game": "long", "price": 100}, "lina", "Lina Lang"),
    "G3": ("presidential", {"chip": 100, "stake": 500, "bet_minimum": 500}, "mara", "Mara Maas"),
    "G4": ("bigtwo", {"chip": 100, "price": 500, "hands": "unseen"}, "nils", "Nils Noll"),
}
"""A table for each game of the house: its game, what its rule sheet sets, and the croupier who is signed on there."""
PITS = {"M": "Main floor", "S": "Salon", "H": "House games"}
SPLIT_TABLES = {"T1": ("Split 1", "M"), "T2": ("Split 2", "M"), "T3": ("Split 3", "S")}
TABLES = SPLIT_TABLES | {code: (f"{GAMES[game].name} 1", "H") for code, (game, *_) in HOUSE_GAMES.items()}
STAFF = {
    "anna": ("Anna Adler", Role.CROUPIER, "M", "T1"),
    "boris": ("Boris Brandt", Role.CROUPIER, "M", "T2"),
    "greta": ("Greta Graf", Role.CROUPIER, "S", "T3"),
    "erik": ("Erik Engel", Role.CROUPIER, "M", None),
    "clara": ("Clara Conrad", Role.PIT_BOSS, "M", None),
    "frank": ("Frank Falk", Role.PIT_BOSS, "S", None),
    "hugo": ("Hugo Hahn", Role.CAGE, None, None),
    "david": ("David Dorn", Role.AUDITOR, None, None),
    "ida": ("Ida Imhof", Role.ADMINISTRATOR, None, None),
    "karl": ("Karl Kern", Role.PIT_BOSS, "H", None),
    **{login: (name, Role.CROUPIER, "H", code) for code, (*_, login, name) in HOUSE_GAMES.items()},
    "olga": ("Olga Otto", Role.COUNT_TEAM, None, None),
    "petra": ("Petra Petersen", Role.COUNT_TEAM, None, None),
}


class Command(BaseCommand):
    help = "Lay out the demo casino, once; the logins go to DATA_DIR/demo-logins.json."
    # `migrate` comes before it and makes them.
    requires_system_checks = ()

    def add_arguments(self, parser):
        parser.add_argument(
            "--day-starts-at", type=dt.time.fromisoformat, default=dt.time(6), help="When its gaming day starts; 06:00."
        )

    def handle(self, *args, day_starts_at, **options):
        if Casino.objects.exists():
            self.stdout.write("The casino is there already.")
            return
        passwords = {login: _password() for login in STAFF}
        with transaction.atomic():
            _seed(passwords, day_starts_at, self._step)
        self._write_logins(passwords)

    def _step(self, text):
        self.stdout.write(text)
        sys.stdout.flush()

    def _write_logins(self, passwords):
        logins = [
            {"login": login, "password": passwords[login], "role": role.value, "where": _where(pit, table)}
            for login, (_, role, pit, table) in STAFF.items()
        ]
        path = settings.DATA_DIR / "demo-logins.json"
        with open(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            json.dump(logins, file, indent=1)


_WORDS = ("felt", "river", "amber", "cedar", "harbor", "velvet", "copper", "meadow", "lantern", "marble")


def _password():
    """Two words and a number, of which no list of breached passwords has one."""
    return "-".join([*secrets.SystemRandom().sample(_WORDS, 2), str(secrets.randbelow(9000) + 1000)])


def _where(pit, table):
    if table:
        return f"signed on at {TABLES[table][0]}"
    return PITS[pit] if pit else "everywhere"


def _seed(passwords, day_starts_at, step):
    Casino.objects.create(
        code="demo",
        name="Casino Demo",
        currency="EUR",
        time_zone="Europe/Berlin",
        day_starts_at=day_starts_at,
    )
    ledger.start_accounts(Account.OF_THE_HOUSE, "house")
    chip_set = ChipSet.objects.create(name="Cash chips, EUR", denominations=list(CHIPS), colours=list(CHIPS.values()))
    step("Staff of every role")
    people = {}
    for login, (name, *_) in STAFF.items():
        people[login] = staff.add(login=login, name=name, password=passwords[login], actor=Actor(people.get("ida")))
    ida, clara, frank, karl = (Actor(people[login]) for login in ("ida", "clara", "frank", "karl"))
    step("Pits, tables and rule sheet")
    pit_of = {code: pits.add_pit(code=code, name=name, actor=ida) for code, name in PITS.items()}
    tables = {
        code: pits.add_table(code=code, name=name, pit=pit_of[pit], chip_set=chip_set, actor=ida)
        for code, (name, pit) in TABLES.items()
    }
    for login, (_, role, pit, _table) in STAFF.items():
        staff.post(staff=people[login], role=role, pit=pit_of.get(pit), actor=ida)
    shift = cage.open_shift(actor=Actor(people["hugo"]))
    by_two = Actor(people["hugo"], clara.by)
    cage.move(shift_id=shift.pk, kind=Movement.Kind.ISSUED, denominations=ISSUED, actor=by_two)
    table = coefficient_tables.draft(game="split", name="Starting table", ratios=RATIOS, actor=clara)
    table = coefficient_tables.publish(table_id=table.pk, actor=frank)
    sheet = rulesheets.draft(game="split", values=SHEET, coefficient_table=table, actor=clara)
    rulesheets.publish(sheet_id=sheet.pk, actor=frank)
    sheets = dict.fromkeys(SPLIT_TABLES, sheet)
    for code, (game, values, *_) in HOUSE_GAMES.items():
        sheets[code] = rulesheets.draft(game=game, values=values, coefficient_table=None, actor=karl)
        rulesheets.publish(sheet_id=sheets[code].pk, actor=frank)
    step("Sessions and sign-ons")
    bosses, seconds = {"M": clara, "S": frank, "H": karl}, {"M": frank, "S": clara, "H": frank}
    for code, place in tables.items():
        boss, second = bosses[place.pit.code], seconds[place.pit.code]
        rulesheets.put_in_force(sheet_id=sheets[code].pk, table_id=place.pk, actor=Actor(boss.by, second.by))
        counting.opened(table_id=place.pk, chips=OPENER, boss=boss.by, second=people["hugo"])
        for login, (*_, at) in STAFF.items():
            if at == code:
                staff.sign_on(staff=people[login], table=place, actor=boss)
