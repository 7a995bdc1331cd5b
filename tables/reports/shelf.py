"""Files of reports as primitives for their pages: those of one report, those of all, and one's manifest."""

from django.urls import reverse

from audit import history
from audit.form import spell_time
from audit.models import Entry
from casino import settings_of_house
from casino.models import Casino
from casino.roles import Right

from ..models import GamingDay, ReportFile, ReportToken, RuleSheet, Session
from ..verbs import report_files
from ..words.timeline import Reader
from . import grading
from .catalogue import REPORTS, hidden
from .period import Period
from .wording import WORDING

LISTED = 200


def file(report, period, form):
    """The finished file of a report.

    :raises Refused: `report_not_final` and as `grading.of`, or `report_not_made`.
    """
    row = ReportFile.objects.filter(status=ReportFile.Status.DONE, **_what(report, period), form=form).first()
    if row is None:
        grading.final(period, report.since(period))
        raise WORDING.refused("report_not_made", file=_name(report, period, form))
    return row


def _name(report, period, form):
    return f"{report.name}-{period}.{form}"


def address(name, period, form):
    """The address from which a file of a report is fetched."""
    return reverse("report-file", kwargs={"name": name, "period": period, "form": form})


def _what(report, period):
    return {"report": report.name, "edition": report.edition, "period": str(period)}


def files(report, period, staff):
    """The files of a report of a period, form by form: each with its state, and whether one is being made."""
    newest = {}
    for row in ReportFile.objects.filter(**_what(report, period)).order_by("pk"):
        newest[row.form] = row
    forms = []
    for form in ReportFile.Form:
        row = newest.get(form.value)
        state = row.status if row else ""
        forms.append(
            {
                "form": form.value,
                "label": form.label,
                "state": "" if state in {"CANCELLED", "PRUNED"} else state.lower(),
                "id": row and row.pk,
                "rows": row and row.rows_made,
                "size": _size(row.size) if row and row.size else "",
                "failure": row.failure if row else "",
                "to": address(report.name, period, form.value),
            }
        )
    return {
        "name": report.name,
        "period": str(period),
        "forms": forms,
        "running": any(form["state"] == "asked" for form in forms),
        "makes": staff.has_perm(Right.MAKE_REPORTS),
    }


def all_files(staff):
    """The newest files of all reports, those that may be pruned, and the tokens with which programs fetch them."""
    reader, runs = Reader.of(staff), staff.has_perm(Right.RUN_REPORTS)
    listed = list(
        ReportFile.objects.exclude(report__in=hidden(staff)).select_related("asked_by").order_by("-pk")[:LISTED]
    )
    old = report_files.old()
    tokens = ReportToken.objects.select_related("given_by", "given_with", "ended_by", "ended_with") if runs else []
    return {
        "rows": [_row_of_file(row, reader) for row in listed],
        "most": LISTED if len(listed) == LISTED else 0,
        "running": any(row.status == ReportFile.Status.ASKED for row in listed),
        "old": old.count(),
        "days": settings_of_house.value("report_files_days"),
        "runs": runs,
        "tokens": [
            {
                "id": token.pk,
                "name": token.name,
                "given": _by_two(reader, token.given_at, token.given_by, token.given_with),
                "ended": _by_two(reader, token.ended_at, token.ended_by, token.ended_with) if token.ended_at else "",
            }
            for token in tokens
        ],
    }


def _by_two(reader, at, one, other):
    return f"{reader.moment(at)}, {reader.person(one)} and {reader.person(other)}"


def _row_of_file(row, reader):
    report, done = REPORTS.get(row.report), row.status == ReportFile.Status.DONE
    return {
        "id": row.pk,
        "title": report.title if report else row.report,
        "period": Period(row.first, row.last).words(),
        "form": row.get_form_display(),
        "state": row.status.lower(),
        "words": row.get_status_display(),
        "rows": row.rows_made,
        "asked": reader.moment(row.asked_at),
        "by": reader.person(row.asked_by) if row.asked_by else "By itself",
        "size": _size(row.size) if row.size else "",
        "failure": row.failure,
        "to": address(row.report, row.period, row.form) if done else "",
        "page": reverse("report", args=[row.report, row.period]) if report else "",
    }


def _size(size):
    """A size as people say it: 12 KB, 3.4 MB."""
    return f"{max(1, round(size / 1000))} KB" if size < 1_000_000 else f"{size / 1_000_000:.1f} MB"


def given(report, period):
    """The files of a report of a period that were made, the newest first, each with its entry in the log."""
    made = [row.ref for row in ReportFile.objects.filter(**_what(report, period)).exclude(digest="")]
    rows = []
    for entry in Entry.objects.filter(subject__in=made, event="report.made").order_by("-at", "-pk"):
        facts = history.facts(entry)
        row = {"chain": entry.chain_id, "seq": entry.seq, "at": entry.at, "by": entry.by}
        rows.append(row | {name: facts.get(name) for name in ("form", "digest", "checkpoint", "file")})
    return rows


def manifest(report, period):
    """Where the file of a report comes from, which the file itself does not say: its days as they were closed, the rule
    sheets of their rounds, and the files that were given."""
    casino = Casino.objects.get()
    since = report.since(period)
    closed = GamingDay.objects.filter(date__range=(since, period.last), status=GamingDay.Status.CLOSED).order_by("date")
    sessions = Session.objects.filter(business_date__range=(since, period.last))
    sheets = RuleSheet.objects.filter(rounds__session__in=sessions).distinct().order_by("digest")
    return {
        "report": report.name,
        "title": report.title,
        "period": str(period),
        "first": period.first.isoformat(),
        "last": period.last.isoformat(),
        "grade": grading.final(period, since).grade.value,
        "casino": casino.code,
        "currency": casino.currency,
        "time_zone": casino.time_zone,
        "day_starts_at": casino.day_starts_at.isoformat("minutes"),
        "columns": [{"name": column.name, "kind": column.kind.value, "says": column.says} for column in report.filed],
        "days": [
            {
                "date": day.date.isoformat(),
                "digest": day.digest,
                "closed_at": spell_time(day.closed_at),
                "people": [f"staff:{day.closed_by_id}", f"staff:{day.closed_with_id}"],
            }
            for day in closed
        ],
        "sheets": list(sheets.values_list("digest", flat=True)),
        "files": given(report, period),
    }
