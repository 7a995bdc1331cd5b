"""`manage.py catalogue`: lay the files of all languages down anew, or compile them."""

from django.core.management.base import BaseCommand, CommandError

from casino import catalogue


class Command(BaseCommand):
    help = "Find every sentence that is translated and lay casino/locale down anew; with --compile make its .mo files."
    requires_system_checks = ()

    def add_arguments(self, parser):
        parser.add_argument("--check", action="store_true", help="fail where a file lacks a sentence, and change none")
        parser.add_argument("--compile", action="store_true", help="make what gettext reads, and change no file")

    def handle(self, **options):
        if options["compile"]:
            catalogue.compile_all()
            return
        if options["check"]:
            if stale := [str(path) for path in catalogue.stale()]:
                raise CommandError(f"These are not as the code has it: {', '.join(stale)}. Run manage.py catalogue.")
            return
        catalogue.lay_down()
        for language in catalogue.languages():
            missing = [
                message.id
                for domain in catalogue.DOMAINS
                for message in catalogue.read(language, domain)
                if message.id and not all(message.string if message.pluralizable else [message.string])
            ]
            self.stdout.write(f"{language}: {len(missing)} sentences without a translation.")
            for sentence in missing:
                self.stdout.write(f"  {sentence}")
