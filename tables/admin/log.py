"""The doors to the log in the admin, for the auditor: its history, and exports. Each look at entries is logged.

The look is written last before anything is shown, in one transaction with what was read: what can't be logged is not
shown, and the log's chain is locked for a moment only.
"""

from functools import wraps

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path

from audit import exports, history, inclusion
from audit.models import Entry, Export
from audit.tarball import Tarball
from casino.admin import ReadOnlyAdmin
from casino.errors import Refused
from casino.roles import Verb

from ..models import Round
from . import exports as exports_page
from . import history as history_page
from . import search as history_search


def looks(view):
    """A page that shows entries: by GET alone, for who may read the log, and whole in one transaction with its look."""

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

    verb = Verb.READ_LOG

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
        """The search. One that can't be understood reads nothing, and is told so."""
        page, told = history_search.search(request.GET)
        query = request.GET.copy()
        query.pop("before", None)
        shown = self._shown(request, "search", "History", page | {"query": query.urlencode()})
        if told is not None:
            history.look(what="entries", by=request.user, within=told)
        return shown

    @looks
    def change_view(self, request, object_id, form_url="", extra_context=None):
        """One entry."""
        entry = self._entry_or_404(object_id)
        page = history_page.proven([entry], self._hidden(entry))
        shown = self._shown(request, "entry", f"Entry {entry.seq} of {entry.chain_id}", page | {"entry_id": entry.pk})
        history.look(what=_name(entry), by=request.user)
        return shown

    @looks
    def proof_view(self, request, pk):
        """What proves one entry, as a file."""
        entry = self._entry_or_404(str(pk))
        name = f"entry-{entry.chain_id.replace(':', '-')}-{entry.seq}"
        return self._proof(request, [entry], self._hidden(entry), name, _name(entry))

    @looks
    def round_view(self, request, round_id):
        """A round as it was entered."""
        shown = _round_or_404(round_id)
        page = history_page.of_round(shown)
        answer = self._shown(request, "round", f"Round {shown}", page)
        history.look(what=shown.ref, by=request.user)
        return answer

    @looks
    def round_proof_view(self, request, round_id):
        """What proves all entries of a round, as a file."""
        shown = _round_or_404(round_id)
        entries = history_page.entries_of(shown)
        return self._proof(request, entries, history_page.hidden_of(shown, entries), f"round-{shown}", shown.ref)

    def _shown(self, request, name, title, page):
        context = {**self.admin_site.each_context(request), "title": title, "opts": None, "page": page}
        return render(request, f"history/{name}.html", context)

    def _proof(self, request, entries, hidden, name, what):
        told = None if hidden else inclusion.document(entries, inclusion.newest())
        if told is None:
            sentence = history_page.FACE_DOWN if hidden else "Not each of these entries is proven; its page says why."
            return HttpResponse(f"{sentence}\n", status=409, content_type="text/plain; charset=utf-8")
        history.look(what=what, by=request.user)
        disposition = f'attachment; filename="{name}.json"'
        return HttpResponse(told, "application/json", headers={"Content-Disposition": disposition})

    def _entry_or_404(self, key):
        if not (key.isascii() and key.isdigit() and len(key) < 19):
            raise Http404("There is no such entry.")
        return get_object_or_404(Entry, pk=key)

    def _hidden(self, entry):
        """The entry's key if its cards lie face down now."""
        kind, _, number = entry.subject.partition(":")
        if entry.event != "round.acted" or kind != "round" or not number.isdecimal():
            return set()
        shown = Round.objects.filter(pk=number).select_related("table", "sheet", "series").first()
        return history_page.hidden_of(shown, [entry]) if shown else set()


@admin.register(Export)
class ExportAdmin(ReadOnlyAdmin):
    """Exports: asked for, on their way with a bar, done and downloaded."""

    verb = Verb.EXPORT_LOG
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
        form = exports_page.form(request.POST)
        if request.method == "POST":
            try:
                with transaction.atomic():
                    exports.ask(**exports_page.asked(request.POST), by=request.user)
                return redirect("admin:audit_export_changelist")
            except history_search.Unclear as error:
                form["problem"] = str(error)
            except Refused as error:
                form["problem"] = f"{error.message} {error.way_out}"
        context = {"title": "Exports", "opts": None, "form": form, "page": exports_page.rows(_number(request))}
        status = 400 if form.get("problem") else 200
        return render(request, "exports/page.html", {**self.admin_site.each_context(request), **context}, status=status)

    def rows_view(self, request):
        """The list alone, as the page asks for it again while something is on its way."""
        if request.method != "GET" or not self.has_view_permission(request):
            raise PermissionDenied
        return render(request, "exports/_rows.html", {"page": exports_page.rows(_number(request))})

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
    """From where on the list is shown."""
    text = request.GET.get("before", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else None


def _name(entry):
    """How a look names an entry: `table:7/45`."""
    return f"{entry.chain_id}/{entry.seq}"


def _round_or_404(round_id):
    return get_object_or_404(Round.objects.select_related("table", "session", "sheet", "settlement"), pk=round_id)
