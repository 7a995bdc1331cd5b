"""The log in the admin, for the auditor: searched, a round as it was entered, one entry. Each look at it is logged.

The look is written last, before anything is shown, in one transaction with what was read: what can't be logged is not
shown, and the log's chain is locked only for a moment.
"""

from functools import wraps

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import path

from audit import history, inclusion
from audit.models import Entry
from casino.admin import ReadOnlyAdmin
from casino.roles import Right

from ..models import Round
from .entries import entries_of, hidden_of, of_round, proven
from .search import search
from .wording import WORDING


def looks(view):
    """A page that shows entries: only by GET, for readers of the log, and whole in one transaction with its look."""

    @wraps(view)
    def looked(self, request, *arguments, **named):
        if request.method != "GET" or not self.has_view_permission(request):
            raise PermissionDenied
        with transaction.atomic():
            return view(self, request, *arguments, **named)

    return looked


@admin.register(Entry)
class HistoryAdmin(ReadOnlyAdmin):
    """The log: searched, a round as it was entered, one entry."""

    right = Right.READ_LOG
    recorded = False  # its looks have an event of their own

    def get_urls(self):
        def ours(route, view, name):
            return path(route, self.admin_site.admin_view(view), name=f"history_{name}")

        return [
            ours("round/<int:round_id>/", self.round_view, "round"),
            ours("round/<int:round_id>/proof/", self.round_proof_view, "round_proof"),
            ours("<int:pk>/proof/", self.proof_view, "proof"),
            *super().get_urls(),
        ]

    @looks
    def changelist_view(self, request, extra_context=None):
        """The search. A search that can't be understood reads nothing, and its page says so."""
        page, within = search(request.GET)
        query = request.GET.copy()
        query.pop("before", None)
        answer = self._answer(request, "search", "History", page | {"query": query.urlencode()})
        if within is not None:
            history.look(what="entries", by=request.user, within=within)
        return answer

    @looks
    def change_view(self, request, object_id, form_url="", extra_context=None):
        """One entry."""
        entry = self._entry_or_404(object_id)
        page = proven([entry], self._hidden(entry))
        answer = self._answer(request, "entry", f"Entry {entry.seq} of {entry.chain_id}", page | {"entry_id": entry.pk})
        history.look(what=_name(entry), by=request.user)
        return answer

    @looks
    def proof_view(self, request, pk):
        """What proves one entry, as a file."""
        entry = self._entry_or_404(str(pk))
        name = f"entry-{entry.chain_id.replace(':', '-')}-{entry.seq}"
        return self._proof(request, [entry], self._hidden(entry), name, _name(entry))

    @looks
    def round_view(self, request, round_id):
        """A round as it was entered."""
        round_ = _round_or_404(round_id)
        page = of_round(round_)
        answer = self._answer(request, "round", f"Round {round_}", page)
        history.look(what=round_.ref, by=request.user)
        return answer

    @looks
    def round_proof_view(self, request, round_id):
        """What proves all entries of a round, as a file."""
        round_ = _round_or_404(round_id)
        entries = entries_of(round_)
        return self._proof(request, entries, hidden_of(round_, entries), f"round-{round_}", round_.ref)

    def _answer(self, request, name, title, page):
        context = {**self.admin_site.each_context(request), "title": title, "opts": None, "page": page}
        return render(request, f"history/{name}.html", context)

    def _proof(self, request, entries, hidden, name, what):
        document = None if hidden else inclusion.document(entries, inclusion.newest())
        if document is None:
            sentence = WORDING("face_down" if hidden else "unproven")
            return HttpResponse(f"{sentence}\n", status=409, content_type="text/plain; charset=utf-8")
        history.look(what=what, by=request.user)
        disposition = f'attachment; filename="{name}.json"'
        return HttpResponse(document, "application/json", headers={"Content-Disposition": disposition})

    def _entry_or_404(self, key):
        if not (key.isascii() and key.isdigit() and len(key) < 19):
            raise Http404("There is no such entry.")
        return get_object_or_404(Entry, pk=key)

    def _hidden(self, entry):
        """The entry's key if its cards lie face down now."""
        kind, _, number = entry.subject.partition(":")
        if entry.event != "round.acted" or kind != "round" or not number.isdecimal():
            return set()
        round_ = Round.objects.filter(pk=number).select_related("table", "sheet", "series").first()
        return hidden_of(round_, [entry]) if round_ else set()


def _name(entry):
    """How a look names an entry: `table:7/45`."""
    return f"{entry.chain_id}/{entry.seq}"


def _round_or_404(round_id):
    return get_object_or_404(Round.objects.select_related("table", "session", "sheet", "settlement"), pk=round_id)
