"""The pages of a table's sessions: how one stands, the count that opens or closes it, and its closing form, to be
printed and signed.

The count is blind: until both have counted, no page shows what the first one counted, or what should be there.
"""

from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from audit import checkpoints, history, log
from audit.models import Entry, Leaf
from casino import settings_of_house
from casino.models import Casino
from casino.money import spell
from casino.roles import Right
from payouts import ledger
from payouts.models import Account, Movement

from ..models import Case, Round, Session
from ..people import access
from ..verbs import drop_boxes, rulesheets, sessions
from ..words import calls, cases, counting, session_rounds, session_sums, unfinished
from ..words.timeline import Reader
from .wording import WORDING


@require_GET
@never_cache
@login_required
def of_table(request, table_id):
    """The page of the table's open session, or the count that opens it."""
    table = access.table_or_404(request.user, Right.READ_SESSION, table_id)
    running = sessions.running(table)
    if running:
        return redirect("session", running.pk)
    last = table.sessions.order_by("pk").last()
    context = {
        "table": {"id": table.pk, "name": table.name},
        "last": last and {"id": last.pk, "date": _date(last)},
        "opens": request.user.has_perm(Right.RUN_SESSION, table),
        "no_sheet": rulesheets.placed(table) is None,
    }
    return render(request, "session/open.html", {"page": context, "calls": calls.listed(request.user)})


@require_GET
@never_cache
@login_required
def count(request, session_id):
    """The count that opens or closes a table, for whoever may count there; both counts, once both are in."""
    within = access.tables(request.user, Right.COUNT)
    session = Session.objects.filter(pk=session_id, table__in=within).select_related("table__pit", "table__chip_set")
    session = session.first()
    if session is None:
        raise Http404("There is no such session, or it is at a table out of your reach.")
    shown = counting.shown(session, request.user, again=request.GET.get("again") == "1")
    if shown is None:
        return redirect("session", session.pk) if _reads(request.user, session) else redirect("home")
    context = {"page": shown, "here": "floor", "calls": calls.listed(request.user)}
    return render(request, "session/count.html", context)


def _reads(staff, session):
    return staff.has_perm(Right.READ_SESSION, session.table)


@require_GET
@never_cache
@login_required
def page(request, session_id):
    """A session: how it was opened, and the count that closes it; once it is closed, its closing form."""
    within = access.tables(request.user, Right.READ_SESSION)
    people = ("begun_by", "opened_by", "opened_with", "stopped_by", "closed_by", "closed_with")
    session = Session.objects.filter(pk=session_id, table__in=within)
    session = session.select_related("table__pit", "table__chip_set", *people).first()
    if session is None:
        raise Http404("There is no such session, or it is at a table out of your reach.")
    answer = render(
        request, "session/page.html", {"page": _page(session, request.user), "calls": calls.listed(request.user)}
    )
    history.look_at_records(what=session.ref, by=request.user)
    return answer


@require_GET
@never_cache
@login_required
def rounds(request, session_id):
    """The rounds of a session and how they make its win, for whoever reads the floor: it also reveals the float."""
    within = access.tables(request.user, Right.READ_FLOOR)
    session = Session.objects.filter(pk=session_id, table__in=within).select_related("table__pit").first()
    if session is None:
        raise Http404("There is no such session, or it is at a table out of your reach.")
    shown = session_rounds.shown(session, request.user, request.GET.get("page"))
    answer = render(request, "session/rounds.html", {"page": shown, "calls": calls.listed(request.user)})
    history.look_at_records(what=session.ref, by=request.user)
    return answer


def _page(session, staff):
    table, casino = session.table, Casino.objects.get()
    reader = Reader.of(staff)
    is_open, closed = session.status == Session.Status.OPEN, session.status == Session.Status.CLOSED
    runs = staff.has_perm(Right.RUN_SESSION, table)
    refusal = sessions.under_way(session) if is_open and runs else None
    return {
        "id": session.pk,
        "table": {"id": table.pk, "name": table.name, "pit": table.pit.name},
        "house": casino.name,
        "date": _date(session),
        "zone": reader.zone.key,
        "currency": casino.currency,
        "status": "Closing form" if closed else session.get_status_display().capitalize(),
        "open": not closed,
        "facts": _facts(session, reader),
        "under_way": refusal
        and {
            "text": f"{refusal} {refusal.way_out}",
            "round": refusal.detail.get("round"),
            "slip": refusal.detail.get("slip"),
        },
        "drop_box": _drop_box(session) if not closed and runs else None,
        "inherited": _inherited(session, casino) if not closed else [],
        "stops": is_open and runs and not refusal,
        "resumes": runs and session.status == Session.Status.CLOSING,
        "count": _count(session, reader) if staff.has_perm(Right.COUNT, table) else None,
        "closing": _closing(session, reader, casino.currency_decimals) if closed else None,
        "asked": cases.opener(Case.Kind.INVESTIGATION, session, staff),
        "opens_next": closed and runs and sessions.running(table) is None,
        "rounds": staff.has_perm(Right.READ_FLOOR, table),
        "back_office": staff.has_perm(Right.READ_FLOOR, table),
    }


