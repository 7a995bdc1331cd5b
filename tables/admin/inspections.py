"""Inspections in the admin: how far the house has looked through itself, what it found, and who accepted that."""

import datetime as dt

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.views.decorators.http import require_POST

from audit import inspections
from audit.models import Finding, Inspection
from casino.admin import ReadOnlyAdmin
from casino.errors import Refused
from casino.roles import Right

from ..words.timeline import Reader
from .entries import when
from .exports import lasted

# At most this many findings stand on the page; those that wait come first.
SHOWN = 100
LAST = 10


@admin.register(Inspection)
class InspectionAdmin(ReadOnlyAdmin):
    """What was looked through and when, and each difference that was named."""

    right = Right.INSPECT
    recorded = False
    fields = readonly_fields = (
        "kind", "asked_by", "hurried", "begun_at", "plan", "place", "after", "counts", "ended_at",
    )  # fmt: skip

    def get_urls(self):
        view = self.admin_site.admin_view
        return [
            path("now/", view(require_POST(self.now_view)), name="inspection_now"),
            path("accept/", view(require_POST(self.accept_view)), name="inspection_accept"),
            *super().get_urls(),
        ]

    def changelist_view(self, request, extra_context=None):
        """How the inspections stand, with their buttons."""
        if request.method != "GET" or not self.has_view_permission(request):
            raise PermissionDenied
        return self._page(request)

    def now_view(self, request):
        """Inspect everything and the books now, as fast as the worker can."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        with transaction.atomic():
            inspections.ask(by=request.user)
        return redirect("admin:audit_inspection_changelist")

    def accept_view(self, request):
        """A person accepts some differences as known."""
        if not request.user.has_perm(Right.ACCEPT_FINDING):
            raise PermissionDenied
        chosen = [int(text) for text in request.POST.getlist("finding") if text.isascii() and text.isdigit()]
        try:
            with transaction.atomic():
                inspections.accept(findings=chosen[:SHOWN], reason=request.POST.get("reason", ""), by=request.user)
        except Refused as error:
            return self._page(request, f"{error.message} {error.way_out}")
        return redirect("admin:audit_inspection_changelist")

    def _page(self, request, problem=""):
        context = {
            "title": "Inspections",
            "opts": None,
            "page": overview(),
            "problem": problem,
            "may_accept": request.user.has_perm(Right.ACCEPT_FINDING),
        }
        status = 400 if problem else 200
        context = {**self.admin_site.each_context(request), **context}
        return render(request, "inspections/page.html", context, status=status)


def summary():
    """How the inspections stand, for the first page."""
    state = inspections.stand()
    running = next((each for each in inspections.under_way() if each.kind == Inspection.Kind.ALL), None)
    return {
        "ok": state["ok"],
        "state": state["state"],
        "open": state["open"],
        "last": state["last"] and _row(state["last"]),
        "books": state["books"] and _row(state["books"]),
        "running": running and _row(running),
    }


def overview():
    """The page: how it stands, the newest inspections, and the findings, those that wait for somebody first."""
    reader = Reader.in_full()
    findings = Finding.objects.select_related("accepted_by", "inspection").defer("salt")
    waiting = list(findings.open().order_by("pk")[:SHOWN])
    accepted = list(findings.filter(accepted_at__isnull=False).order_by("-accepted_at")[: SHOWN - len(waiting)])
    return summary() | {
        "rows": [_row(each) for each in Inspection.objects.select_related("asked_by").order_by("-pk")[:LAST]],
        "waiting": [_finding(each, reader) for each in waiting],
        "accepted": [_finding(each, reader) for each in accepted],
        "hours": inspections.settings.INSPECTION_HOURS,
    }


def _row(inspection):
    parts = {part.name: part for part in inspections.parts(inspection.kind)}
    ended = inspection.ended_at
    return {
        "id": inspection.pk,
        "what": inspection.get_kind_display(),
        "by": Reader.in_full().person(inspection.asked_by) if inspection.asked_by else "",
        "hurried": inspection.hurried,
        "begun": when(inspection.begun_at.isoformat()),
        "ended": ended and when(ended.isoformat()),
        "ago": ended and lasted(max(timezone.now() - ended, dt.timedelta())),
        "took": ended and lasted(ended - inspection.begun_at),
        "percent": min(100, int(100 * inspections.share(inspection))),
        # A part that this program no longer has is shown by its name.
        "counts": [
            parts[name].counted(count) if name in parts else f"{count} {name}"
            for name, count in inspection.counts.items()
            if count
        ],
        "entries": inspection.counts.get("entries", 0),
        "rounds": inspection.counts.get("rounds", 0),
    }


def _finding(finding, reader):
    return {
        "id": finding.pk,
        "subject": finding.subject,
        "what": finding.what,
        "sentence": finding.sentence,
        "named": when(finding.named_at.isoformat()),
        "inspection": finding.inspection_id,
        "accepted": finding.accepted_at and when(finding.accepted_at.isoformat()),
        "by": finding.accepted_by and reader.person(finding.accepted_by),
        "reason": finding.reason,
    }
