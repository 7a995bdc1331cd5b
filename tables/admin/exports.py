"""Exports in the admin: what an auditor asks for, how far it is, and what to do with it."""

import datetime as dt

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path

from audit import exports, history
from audit.models import Anchor, Export
from audit.tarball import Tarball
from casino.admin import ReadOnlyAdmin
from casino.errors import Refused
from casino.gaming_day import gaming_day
from casino.models import Casino
from casino.roles import Right

from ..words.timeline import Reader
from .entries import when
from .history import looks
from .search import Unclear, chains, days
from .wording import WORDING

PAGE = 50


@admin.register(Export)
class ExportAdmin(ReadOnlyAdmin):
    """Exports: asked for, on their way with a bar, done and downloaded."""

    right = Right.EXPORT_LOG
    recorded = False  # its looks are logged as looks at the log
    fields = readonly_fields = (
        "kind", "table_key", "from_at", "to_at", "asked_by", "asked_at", "status", "checkpoint", "leaves",
        "leaves_written", "entries", "ended_at", "failure",
    )  # fmt: skip

    def get_urls(self):
        view = self.admin_site.admin_view
        return [
            path("rows/", view(self.rows_view), name="export_rows"),
            path("<int:pk>/download/", view(self.download_view), name="export_download"),
            *super().get_urls(),
        ]

    def changelist_view(self, request, extra_context=None):
        """What was asked for, and the form that asks."""
        if request.method not in {"GET", "POST"} or not self.has_view_permission(request):
            raise PermissionDenied
        form = form_of(request.POST)
        if request.method == "POST":
            try:
                with transaction.atomic():
                    exports.ask(**arguments_of(request.POST), by=request.user)
                return redirect("admin:audit_export_changelist")
            except Unclear as error:
                form["problem"] = str(error)
            except Refused as error:
                form["problem"] = f"{error.message} {error.way_out}"
        context = {"title": "Exports", "opts": None, "form": form, "page": listing(_number(request))}
        status = 400 if form.get("problem") else 200
        return render(request, "exports/page.html", {**self.admin_site.each_context(request), **context}, status=status)

    def rows_view(self, request):
        """Just the list, which the page fetches again while something is on its way."""
        if request.method != "GET" or not self.has_view_permission(request):
            raise PermissionDenied
        return render(request, "exports/_rows.html", {"page": listing(_number(request))})

    @looks
    def download_view(self, request, pk):
        """An export as one file."""
        export = get_object_or_404(Export, pk=pk, status=Export.Status.DONE)
        if not exports.folder(export).is_dir():
            raise Http404("Its folder is gone.")
        name = exports.folder(export).name
        tarball = Tarball(exports.folder(export), name=name, at=export.ended_at)
        history.look(what=export.ref, by=request.user)
        headers = {"Content-Length": tarball.size, "Content-Disposition": f'attachment; filename="{name}.tar"'}
        return StreamingHttpResponse(tarball.stream(), content_type="application/x-tar", headers=headers)


def _number(request):
    """The number from which on the list is shown."""
    text = request.GET.get("before", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else None


def listing(before=None):
    """What was asked for, newest first, and the number at which older ones begin; None if there are none."""
    asked = Export.objects.select_related("asked_by").order_by("-pk")
    if before:
        asked = asked.filter(pk__lt=before)
    page = list(asked[: PAGE + 1])
    casino, tables, reader = Casino.objects.get(), dict(chains()), Reader.in_full()
    anchored = Anchor.objects.newest()
    rows = [
        {
            "id": export.pk,
            "what": _what(export, tables, casino),
            "by": reader.person(export.asked_by),
            "asked": when(export.asked_at.isoformat()),
            "state": _state(export),
            "leaves": export.leaves,
            "written": export.leaves_written,
            "percent": 100 * export.leaves_written // export.leaves if export.leaves else 0,
            "entries": export.entries,
            "took": lasted(export.ended_at - export.asked_at) if export.ended_at else "",
            "failure": export.failure,
            "checkpoint": export.checkpoint_id,
            "size": _size(export),
            "command": exports.verify_command(export),
            "anchored": bool(export.checkpoint_id and anchored and anchored.checkpoint_id >= export.checkpoint_id),
        }
        for export in page[:PAGE]
    ]
    return {
        "rows": rows,
        "older": page[PAGE - 1].pk if len(page) > PAGE else None,
        "newest": not before,
        "running": any(row["state"] in {"waits", "runs"} for row in rows),
    }


def form_of(fields):
    """The form as it was filled in."""
    return {
        "kinds": Export.Kind.choices,
        "tables": [choice for choice in chains() if choice[0] != "house"],
        "fields": {"kind": fields.get("kind", Export.Kind.ALL)}
        | {name: fields.get(name, "")[:80] for name in ("table", "from", "to")},
    }


def arguments_of(fields):
    """What the form asks for, as arguments of `exports.ask`.

    :raises Unclear: if a day is not a date.
    """
    kind = fields.get("kind", "")
    if kind not in Export.Kind.values:
        raise Unclear(WORDING("kind_missing"))
    if kind == Export.Kind.TABLE:
        return {"kind": kind, "table_key": fields.get("table", "")[:40]}
    if kind == Export.Kind.PERIOD:
        first, last = (fields.get(name, "").strip()[:80] for name in ("from", "to"))
        if not first:
            raise Unclear(WORDING("period_missing"))
        from_at, to_at = days(first, last or first)
        return {"kind": kind, "from_at": from_at, "to_at": to_at}
    return {"kind": kind}


def _what(export, tables, casino):
    if export.kind == Export.Kind.TABLE:
        return f"Table {tables.get(export.table_key, export.table_key)}"
    if export.kind == Export.Kind.ALL:
        return "Everything"
    first, last = (
        gaming_day(at, zone=casino.time_zone, starts=casino.day_starts_at)
        for at in (export.from_at, export.to_at - dt.timedelta(microseconds=1))
    )
    return f"Gaming day {first}" if first == last else f"Gaming days {first} to {last}"


def _state(export):
    """One word for the template."""
    if export.status == Export.Status.ASKED:
        return "runs" if export.leaves else "waits"
    if export.status == Export.Status.FAILED:
        return "failed"
    return "done" if exports.folder(export).is_dir() else "gone"


def _size(export):
    """The size of the folder, for people; empty while there is none to take home."""
    if _state(export) != "done":
        return ""
    return spell_bytes(sum(path.stat().st_size for path in exports.folder(export).iterdir() if path.is_file()))


def spell_bytes(count):
    """
    >>> spell_bytes(999), spell_bytes(12_345), spell_bytes(1_500_000), spell_bytes(2_000_000_000)
    ('999 B', '12 kB', '1.5 MB', '2.0 GB')
    """
    if count < 1_000_000:
        return f"{count} B" if count < 1_000 else f"{count // 1_000} kB"
    return f"{count / 1e6:.1f} MB" if count < 1_000_000_000 else f"{count / 1e9:.1f} GB"


def lasted(time):
    """A length of time for people.

    >>> lasted(dt.timedelta(seconds=75)), lasted(dt.timedelta(milliseconds=400)), lasted(dt.timedelta(hours=2))
    ('1 min 15 s', 'under 1 s', '2 h 0 min')
    """
    minutes, seconds = divmod(int(time.total_seconds()), 60)
    if minutes >= 60:
        return f"{minutes // 60} h {minutes % 60} min"
    return f"{minutes} min {seconds} s" if minutes else f"{seconds} s" if seconds else "under 1 s"