def _drop_box(session):
    """What the pit boss has to do about the drop box: mount one while the table is open, and take it off."""
    hangs = drop_boxes.mounted(session.table)
    if hangs:
        closing = session.status == Session.Status.CLOSING
        words = WORDING("drop_box:closing" if closing else "drop_box", drop_box=hangs)
        return {"words": words, "step": "Take it off", "url": reverse("drop_box", args=[hangs.pk])}
    if session.status != Session.Status.OPEN:
        return None
    return {
        "words": WORDING("drop_box:none"),
        "step": "Mount one",
        "url": reverse("drop-box-new", args=[session.table_id]),
    }


def _inherited(session, casino):
    """What the session before it left and nobody has done since."""
    last = sessions.before(session)
    lines = unfinished.listed(last.unfinished if last else (), lambda units: spell(units, casino.currency_decimals))
    return [line for line in lines if not line["done"]]


def closing_checkpoint(session):
    """The first checkpoint of the log that covers the session's closing; None as long as there is none.

    It is the same whenever the form is printed: on paper, with two signatures, it is an anchor.
    """
    entry = Entry.objects.filter(subject=session.ref, event="session.closed").values("chain", "seq").first()
    leaf = entry and Leaf.objects.filter(**entry).first()
    return leaf and checkpoints.first_over(leaf.index)


def _date(session):
    return f"{session.business_date.day} {session.business_date:%B %Y}"


def _facts(session, reader):
    """The facts that may be shown for an open session, too; what its rounds came to may not."""

    def signed(word, whose, at, *people):
        yield {"label": word, "value": reader.exact(at)}
        yield {"label": whose, "value": " and ".join(reader.person(person) for person in people)}

    facts = [
        {"label": "Business date", "value": _date(session)},
    ]
    if session.opened_at:
        facts += signed("Opened", "Opened by", session.opened_at, session.opened_by, session.opened_with)
    elif session.begun_at:
        facts += signed("Begun", "Begun by", session.begun_at, session.begun_by)
    if session.stopped_at:
        facts += signed("Last round called", "Last round called by", session.stopped_at, session.stopped_by)
    if session.closed_at:
        facts += signed("Closed", "Closed by", session.closed_at, session.closed_by, session.closed_with)
    following = Session.objects.filter(carried_from=session).first()
    for label, other in (("Carried on from", session.carried_from), ("Carried on in", following)):
        if other:
            facts.append({"label": label, "value": f"Session {other.pk}", "session": other.pk})
    played = session.rounds.select_related("table").order_by("number")
    count, void = played.count(), played.filter(status=Round.Status.VOIDED).count()
    facts.append({"label": "Rounds", "value": f"{count}, {void} of them void" if void else str(count)})
    if count:
        facts.append({"label": "First and last", "value": f"{played.first()} to {played.last()}"})
    return facts


def _count(session, reader):
    """How far the count that opens or closes the session is: who has counted; None if nothing is counted."""
    stands = sessions.standing(session)
    if stands is None:
        return None
    opens = session.status == Session.Status.OPENING
    if stands.both:
        words = WORDING("both_counted" if stands.equal else "both_counted:differ")
    elif stands.entered:
        first = reader.person(stands.entered[0].by)
        words = WORDING("opener_counted" if opens else "closer_counted", person=first)
    else:
        words = WORDING("opener_uncounted" if opens else "closer_uncounted")
    return {"words": words, "step": counting.way(stands) or "Count"}


