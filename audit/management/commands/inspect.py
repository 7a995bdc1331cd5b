"""Look through everything now, without a broker, and accept what was named."""

import time
from getpass import getpass

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from audit import inspections, keys, sealer
from audit.models import Finding, Inspection
from casino.errors import Refused
from casino.models import Staff
from casino.roles import Right


class Command(BaseCommand):
    help = (
        "Look through all that the house has written, now: each sealed entry, its leaf, chain and checkpoint, each row"
        " that entries tell of, and the books. Ends with 1 and names what is not what the log says."
    )

    def add_arguments(self, parser):
        parser.add_argument("--accept", type=int, nargs="+", metavar="ID", help="accept findings instead of looking")
        parser.add_argument("--by", metavar="LOGIN", help="the auditor, whose password is asked for")
        parser.add_argument("--reason", default="", help="what became of it")

    def handle(self, *args, accept, by, reason, **options):
        if accept:
            self._accept(accept, by, reason)
            return
        try:
            with sealer.connected():
                self._look()
                open_ = list(Finding.objects.open().defer("salt").order_by("pk"))
        except (keys.NoKeyError, sealer.NoSealerError) as error:
            raise CommandError(str(error)) from error
        for finding in open_:
            self.stdout.write(f"{finding.pk}: {finding.subject}, {finding.what}. {finding.sentence}")
        if open_:
            raise CommandError(
                f"{_differences(open_)} not accepted yet; nothing new is sealed until all are, with --accept, --by and"
                " --reason."
            )

    def _look(self):
        begun = time.monotonic()
        with transaction.atomic():
            inspections.ask(by=None)
        while True:
            left = [each for each in inspections.under_way() if each.hurried]
            if not left:
                break
            if not inspections.look(left[0]):
                time.sleep(0.05)
        for kind in Inspection.Kind.values:
            done = Inspection.objects.filter(kind=kind, hurried=True).latest("pk")
            parts = {part.name: part for part in inspections.parts(kind)}
            counts = "; ".join(parts[name].counted(count) for name, count in done.counts.items())
            self.stdout.write(f"{done.get_kind_display().capitalize()}: {counts}.")
        self.stdout.write(f"Looked through in {time.monotonic() - begun:.1f} s.")

    def _accept(self, findings, by, reason):
        person = Staff.objects.filter(login=by or "", is_active=True).first()
        if person is None or not person.has_perm(Right.ACCEPT_FINDING):
            raise CommandError("An auditor accepts a difference: give the login with --by.")
        if not person.check_password(getpass(f"Password of {person.login}: ")):
            raise CommandError("The password is wrong.")
        try:
            with transaction.atomic():
                accepted = inspections.accept(findings=findings, reason=reason, by=person)
        except Refused as refused:
            raise CommandError(f"{refused.message} {refused.way_out}") from None
        self.stdout.write(f"{_differences(accepted)} accepted. Sealing goes on when all are.")


def _differences(findings):
    return "1 difference is" if len(findings) == 1 else f"{len(findings)} differences are"
