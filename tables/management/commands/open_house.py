"""`manage.py open_house FILE`: a house founded from nothing, as its file says."""

import sys
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError
from django.db import IntegrityError, transaction

from casino import checks
from casino.errors import Refused
from tables.people import codes
from tables.verbs import founding, house_file


class Command(BaseCommand):
    help = (
        "Found a house in an empty database, as a file like docs/house.toml says, all of it or nothing; its two"
        " administrators get a one-time code each, which is shown this once. Exit status: 0 founded, 1 refused."
    )
    # `checks.start` asks what concerns it; all of Django's checks would load every page first.
    requires_system_checks = ()

    def add_arguments(self, parser):
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("file", nargs="?", type=Path, help="the house, as docs/house.toml")
        what.add_argument(
            "--code", metavar="LOGIN", help="another code for an administrator, as long as no two others could give it"
        )
        parser.add_argument("--check", action="store_true", help="only read the file, and found nothing")

    def handle(self, *, file, code, check, **options):
        try:
            if code:
                checks.start()
                with transaction.atomic():
                    people = [founding.another_code(code)]
            else:
                house = _read(file)
                if not check:
                    checks.start()
                    with transaction.atomic():
                        people = founding.lay_down(house)
                self._sum_up(file, house)
                if check:
                    return
        except Refused as refused:
            raise CommandError(f"{refused.message} {refused.way_out} Nothing was changed.") from None
        except IntegrityError:
            raise CommandError("Another start founds this house just now. Nothing was changed.") from None
        self._show(people)

    def _sum_up(self, file, house):
        casino, games = house.casino, [sheet["game"] for sheet in house.sheets]
        begins = f"a gaming day begins at {casino['day_starts_at']:%H:%M} in {casino['time_zone']}"
        self.stdout.write(f"{file}: {casino['name']}, amounts in {casino['currency']}; {begins}")
        for word, rows in (("pits", house.pits), ("tables", house.tables), ("chips", house.chip_sets)):
            self.stdout.write(f"  {word}: {', '.join(row['name'] for row in rows)}")
        self.stdout.write(f"  drafts of rule sheets: {', '.join(games) or 'none'}")

    def _show(self, people):
        self.stdout.write(f"One-time codes, shown this once; each counts for {codes.HOURS} hours:")
        for person, code in people:
            self.stdout.write(f"  {person.name}   login {person.login}   code {code}")
        self.stdout.write("Each of them sets a password with it: on the login page, I have a one-time code.")
        sys.stdout.flush()


def _read(file):
    """:raises CommandError: with every fault of the file."""
    try:
        return house_file.read(file.read_bytes().decode())
    except UnicodeDecodeError:
        raise CommandError(f"{file} is not written in UTF-8. Save it so. Nothing was changed.") from None
    except OSError as error:
        raise CommandError(f"{file} can't be read: {error.strerror or error}. Name another.") from None
    except house_file.HouseFileError as error:
        faults = "\n".join(f"  {fault}" for fault in error.faults)
        raise CommandError(f"{file} is refused; nothing was changed.\n{faults}") from None
