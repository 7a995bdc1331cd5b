"""`manage.py open_house FILE`: a house founded from nothing, as its file says."""

import contextlib
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, IntegrityError, transaction

from casino import checks
from casino.errors import Refused
from tables.people import codes
from tables.verbs import founding, house_file

NOTHING = "Nothing was changed."


class Command(BaseCommand):
    help = (
        "Found a house in an empty database, as a file like docs/house.toml says, all of it or nothing; its two"
        " administrators get a one-time code each, which is shown this once. Exit status: 0 founded, 1 refused, or"
        " founded without showing the codes, which it says."
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
        if code is not None and check:
            raise CommandError(f"--check reads a file, and --code changes who has which code: leave one out. {NOTHING}")
        try:
            if code is not None:
                people = self._lay_down(lambda: [founding.another_code(code)])
            elif check:
                self._write(self._summary(file, _read(file)))
                return
            else:
                house = _read(file)
                people = self._lay_down(lambda: founding.lay_down(house), self._summary(file, house))
        except Refused as refused:
            raise CommandError(f"{refused.message} {refused.way_out} {NOTHING}") from None
        except IntegrityError:
            raise CommandError(f"Another start founds this house just now. {NOTHING}") from None
        except DatabaseError as error:
            reason = str(error).strip().partition("\n")[0]
            way_out = "DATABASE_URL has to name the app's role and its database."
            raise CommandError(f"The database refused: {reason}. {way_out} {NOTHING}") from None
        except OSError as error:
            way_out = "Let it write to a screen, or a file with room."
            raise CommandError(f"{_unwritten(error)}. {way_out} {NOTHING}") from None
        self._show(people, is_new=code is None)

    def _lay_down(self, change, summary=()):
        """The result of `change`, in a transaction that commits only if the output for its codes can be written."""
        checks.start()
        with transaction.atomic():
            people = change()
            hours = f"One-time codes, shown this once; each counts for {codes.HOURS} hours:"
            self._write([*summary, hours])
        return people

    def _summary(self, file, house):
        casino, games = house.casino, [sheet["game"] for sheet in house.sheets]
        begins = f"a gaming day begins at {casino['day_starts_at']:%H:%M} in {casino['time_zone']}"
        yield f"{file}: {casino['name']}, amounts in {casino['currency']}; {begins}"
        for word, rows in (("pits", house.pits), ("tables", house.tables), ("chips", house.chip_sets)):
            yield f"  {word}: {', '.join(row['name'] for row in rows)}"
        yield f"  drafts of rule sheets: {', '.join(games) or 'none'}"

    def _show(self, people, *, is_new):
        lines = [f"  {person.name}   login {person.login}   code {code}" for person, code in people]
        try:
            self._write([*lines, "Each of them sets a password with it: on the login page, I have a one-time code."])
        except OSError as error:
            fact = "The house is founded" if is_new else "The code was given, and the one before is over"
            logins = " and ".join(person.login for person, _ in people)
            raise CommandError(
                f"{fact}. {_unwritten(error)}. manage.py open_house --code LOGIN gives {logins} another code."
            ) from None

    def _write(self, lines):
        """Write lines, and be sure of it; what an output can't encode is escaped.

        :raises OSError: if they can't be written.
        """
        out = self.stdout._out
        if out is None:
            raise OSError("standard output is closed")
        encoding = getattr(out, "encoding", None) or "utf-8"
        text = "".join(f"{house_file.plain(line)}\n" for line in lines)
        try:
            out.write(text.encode(encoding, "backslashreplace").decode(encoding))
            out.flush()
        except OSError:
            with contextlib.suppress(OSError):
                # What is left in the buffer would fail once more, in its own words, as the process ends.
                out.close()
            raise


def _unwritten(error):
    return f"What is to be shown can't be written: {error.strerror or error}"


def _read(file):
    """:raises CommandError: with every fault of the file."""
    try:
        return house_file.read(house_file.open_file(file))
    except house_file.HouseFileError as error:
        faults = "\n".join(f"  {fault}" for fault in error.faults)
        raise CommandError(f"{house_file.plain(str(file))} is refused; nothing was changed.\n{faults}") from None