def _closing(session, reader, decimals):
    """The closing form: chips, money, and where its entry stands in the log.

    The win is worked out in two ways, and their difference is the variance.
    """

    def amount(units, *, signed=True):
        return ("+" if signed and units > 0 else "") + spell(units, decimals)

    table, kind = session.table, Movement.Kind
    moved, credits, drop, counted, won = session_sums.of(session)
    late = [round_.ref for round_ in session.rounds.entered_late()]
    papers = ledger.explained_units(table.float_account, *late)
    return {
        "papers": amount(papers) if late else None,
        "unexplained": amount(moved[kind.VARIANCE] - papers),
        "chips": _chips(session, decimals),
        "opener": amount(moved[kind.OPENER], signed=False),
        "closer": amount(moved[kind.CLOSER], signed=False),
        "raked": moved[kind.RAKE] and amount(moved[kind.RAKE], signed=False),
        "money": [
            {"label": "Closer", "amount": amount(moved[kind.CLOSER])},
            {"label": "Drop", "amount": "not counted" if drop is None else amount(drop)},
            {"label": "Credits", "amount": amount(credits)},
            {"label": "Opener", "amount": amount(-moved[kind.OPENER])},
            {"label": "Fills", "amount": amount(-moved[kind.FILL])},
        ],
        "counted": None if counted.units is None else amount(counted.units),
        "grade": counted.grade.value,
        "why": counted.reason,
        "sold": moved[kind.BUY_IN] and amount(moved[kind.BUY_IN], signed=False),
        "won": amount(won),
        "variance": amount(moved[kind.VARIANCE]),
        "marks": list(_marks(session, moved, amount)),
        "case": Case.objects.filter(kind=Case.Kind.VARIANCE, subject=session.ref).first(),
        "rake": _rake(session, moved[kind.RAKE], late, amount),
        "carried": unfinished.listed(session.unfinished, lambda units: spell(units, decimals)),
        "reasons": [
            {"label": label, "text": text}
            for label, text in (("Opener", session.opener_reason), ("Closer", session.closer_reason))
            if text
        ],
        "signers": [reader.person(person) for person in (session.closed_by, session.closed_with)],
        "entry": _entry(session),
        "sealed": _sealed(closing_checkpoint(session)),
    }


def _rake(session, counted, late, amount):
    """The rake as a figure of its own, not part of any win; None if none was taken or found.

    :param late: the rounds from paper that were entered after it was closed.
    """
    table = session.table
    of_session = {"credit": table.pot_account, "account": table.float_account, "subject": session.ref}
    rounds = ledger.settlement_units(debit=table.rake_account, **of_session)
    # The rake of rounds from before the table had a rake slot that is counted.
    before = ledger.settlement_units(debit=Account.objects.get(kind=Account.Kind.RAKE, owner="house"), **of_session)
    variance = ledger.rake_variance(session.ref)
    rows = [
        ("Rake by the rounds", rounds, "rounds"),
        ("Rake counted", counted, "counted"),
        ("Rake variance", variance, "variance"),
    ]
    if papers := ledger.explained_units(table.rake_account, *late):
        rows += [
            ("Of which from paper", papers, "from-paper"),
            ("Rake variance left", variance - papers, "unexplained"),
        ]
    if not (rounds or counted or variance or papers):
        rows = []
    if before:
        rows.append(("Rake of before, not counted", before, "before"))
    return [{"label": label, "amount": amount(units), "name": name} for label, units, name in rows]


def _marks(session, moved, amount):
    """Differences above what the house let pass, by the settings at the moment of counting."""
    variance, opener = moved[Movement.Kind.VARIANCE], moved[Movement.Kind.OPENER]
    bound = settings_of_house.value("closer_variance_units", at=session.closed_at)
    if abs(variance) > bound:
        yield WORDING("mark:variance", amount=amount(variance), bound=amount(bound, signed=False))
    rake = ledger.rake_variance(session.ref)
    if abs(rake) > bound:
        yield WORDING("mark:rake", amount=amount(rake), bound=amount(bound, signed=False))
    before = session.table.sessions.filter(pk__lt=session.pk).order_by("pk").last()
    differs = opener - ledger.movement_units(before.ref)[Movement.Kind.CLOSER] if before else 0
    bound = settings_of_house.value("opener_variance_units", at=session.opened_at)
    if abs(differs) > bound:
        yield WORDING("mark:opener", amount=amount(differs), bound=amount(bound, signed=False))


def _chips(session, decimals):
    """How many of each chip the table was opened and closed with, and how many lay in its rake slot."""
    kinds = [Movement.Kind.OPENER, Movement.Kind.CLOSER, Movement.Kind.RAKE]
    movements = Movement.objects.filter(subject=session.ref, kind__in=kinds)
    counts = {movement.kind: movement.denominations for movement in movements}
    return [
        {
            "value": spell(units, decimals),
            "opener": counts.get(Movement.Kind.OPENER, {}).get(str(units), 0),
            "closer": counts.get(Movement.Kind.CLOSER, {}).get(str(units), 0),
            "rake": counts.get(Movement.Kind.RAKE, {}).get(str(units), 0),
        }
        for units in session.table.chip_set.denominations
    ]


def _entry(session):
    """The entry of the closing: the head of the table's chain when it was written."""
    entry = Entry.objects.get(subject=session.ref, event="session.closed")
    return {"seq": entry.seq, "chain": entry.chain_id, "digest": grouped(log.digest(entry.body))}


def _sealed(checkpoint):
    """A checkpoint for people to compare: up to which entry it goes, and the root's digits."""
    return checkpoint and {"size": checkpoint.size, "root": grouped(checkpoint.root.hex())}


def grouped(digits):
    """Digits in groups of four, as people read them to each other.

    >>> grouped("dd4a2e115071")
    'dd4a 2e11 5071'
    """
    return " ".join(digits[at : at + 4] for at in range(0, len(digits), 4))
