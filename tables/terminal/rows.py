"""The rows from which a terminal's screen is made: few statements, each compiled once and kept."""

from datetime import timedelta

from django.db.models import Case, Count, Exists, F, OuterRef, Q, Subquery, TextField, Value, When
from django.db.models.functions import Cast, Coalesce, Concat, Now

from audit.models import Chain
from casino.models import Casino
from casino.statements import Statement

from ..models import (
    Action,
    Alarm,
    Dispute,
    InForce,
    Intervention,
    Relief,
    Round,
    Scanner,
    Series,
    Session,
    SignOn,
    Slip,
    Table,
    Terminal,
)
from ..people import footing

NOTICE = timedelta(hours=1)
"""So long before its moment the terminal says that a sheet is to come."""
# At most this many rounds are counted, by the numbers of a table's rounds.
MOST_AN_HOUR = 200


def _key(table_id):
    """The name that the log has for a table."""
    return Concat(Value("table:"), Cast(table_id, TextField()))


def _table(table, staff, device):
    here = SignOn.objects.filter(table=OuterRef("pk"))
    in_force = InForce.objects.standing().filter(table=OuterRef("pk"), from_at__lte=Now()).order_by("-from_at")
    standing = InForce.objects.standing().filter(table=OuterRef("pk"))
    to_come = standing.filter(from_at__gt=Now(), from_at__lte=Now() + NOTICE).order_by("from_at")
    rows = Table.objects.filter(pk=table).select_related("chip_set")
    return footing.beside(rows, staff).annotate(
        seq=Subquery(Chain.objects.filter(key=_key(OuterRef("pk"))).values("seq")),
        session_id=Subquery(Session.objects.filter(table=OuterRef("pk"), status=Session.Status.OPEN).values("pk")),
        series_id=Subquery(
            Series.objects.filter(table=OuterRef("pk"), status=Series.Status.OPEN)
            .exclude(session__status=Session.Status.CLOSED)
            .values("pk")
        ),
        sheet_id=Subquery(in_force.values("sheet_id")[:1]),
        place_to_come_id=Subquery(to_come.values("pk")[:1]),
        croupier_id=Subquery(here.filter(signed_off_at=None).values("staff_id")),
        croupier_before_id=Subquery(
            here.filter(signed_off_at__isnull=False).order_by("-signed_off_at").values("staff_id")[:1]
        ),
        relief_staff_id=Subquery(Relief.objects.standing().filter(table=OuterRef("pk")).values("staff_id")),
        call_id=Subquery(
            Alarm.objects.standing().filter(kind=Alarm.Kind.CALL, subject=_key(OuterRef("pk"))).values("pk")
        ),
        slip_id=Subquery(Slip.objects.at_the_croupier(OuterRef("pk")).order_by("pk").values("pk")[:1]),
        # The newest scanner profile of the terminal at which the person stands, for any game.
        scanner_id=Subquery(
            Scanner.objects.filter(terminal__token_digest=device, terminal__revoked_at=None)
            .order_by("-pk")
            .values("pk")[:1]
        ),
        device_table_id=Subquery(Terminal.objects.filter(token_digest=device, revoked_at=None).values("table_id")),
    )


def _latest(table, session, since):
    earlier = Round.objects.filter(table=OuterRef("table"))
    # As the floor counts them: void ones not at all, those from paper when they were played.
    last_hour = (
        earlier.exclude(status=Round.Status.VOIDED)
        .alias(played_at=Coalesce("happened_at", "opened_at"))
        .filter(number__gt=OuterRef("number") - MOST_AN_HOUR, played_at__gt=since)
    )
    of_series = earlier.filter(series=OuterRef("series"), number__lte=OuterRef("number"))
    owing = Round.objects.filter(
        ~Q(pk=OuterRef("pk")),
        session=OuterRef("session"),
        settlement__table_key=_key(OuterRef("table_id")),
        settlement__generation__gt=1,
        settlement__payments__tick=None,
    )
    rounds = Round.objects.filter(table=table, session=session)
    rounds = rounds.select_related("table", "sheet", "settlement", "series").order_by("-number")
    return rounds.annotate(
        # Of the newest round only.
        pace=Case(When(number=F("table__last_number"), then=_count(last_hour))),
        played=_count(of_series.exclude(status=Round.Status.VOIDED)),
        owing=Exists(owing),
        intervened=Exists(Intervention.objects.filter(round=OuterRef("pk"))),
        disputed=Exists(Dispute.objects.filter(round=OuterRef("pk"), status=Dispute.Status.OPEN)),
    )[:2]


def _count(rounds):
    counted = rounds.order_by().values("table_id").annotate(number_of=Count("*"))
    return Coalesce(Subquery(counted.values("number_of")), 0)


TABLE = Statement(_table)
"""A table with all that stands beside it now, and the footing of the person who looks."""
LATEST = Statement(_latest)
"""The newest round of a session and the one before, with how many came before them; `since`: those of the `pace`,
whichever session they were of."""
ACTIONS = Statement(
    lambda rounds: Action.objects.filter(round=rounds.any_of).select_related("terminal").order_by("round", "ordinal")
)
CASINO = Statement(Casino.objects.all)
