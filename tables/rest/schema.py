"""What REST's bodies and answers look like, for OpenAPI; made from the core's own types where its values are sent."""

import json
import re
import types
import typing
from pathlib import Path

from django.conf import settings

from casino.games import registry
from casino.games.game import Offer, Slot, View
from casino.games.split.sheet import PAID_CATEGORIES
from casino.roles import Role
from payouts.models import EdgeResult

from ..models import (
    Alarm,
    CageShift,
    Case,
    Dispute,
    DropBox,
    GamingDay,
    Intervention,
    Question,
    ReportFile,
    Round,
    RuleSheet,
    Session,
    Slip,
)
from ..models.cases import VIDEO
from ..models.drop_boxes import PRINTED
from ..verbs import counts, disputes, figures
from ..verbs.floor import State
from ..verbs.results import Paid

STATUSES = Round.Status.values
_GAMES = sorted(registry.GAMES)
_PHASES = sorted({phase for game in registry.GAMES.values() for phase in game.phases})
_KINDS = sorted({kind for game in registry.GAMES.values() for kind in game.actions})
_PLAIN = {int: {"type": "integer"}, str: {"type": "string"}, bool: {"type": "boolean"}, type(None): {"type": "null"}}
EXAMPLES = Path(__file__).with_name("examples.jsonl")


def _ref(name):
    return {"$ref": f"#/components/schemas/{name}"}


def _object(description, /, **properties):
    """An object with these fields, all of them and no other."""
    return {
        "type": "object",
        "description": description,
        "required": list(properties),
        "additionalProperties": False,
        "properties": properties,
    }


def _par():
    """A PAR sheet by its parts; its edition decides the form of each."""
    parts = "identity rules wagers combinations risk volatility strategy sensitivity bands method signatures"
    one, some = {"type": "object"}, {"type": "array", "items": {"type": "object"}}
    return _object(
        "Twelve parts.",
        document={"const": "par"},
        edition={"type": "integer", "minimum": 1},
        assumptions=some,
        **dict.fromkeys(parts.split(), one),
    )


def _or_null(schema):
    return {"anyOf": [schema, {"type": "null"}]}


def _list(items):
    return {"type": "array", "items": items}


def _of(hint):
    """The schema of a value with this type; a named tuple's stands among the components.

    >>> _of(tuple[int, ...]), _of(str | None)
    ({'type': 'array', 'items': {'type': 'integer'}}, {'anyOf': [{'type': 'string'}, {'type': 'null'}]})
    """
    if hint in _PLAIN:
        return _PLAIN[hint]
    if hint is list:
        return _list({"type": "string"})
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Literal:
        return {"enum": list(inner)}
    if origin is tuple:
        return _list(_of(inner[0]))
    if origin in {types.UnionType, typing.Union}:
        return {"anyOf": [_of(one) for one in inner]}
    if hasattr(hint, "_fields"):
        return _ref(hint.__name__)
    return {}


def _tuples(*kinds):
    """The components of named tuples and of all named tuples within them."""
    components = {}
    for kind in kinds:
        hints = typing.get_type_hints(kind)
        components[kind.__name__] = _object(
            " ".join(kind.__doc__.split()), **{name: _of(hints[name]) for name in hints}
        )
        for hint in hints.values():
            inner = [one for one in (hint, *typing.get_args(hint)) if hasattr(one, "_fields")]
            components |= _tuples(*(one for one in inner if one.__name__ not in components))
    return components


ID = {"type": "integer", "minimum": 1}
COUNT = {"type": "integer", "minimum": 0}
TEXT = {"type": "string"}
MOMENT = {"type": "string", "format": "date-time"}
DIGEST = {"type": "string", "pattern": "^[0-9a-f]{64}$", "description": "SHA-256 of the rule sheet's canonical text."}
_SHA_256 = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
CLAUSE = {"type": "string", "pattern": "^[a-z]+\\.[0-9]+$"}
STAFF = {"type": "string", "pattern": "^staff:[0-9]+$"}
STAFF_OR_SYSTEM = {"type": "string", "pattern": "^(staff:[0-9]+|system)$"}
TERMINAL_NAME = {"type": "string", "pattern": "^[A-Za-z0-9][A-Za-z0-9-]{0,19}$"}
_PRINTED = {"type": "string", "pattern": PRINTED}

_CODES = {
    "type": "object",
    "description": "By the card, as Td: what the scanner types for it.",
    "additionalProperties": {"type": "string", "minLength": 1, "maxLength": 20},
}

_CHIPS = {
    "type": "object",
    "description": "Each value in the smallest unit, of a chip or in a drop box of a note or coin, to how many there"
    " are; what is not named is not there.",
    "additionalProperties": {"type": "integer", "minimum": 0, "maximum": counts.MOST_CHIPS},
}

_GRADE = {"enum": ["FINAL", "ESTIMATE"]}
_DAY = {
    "id": ID,
    "date": {"type": "string", "format": "date"},
    "status": {"enum": GamingDay.Status.values},
    "closed_by": _or_null(STAFF),
    "closed_with": _or_null(STAFF),
    "closed_at": _or_null(MOMENT),
    "digest": _or_null({"type": "string", "pattern": "^[0-9a-f]{64}$"}),
}

COMPONENTS = _tuples(View, Offer, Slot, Paid) | {
    "Arguments": {
        "type": "object",
        "description": "By the names of the fields of an offer in `legal`: amounts in the smallest unit, cards as Td."
        " In `actions` a card that lies face down as long as the round is open is `?`.",
        "additionalProperties": {"anyOf": [{"type": "integer"}, TEXT, {"type": ["boolean", "null"]}, _list(TEXT)]},
    },
    "Signature": {
        "type": "object",
        "description": "A second person's login, with their password or what their passkey made of this command; nobody"
        " is logged in by it. The passkey's challenge is the SHA-256 of the command as canonical JSON (keys sorted, no"
        " blanks, NFC): `method`, `path`, `key`, `requester`, and `body` without the signature, where each field that"
        ' `GET /api/v1/passkeys/` calls a text stands as `{"sha256": ...}` of its salt and itself.',
        "required": ["login"],
        "additionalProperties": False,
        "properties": {
            "login": TEXT,
            "password": {"type": "string", "format": "password"},
            "passkey": {"type": "string", "description": "The assertion (WebAuthn), as JSON."},
            "salts": {
                "type": "object",
                "description": "The salt of each text: 32 hexadecimal digits.",
                "additionalProperties": {"type": "string", "pattern": "^[0-9a-f]{32}$"},
            },
        },
    },
    "Passkeys": _object(
        "What a browser needs to have a person sign: `host` is null where it offers no passkeys, `handles` are those of"
        " the person, `requester` is who asks, `texts` are the fields that are signed as hashes.",
        host=_or_null(TEXT),
        handles=_list(TEXT),
        requester=TEXT,
        texts=_list(TEXT),
    ),
    "Change": {
        "type": "object",
        "description": "A value of the round's line by the path of a slot, or one card deeper; null takes it out.",
        "required": ["path"],
        "additionalProperties": False,
        "properties": {"path": TEXT, "value": {}},
    },
    "Table": _object(
        "A table. `sheet` is the rule sheet in force, `chips` its denominations in the smallest unit.",
        id=ID,
        code={"type": "string", "pattern": "^[A-Z][A-Z0-9]*$"},
        name=TEXT,
        pit=TEXT,
        game=_or_null({"enum": _GAMES}),
        sheet=_or_null(DIGEST),
        chips=_list(ID),
        open_round=_or_null(ID),
    ),
    "Tables": _object("The tables within reach, by code.", tables=_list(_ref("Table"))),
    "Round": _object(
        "A round as it is now. `version` is the number of entries in `actions`, `line` that of its complete lines. One"
        " that was played on paper says when it `happened_at`, on which `paper`, and who entered it as the second.",
        id=ID,
        number={"type": "string", "pattern": "^[A-Z][A-Z0-9]*-[0-9]{5,}$"},
        table=ID,
        game={"enum": _GAMES},
        status={"enum": STATUSES},
        phase={"enum": _PHASES},
        version=COUNT,
        line=COUNT,
        hold=_or_null(_ref("Hold")),
        sheet=DIGEST,
        opened_at=MOMENT,
        opened_by=STAFF,
        happened_at=_or_null(MOMENT),
        paper=_or_null(TEXT),
        opened_with=_or_null(STAFF),
        closed_at=_or_null(MOMENT),
        settled_at=_or_null(MOMENT),
        view=_ref("View"),
        legal=_list(_ref("Offer")),
        actions=_list(_ref("Action")),
        interventions=_list(_ref("Intervention")),
        slots=_list(_ref("Slot")),
        result=_or_null(_ref("Result")),
    ),
    "Brief": _object(
        "In the place of a round, if `Prefer: return=minimal` was sent: what it takes to go on.", id=ID, version=COUNT
    ),
    "Series": _object(
        "A series that was broken off: who sat in it, and how many rounds there were.",
        id=ID,
        table=ID,
        seats=_list(ID),
        rounds=COUNT,
    ),
    "Hold": _object(
        "Why a round is held, and by which intervention; without a clause the system holds it.",
        ordinal=ID,
        clause=_or_null(CLAUSE),
        box=_or_null(ID),
        at=MOMENT,
        by=STAFF_OR_SYSTEM,
    ),
    "Action": _object(
        "An entry. `undoes` is the entry that it takes back or, of another kind than `undo`, stands in the place of.",
        ordinal=ID,
        phase={"enum": _PHASES},
        kind={"enum": [*_KINDS, "undo"]},
        box=_or_null(ID),
        arguments=_ref("Arguments"),
        by=STAFF,
        approved_by=_or_null(STAFF),
        terminal=_or_null(TERMINAL_NAME),
        at=MOMENT,
        undoes=_or_null(ID),
        undone={"type": "boolean"},
    ),
    "Intervention": _object(
        "Somebody stepped into the course of the round.",
        ordinal=ID,
        kind={"enum": Intervention.Kind.values},
        clause=_or_null(CLAUSE),
        box=_or_null(ID),
        reason=TEXT,
        by=STAFF_OR_SYSTEM,
        approved_by=_or_null(STAFF),
        terminal=_or_null(TERMINAL_NAME),
        at=MOMENT,
    ),
    "Result": _object(
        "The newest generation of a settled round.",
        generation=ID,
        payments=_list(_ref("Paid")),
        explanation=_list(_ref("Reason")),
    ),
    "Reason": _object(
        "One step of an explanation.", box={"type": ["integer", "string", "null"]}, clause=CLAUSE, text=TEXT
    ),
    "Dispute": _object(
        "A contested round. No `boxes`: the whole table. `line` is what the ruling made, `generation` the newest, and"
        " `to_hand_over` what it leaves to be handed over, or below 0 collected; RULED until that is ticked. `case` is"
        " its case, which has its number, owner and time; null of a dispute of before.",
        id=ID,
        case=_or_null(ID),
        round=ID,
        number={"type": "string", "pattern": "^[A-Z][A-Z0-9]*-[0-9]{5,}$"},
        table=ID,
        status={"enum": Dispute.Status.values},
        about={"anyOf": [CLAUSE, {"enum": list(disputes.ABOUT)}]},
        boxes=_list(ID),
        statement=TEXT,
        raised_by=STAFF,
        terminal=_or_null(TERMINAL_NAME),
        raised_at=MOMENT,
        ruling=_or_null({"enum": Dispute.Ruling.values}),
        clause=_or_null(CLAUSE),
        reason=TEXT,
        ruled_by=_or_null(STAFF),
        approved_by=_or_null(STAFF),
        ruled_at=_or_null(MOMENT),
        line=_or_null(ID),
        generation=_or_null(ID),
        to_hand_over=_list(_ref("HandOver")),
        closed_at=_or_null(MOMENT),
    ),
    "Alarm": _object(
        "A call for the pit boss of a table, which stands until somebody has taken it and says that it is over;"
        " `reason` is what for, null for calls from before there were reasons. Or an alarm, which stands as long as"
        " its reason: `value` is what was measured when it was raised, `limit` what it may be: minutes on the way for"
        " `slip_late`, since its opening for `case_late` and `round_long`, and since the last break for `break_due`,"
        " hours for `drop_box_overdue`, seconds for `settlement_late` and `seal_late`, tries for `settlement_retried`,"
        " rounds of the last hour for `pace`, percent for `float_low`, `void_rate` and `correction_rate`, differences"
        " for `log_damaged`, wrong passwords for `lock_out`, honest table-years for `luck`, and units for"
        " `opener_variance`, `closer_variance`, `drop_variance` and `large_cash`. These four, `luck`, `drop_box_seal`"
        " and `drop_box_swapped` are over when somebody takes them. `table` is null for what is of the house:"
        " `seal_late`, `log_damaged`, `lock_out`.",
        id=ID,
        kind={"enum": Alarm.Kind.values},
        of=TEXT,
        table=_or_null(ID),
        raised_at=MOMENT,
        reason=_or_null({"enum": Alarm.Reason.values}),
        value=_or_null({"type": "integer"}),
        limit=_or_null({"type": "integer"}),
        raised_by=_or_null(STAFF),
        taken_by=_or_null(STAFF),
        taken_at=_or_null(MOMENT),
        word=TEXT,
        over_at=_or_null(MOMENT),
    ),
    "Alarms": _object("Calls and alarms, in the order that the address says.", alarms=_list(_ref("Alarm"))),
    "Floor": _object("The tables within reach as they stand at a moment.", at=MOMENT, tables=_list(_ref("Place"))),
    "PlaceDay": _object(
        "What a table won on the gaming day of its newest session, with the worst grade of its sessions: over those of"
        " which that is known, null where it is of none. The newest session is the last.",
        win=_or_null({"type": "integer"}),
        grade=_GRADE,
        sessions=_list(_ref("PlaceSession")),
    ),
    "PlaceSession": _object(
        "A session with what it won, or why nobody knows.",
        session=ID,
        win=_or_null({"type": "integer"}),
        grade=_GRADE,
        why=_or_null(TEXT),
    ),
    "Place": _object(
        "A table as it stands now. `win` is what its newest session won: FINAL once all of it is counted, an ESTIMATE"
        " while it is open, which is the net of the rounds that are settled, or null, and `why` says why. `since` is"
        " when the state began. `float` and `rake` are null while somebody counts or nobody plays.",
        table=ID,
        name=TEXT,
        pit=ID,
        game=_or_null(TEXT),
        state={"enum": [state.value for state in State]},
        since=_or_null(MOMENT),
        session=_or_null(ID),
        dealer=_or_null(STAFF),
        dealer_since=_or_null(MOMENT),
        round=_or_null(ID),
        number=COUNT,
        boxes=COUNT,
        rounds_last_hour=COUNT,
        win=_or_null({"type": "integer"}),
        grade=_GRADE,
        why=_or_null(TEXT),
        day=_ref("PlaceDay"),
        rake=_or_null({"type": "integer"}),
        float=_or_null({"type": "integer"}),
        slips=_list(ID),
        disputes=_list(ID),
        cases=_list(ID),
    ),
    "Case": _object(
        "What has to be cleared up: a variance, `units` counted less than should have been there, or more, of a session"
        " that closed (V) or of a drop (DV); or, without units, a dispute (D), and what a person opened: about a void"
        " round (VO), or a session, an investigation (I). `question` says what is to be found out there, and is empty"
        " elsewhere. Its owner has until `due_at`; `outcome` says whether the cause was found, or how the dispute was"
        " ruled. `video` is the reference of a recording.",
        id=ID,
        number={"type": "string", "pattern": "^(V|DV|D|VO|I)-[0-9]{4}-[0-9]{6,}$"},
        kind={"enum": Case.Kind.values},
        of=TEXT,
        table=ID,
        units=_or_null({"type": "integer"}),
        question=TEXT,
        status={"enum": Case.Status.values},
        owner=STAFF,
        opened_at=MOMENT,
        due_at=MOMENT,
        video={"type": "string", "pattern": f"^{VIDEO}$"},
        outcome=_or_null({"enum": Case.Outcome.values}),
        reason=TEXT,
        decided_by=_or_null(STAFF),
        approved_by=_or_null(STAFF),
        decided_at=_or_null(MOMENT),
    ),
    "Cases": _object(
        "The cases that wait, the first one due first, and after them what was decided last.", cases=_list(_ref("Case"))
    ),
    "CaseFile": _object(
        "The file of a case as it was made, a PDF: where its bytes are, `digest`, their SHA-256, and the `size` of"
        " the log that it has proofs of, null where nothing of it was sealed.",
        id=ID,
        at=TEXT,
        digest={"type": "string", "pattern": "^[0-9a-f]{64}$"},
        size=_or_null({"type": "integer", "minimum": 1}),
        made_by=STAFF,
        made_at=MOMENT,
    ),
    "CaseFiles": _object(
        "The files of a case, the newest first; at `now` lies its file as it is, which is made and kept when it is"
        " asked for.",
        now=TEXT,
        files=_list(_ref("CaseFile")),
    ),
    "HandOver": _object("What a box gets, or below 0 gives back.", box=ID, units={"type": "integer"}),
    "Session": _object(
        "A table from opener to closer, `carried_from` the session before it and `carried_to` the next one where chips"
        " and people stayed. Once it is closed, `variance` is what was counted less what the rounds left,"
        " `rake` what was counted in the rake slot and `rake_variance` that less what the rounds left there.",
        id=ID,
        table=ID,
        status={"enum": Session.Status.values},
        business_date={"type": "string", "format": "date"},
        begun_at=_or_null(MOMENT),
        begun_by=_or_null(STAFF),
        opened_at=_or_null(MOMENT),
        opened_by=_or_null(STAFF),
        opened_with=_or_null(STAFF),
        stopped_at=_or_null(MOMENT),
        stopped_by=_or_null(STAFF),
        closed_at=_or_null(MOMENT),
        closed_by=_or_null(STAFF),
        closed_with=_or_null(STAFF),
        carried_from=_or_null(ID),
        carried_to=_or_null(ID),
        variance=_or_null({"type": "integer"}),
        rake=_or_null({"type": "integer"}),
        rake_variance=_or_null({"type": "integer"}),
        count=_or_null(_ref("SessionCount")),
    ),
    "SessionCount": _object(
        "What is counted to open or to close a table, of the cage or of a drop box: the counts of the last attempt."
        " `equal`, and what is `expected` to be there, are told when both have counted; at a table's first opener"
        " nothing is expected. `rake` are the counts of the rake slot, with those of the closer where rake moved;"
        " `asks_rake` says whether whoever counts next counts it too.",
        part={"enum": ["opener", "closer", "cage", "drop", "tips"]},
        counts=_list(_ref("Count")),
        rake=_list(_ref("Count")),
        asks_rake={"type": "boolean"},
        equal=_or_null({"type": "boolean"}),
        expected=_or_null({"type": "integer"}),
        expected_rake=_or_null({"type": "integer"}),
    ),
    "Cage": _object(
        "The cage: its open shift, and the chips in circulation; null for who may count it and has not yet.",
        shift=_or_null(_ref("CageShift")),
        circulation=_or_null(_ref("Circulation")),
    ),
    "Circulation": _object(
        "Chips in patrons' hands: those that were `issued`, less those in the cage, in the tables' floats, on their way"
        " and in the rake. `units` is null where the house has not said how many it issued.",
        units=_or_null({"type": "integer"}),
        issued=_or_null({"type": "integer"}),
        cage={"type": "integer"},
        floats={"type": "integer"},
        transit={"type": "integer"},
        rake={"type": "integer"},
    ),
    "CageShift": _object(
        "A shift of the cage. `issued`, `withdrawn`, `sold` and `cashed` are its totals, null for who may only count."
        " What was counted, `expected` and `variance` are told once it is closed.",
        id=ID,
        status={"enum": CageShift.Status.values},
        business_date={"type": "string", "format": "date"},
        opened_at=MOMENT,
        opened_by=STAFF,
        closed_at=_or_null(MOMENT),
        closed_by=_or_null(STAFF),
        closed_with=_or_null(STAFF),
        issued=_or_null(COUNT),
        withdrawn=_or_null(COUNT),
        sold=_or_null(COUNT),
        cashed=_or_null(COUNT),
        denominations=_or_null(_CHIPS),
        expected=_or_null({"type": "integer"}),
        variance=_or_null({"type": "integer"}),
        reason=TEXT,
        count=_or_null(_ref("SessionCount")),
    ),
    "Slip": _object(
        "Chips between cage and table: a fill, a credit or a change, of which `exchanged` is what the table gives."
        " `counts` are those of the last attempt, told when both people have counted.",
        id=ID,
        kind={"enum": Slip.Kind.values},
        number={"type": "string", "pattern": "^[FCX]-[0-9]{4}-[0-9]{6,}$"},
        table=ID,
        session=ID,
        status={"enum": Slip.Status.values},
        denominations=_CHIPS,
        exchanged=_or_null(_CHIPS),
        units=ID,
        requested_by=STAFF,
        issued_by=_or_null(STAFF),
        carried_by=_or_null(STAFF),
        received_by=_or_null(STAFF),
        received_with=_or_null(STAFF),
        voided_by=_or_null(STAFF),
        approved_by=_or_null(STAFF),
        requested_at=MOMENT,
        issued_at=_or_null(MOMENT),
        received_at=_or_null(MOMENT),
        voided_at=_or_null(MOMENT),
        reason=TEXT,
        prints=COUNT,
        counts=_list(_ref("Count")),
    ),
    "Slips": _object("A table's slips, the newest first.", slips=_list(_ref("Slip"))),
    "DropBox": _object(
        "A drop box from its mounting on. Its `seal` is told once it is taken off, and `removed_seal` is the one that"
        " it had then. Once it is counted `cash` is what was in it, `recorded` what its buy-ins come to, and `variance`"
        " `cash` less that.",
        id=ID,
        number=_PRINTED,
        table=ID,
        session=ID,
        business_date={"type": "string", "format": "date"},
        status={"enum": DropBox.Status.values},
        seal=_or_null(_PRINTED),
        removed_seal=_or_null(_PRINTED),
        mounted_by=STAFF,
        mounted_with=STAFF,
        removed_by=_or_null(STAFF),
        removed_with=_or_null(STAFF),
        counted_by=_or_null(STAFF),
        counted_with=_or_null(STAFF),
        mounted_at=MOMENT,
        removed_at=_or_null(MOMENT),
        counted_at=_or_null(MOMENT),
        cash=_or_null(COUNT),
        recorded=_or_null(COUNT),
        variance=_or_null({"type": "integer"}),
        reason=TEXT,
        count=_or_null(_ref("SessionCount")),
    ),
    "DropBoxes": _object("Drop boxes, the oldest first.", drop_boxes=_list(_ref("DropBox"))),
    "GamingDayBrief": _object("A gaming day, open or closed by two people.", **_DAY),
    "GamingDays": _object("Gaming days, the newest first.", days=_list(_ref("GamingDayBrief"))),
    "GamingDay": _object(
        "A gaming day with the figures of its tables, as its entry in the log has them: a figure in which something is"
        " not counted is null, and `why` says what. A sum is over the `of` of so many `tables` that have the figure.",
        **_DAY,
        grade=_GRADE,
        obstacles=_list(_ref("Obstacle")),
        tables=_list(_ref("TableFigures")),
        sums=_object(
            "Each figure over the tables that have it.", **{name: _ref("FigureSum") for name in figures.NAMES}
        ),
    ),
    "Obstacle": _object(
        "What keeps a day from being closed.",
        kind={"enum": ["day", "session", "slip", "drop_box", "tips", "cage"]},
        ref=TEXT,
        words=TEXT,
    ),
    "TableFigures": _object(
        "What a table came to in a gaming day, in the smallest unit: `win` is closer, drop and credits less opener and"
        " fills.",
        table=TEXT,
        **{name: _or_null({"type": "integer"}) for name in figures.NAMES},
        grade=_GRADE,
        why=_or_null(TEXT),
    ),
    "FigureSum": _object("A sum.", units={"type": "integer"}, of=COUNT, tables=COUNT),
    "BuyIn": _object(
        "Cash for chips at a box; who paid it is nowhere. `approved_by` is the pit boss who signed.",
        id=ID,
        table=ID,
        session=ID,
        drop_box=ID,
        box=ID,
        units=ID,
        by=STAFF,
        approved_by=_or_null(STAFF),
        at=MOMENT,
    ),
    "LargeCash": _object(
        "Boxes whose buy-ins in a gaming day came to `near` or more, the newest day first; `reported` from `large` on.",
        near=COUNT,
        large=ID,
        boxes=_list(
            _object(
                "A box in a gaming day, with what its buy-ins came to and when the last of them was.",
                table=ID,
                business_date={"type": "string", "format": "date"},
                box=ID,
                units=ID,
                last_at=MOMENT,
                reported={"type": "boolean"},
            )
        ),
    ),
    "Tip": _object(
        "What a patron gave as a tip at a table; who gave it is nowhere.",
        id=ID,
        table=ID,
        session=ID,
        units=ID,
        by=STAFF,
        at=MOMENT,
    ),
    "Tips": _object(
        "The tips of a gaming day, told by its date and by the number that addresses it. `runs` are the tables that may"
        " still take some: until they are closed nobody counts. Once counted `chips` come to `counted`, `recorded` is"
        " what the tables entered, and `variance` `counted` less that.",
        day={"type": "integer"},
        date={"type": "string", "format": "date"},
        runs=_list(ID),
        chips=_or_null(_CHIPS),
        counted=_or_null(COUNT),
        recorded=_or_null(COUNT),
        variance=_or_null({"type": "integer"}),
        counted_by=_or_null(STAFF),
        counted_with=_or_null(STAFF),
        counted_at=_or_null(MOMENT),
        reason=TEXT,
        count=_or_null(_ref("SessionCount")),
    ),
    "TipsOfDays": _object("The days with tips that nobody has counted, the oldest first.", tips=_list(_ref("Tips"))),
    "Count": _object(
        "What one of two people counted, told when both have; `place` 1 counts first.",
        attempt=ID,
        place=ID,
        by=STAFF,
        at=MOMENT,
        denominations=_or_null(_CHIPS),
    ),
    "SignOn": _object(
        "A croupier's time at a table.",
        table=ID,
        staff=ID,
        terminal=_or_null(TERMINAL_NAME),
        signed_on_at=MOMENT,
        signed_off_at=_or_null(MOMENT),
    ),
    "Relief": _object(
        "A croupier who is asked to take a table over: done when they signed on there, unless somebody withdrew it.",
        id=ID,
        table=ID,
        staff=ID,
        asked_by=ID,
        asked_at=MOMENT,
        ended_at=_or_null(MOMENT),
        withdrawn_by=_or_null(ID),
    ),
    "Visit": _object(
        "A visit of an auditor as the log has it: how many entries they saw, the root of the log's tree then, and when"
        " it was recorded.",
        checkpoint=COUNT,
        root=TEXT,
        at=MOMENT,
    ),
    "Visits": _object("The visits of an auditor, the newest first.", visits=_list(_ref("Visit"))),
    "Samples": _object("The samples that an auditor drew since their last visit.", samples=_list(_ref("Sample"))),
    "Sample": _object(
        "Rounds that a public seed drew of those that were settled between two sizes of the log, in the order drawn.",
        seed=TEXT,
        number=COUNT,
        since=COUNT,
        checkpoint=COUNT,
        of=COUNT,
        rounds=_list(ID),
        at=MOMENT,
    ),
    "Question": _object(
        "A question of an auditor to the pit about `subject`; `table` is null where that is of the whole house. It is"
        " asked, answered once until `due_at`, and settled, or asked again by one that `follows` it.",
        id=ID,
        subject=TEXT,
        table=_or_null(ID),
        status={"enum": Question.Status.values},
        follows=_or_null(ID),
        words=TEXT,
        asked_by=ID,
        asked_at=MOMENT,
        due_at=MOMENT,
        answer=_or_null(TEXT),
        answered_by=_or_null(ID),
        answered_at=_or_null(MOMENT),
        settled_by=_or_null(ID),
        settled_at=_or_null(MOMENT),
    ),
    "Questions": _object(
        "The questions that are not settled, the first one due first, and after them what was settled last.",
        questions=_list(_ref("Question")),
    ),
    "People": _object(
        "The croupiers of the pits within reach, and the tables there, with the work since a moment.",
        at=MOMENT,
        since=MOMENT,
        croupiers=_list(_ref("Croupier")),
        tables=_list(_ref("Seat")),
    ),
    "Croupier": _object(
        "A croupier: `pit` is null for who is posted to all. `table` is where they deal since `since`, `stint` since"
        " when without a break; `off` is when they last dealt within the day, `relief` what is asked of them.",
        staff=ID,
        pit=_or_null(ID),
        table=_or_null(ID),
        since=_or_null(MOMENT),
        stint=_or_null(MOMENT),
        off=_or_null(MOMENT),
        relief=_or_null(ID),
        dealt_minutes=COUNT,
        breaks=_list(_ref("Rest")),
    ),
    "Rest": _object("A time between two tables that was long enough for a break.", begun=MOMENT, ended=MOMENT),
    "Seat": _object(
        "A table: who deals there, at which terminals people sign on, and the relief that is asked for. Without a"
        " terminal nobody who is asked to come can sign on at the table.",
        table=ID,
        pit=ID,
        session=_or_null(ID),
        dealer=_or_null(ID),
        terminals=_list(TERMINAL_NAME),
        relief=_or_null(ID),
    ),
    "Terminal": _object(
        "A device enrolled at a table. When it was seen last is noted once a minute.",
        id=ID,
        name=TERMINAL_NAME,
        table=ID,
        enrolled_at=MOMENT,
        last_seen_at=_or_null(MOMENT),
        revoked_at=_or_null(MOMENT),
    ),
    "Terminals": _object("Terminals, revoked ones too, by name.", terminals=_list(_ref("Terminal"))),
    "NewTerminal": _object(
        "A new terminal. Its token is shown this once.",
        id=ID,
        name=TERMINAL_NAME,
        token={"type": "string", "pattern": "^[A-Za-z0-9_-]{43}$"},
    ),
    "ReportFile": _object(
        "A file of a report of closed gaming days. `digest` is the SHA-256 of the report, which is its CSV,"
        " `file_digest` that of these bytes, which `href` has once it is DONE; `rows` says how many are written.",
        id=ID,
        report=TEXT,
        period=TEXT,
        form={"enum": ReportFile.Form.values},
        status={"enum": ReportFile.Status.values},
        asked_by=_or_null(STAFF),
        asked_at=MOMENT,
        rows=COUNT,
        digest=_or_null(_SHA_256),
        file_digest=_or_null(_SHA_256),
        size=_or_null(COUNT),
        failure=_or_null(TEXT),
        ended_at=_or_null(MOMENT),
        href=_or_null(TEXT),
    ),
    "ReportFiles": _object("Files of reports, the newest first.", files=_list(_ref("ReportFile"))),
    "ReportToken": _object(
        "By this another program fetches files of reports; two people gave it, and two ended it.",
        id=ID,
        name=TERMINAL_NAME,
        given_by=STAFF,
        given_with=STAFF,
        given_at=MOMENT,
        ended_by=_or_null(STAFF),
        ended_with=_or_null(STAFF),
        ended_at=_or_null(MOMENT),
    ),
    "ReportTokens": _object("All tokens of reports.", tokens=_list(_ref("ReportToken"))),
    "NewReportToken": _object(
        "A new token of reports. It is shown this once.",
        id=ID,
        name=TERMINAL_NAME,
        token={"type": "string", "pattern": "^[A-Za-z0-9_-]{43}$"},
    ),
    "Scanner": _object(
        "How the scanner at a terminal spells the cards of a game: the prefix, a card's code, the suffix, and Enter."
        " A card without a code is typed as on the keyboard.",
        terminal=ID,
        game={"enum": _GAMES},
        prefix=TEXT,
        suffix=TEXT,
        codes=_CODES,
        set_by=STAFF,
        set_at=MOMENT,
    ),
    "Scanners": _object("What counts for each game that has one.", scanners=_list(_ref("Scanner"))),
    "Setting": _object(
        "A setting of the house as it stands: its value now, the change that it has it from, and changes to come."
        " Without a change its default counts.",
        name=TEXT,
        label=TEXT,
        about=TEXT,
        unit=TEXT,
        default={"type": "integer"},
        least={"type": "integer"},
        most={"type": "integer"},
        value={"type": "integer"},
        version=COUNT,
        change=_or_null(_ref("SettingChange")),
        coming=_list(_ref("SettingChange")),
    ),
    "SettingChange": _object(
        "A value of a setting from a moment on, as two people signed it.",
        id=ID,
        value={"type": "integer"},
        from_at=MOMENT,
        proposed_by=STAFF,
        approved_by=STAFF,
    ),
    "Settings": _object("All settings of the house.", settings=_list(_ref("Setting"))),
    "Sheet": _object(
        "A rule sheet: `values` by the names of its game's parameters; a draft has no digest and nobody published it."
        " `edge` is what the house was known to keep by it at its publication, null for a draft, for a game without a"
        " house and for what was published before; `reason` is why, where that lies outside the casino's band."
        " `in_force`: at which tables it is or was in force, or is to come.",
        id=ID,
        game={"enum": _GAMES},
        version=ID,
        status={"enum": RuleSheet.Status.values},
        values={"type": "object"},
        digest=_or_null(DIGEST),
        drafted_by=STAFF,
        drafted_at=MOMENT,
        published_by=_or_null(STAFF),
        published_at=_or_null(MOMENT),
        edge=_or_null(_list(_ref("PinnedEdge"))),
        reason=TEXT,
        in_force=_list(_ref("InForce")),
    ),
    "PinnedEdge": _object(
        "A result that a sheet was published by: its key, the limit of the ANTE that it is of, null where the edge does"
        " not depend on that, and the house edge in per cent of the ANTE.",
        key=_SHA_256,
        ante=_or_null(ID),
        edge={"type": "string", "pattern": r"^-?[0-9]+\.[0-9]{9}$"},
    ),
    "InForce": _object(
        "A sheet at a table from a moment on, as two people signed it; `approved_by` is null in rows of the first"
        " versions. One that two people withdrew before its moment counts for nothing.",
        id=ID,
        table=ID,
        from_at=MOMENT,
        set_by=STAFF,
        approved_by=_or_null(STAFF),
        withdrawn_at=_or_null(MOMENT),
        withdrawn_by=_or_null(STAFF),
        withdrawn_with=_or_null(STAFF),
    ),
    "Edge": _object(
        "The house edge of a sheet, at each ANTE that it depends on: where neither maximum payment nor smallest chip"
        " change what is paid there is one result, without an ANTE.",
        sheet=ID,
        results=_list(_ref("EdgeResult")),
    ),
    "EdgeResult": _object(
        "What the house expects to win against the best play. `key` is the SHA-256 of what it depends on; nobody has"
        " asked for one without a status. `progress` is in thousandths; `figures` are decimal text with 9 places.",
        ante=_or_null(ID),
        key=_SHA_256,
        status=_or_null({"enum": EdgeResult.Status.values}),
        asked_at=_or_null(MOMENT),
        progress={"type": "integer", "minimum": 0, "maximum": 1000},
        left_seconds=_or_null(COUNT),
        figures=_or_null({"type": "object"}),
        failure=TEXT,
    ),
    "Sought": _object(
        "The coefficients that were sought for a sheet, at each ANTE that its edge depends on, the newest first.",
        sheet=ID,
        results=_list(_ref("SoughtCoefficient")),
    ),
    "SoughtCoefficient": _object(
        "The largest `coefficient` of a category with which the house still has the edge `wanted_percent`, and the edge"
        " that it leaves; once it is computed, null where even the lowest between its neighbours leaves less, which"
        " `edge_percent` then is.",
        ante=_or_null(ID),
        key=_SHA_256,
        category={"enum": list(PAID_CATEGORIES)},
        wanted_percent=TEXT,
        status={"enum": EdgeResult.Status.values},
        asked_at=MOMENT,
        progress={"type": "integer", "minimum": 0, "maximum": 1000},
        left_seconds=_or_null(COUNT),
        coefficient=_or_null(TEXT),
        edge_percent=_or_null(TEXT),
        failure=TEXT,
    ),
    "Par": _object(
        "The PAR sheet of a sheet. `par` has `document`, `edition` and its twelve parts under their names: identity,"
        " rules, wagers, assumptions, combinations, risk, volatility, strategy, sensitivity, bands, method,"
        " signatures; figures are decimal text.",
        sheet=ID,
        digest=_SHA_256,
        json=TEXT,
        pdf=TEXT,
        par=_par(),
    ),
    "Sheets": _object("All rule sheets, by game, the newest first.", sheets=_list(_ref("Sheet"))),
    "Staff": _object("Everybody who works or worked here, with what they may do now.", staff=_list(_ref("Person"))),
    "Person": _object(
        "A person: where they are signed on, whether they are locked out or have a one-time code that counts, and their"
        " postings: those that stand in a list, all that they ever had where they stand alone.",
        id=ID,
        name=TEXT,
        login=TEXT,
        works_here={"type": "boolean"},
        added_at=MOMENT,
        last_login_at=_or_null(MOMENT),
        locked={"type": "boolean"},
        code={"type": "boolean"},
        table=_or_null(ID),
        postings=_list(_ref("Posting")),
    ),
    "Posting": _object(
        "A role in one pit, or in all where `pit` is null. Two people give it and end it; nobody is named where the"
        " house was set up.",
        id=ID,
        role={"enum": list(Role)},
        pit=_or_null(ID),
        posted_at=MOMENT,
        posted_by=_or_null(STAFF),
        posted_with=_or_null(STAFF),
        ended_at=_or_null(MOMENT),
        ended_by=_or_null(STAFF),
        ended_with=_or_null(STAFF),
    ),
    "OneTimeCode": _object(
        "What a person sets their password with at `/first/`. It is shown this once, and counts for so many hours.",
        staff=ID,
        code={"type": "string", "pattern": "^[2-9A-HJKMNP-Z]{4}(-[2-9A-HJKMNP-Z]{4}){3}$"},
        hours=ID,
    ),
    "Unlocked": _object("Whose lock-outs are lifted.", staff=ID),
    "Refused": _object(
        "Nothing was done. `path` says where in the request, `clause` is of the house rules, `way_out` what to do.",
        code={"type": "string", "pattern": "^[a-z]+(_[a-z]+)*$"},
        message={"type": "string", "minLength": 1},
        clause=_or_null(CLAUSE),
        path=TEXT,
        way_out=TEXT,
        detail={
            "type": "object",
            "additionalProperties": False,
            "description": "What the code tells beside: who came too late gets the round as it is now.",
            "properties": {
                "round": {"anyOf": [ID, _ref("Round")]},
                "dispute": _ref("Dispute"),
                "alarm": ID,
                "status": {"enum": STATUSES},
                "version": COUNT,
                "line": COUNT,
                "obstacles": _list(_ref("Obstacle")),
                "hold": ID,
                "generation": COUNT,
                "ordinal": ID,
                "staff": ID,
                "boxes": {"type": "array", "items": ID},
                "case": ID,
                "question": ID,
                "slip": ID,
                "session": ID,
                "shift": ID,
                "drop_box": ID,
                "table": ID,
                "cases": {"type": "array", "items": ID},
                "retry_after": ID,
                "times": {"type": "array", "items": MOMENT, "description": "The first and the second."},
            },
        },
    ),
}
SHAPES = {
    "version": {"type": "integer", "description": "How many entries you saw."},
    "from_at": MOMENT | {"description": "From when; left out: from now on."},
    "line": {"type": "integer", "description": "How many complete lines you saw."},
    "place": {"type": "integer", "enum": [1, 2], "description": "The count that stands: the first or the second."},
    "hold": {"type": "integer", "description": "The intervention that holds the round, as you saw it."},
    "generation": {"type": "integer", "description": "The generation that you saw."},
    "kind": {"type": "string", "enum": _KINDS},
    "arguments": _ref("Arguments"),
    "signature": _ref("Signature"),
    "question": {"type": "string", "description": "What is to be found out, in a sentence."},
    "codes": _CODES,
    "changes": _list(_ref("Change")),
    "seats": _list({"type": "integer"}) | {"description": "The boxes that take part, where the game is among them."},
    "about": {"type": "string", "description": f"A clause of the game, or one of: {', '.join(disputes.ABOUT)}."},
    "boxes": _list({"type": "integer"}) | {"description": "By number; none: the whole table."},
    "role": {"type": "string", "enum": list(Role)},
    "pit": {"type": "integer", "description": "The pit of the posting; left out: all pits."},
    "cases_to": {"type": "integer", "description": "Who owns their open cases from now on."},
    "ruling": {"type": "string", "enum": Dispute.Ruling.values},
    "tables": _list({"type": "integer"}) | {"description": "The tables, by their ids."},
    "values": {"type": "object", "description": "By the names of the parameters; what is left out is as proposed."},
    "places": _list({"type": "integer"}) | {"description": "Ids of the sheet's `in_force`."},
    "denominations": _CHIPS,
    "rake": _CHIPS | {"description": "The chips in the rake slot, where it is counted; none: an empty object."},
    "dealer": {"type": "integer", "description": "The box that deals; left out: the next to the left."},
}

DESCRIPTION = """\
Each command is one POST with a JSON object; unknown fields are refused, numbers are whole, amounts are in the
currency's smallest unit. GET takes HEAD too, every address takes OPTIONS (the methods are in `Allow`); any other
method is answered 405 `method_not_allowed`, any other address below `/api/` 404 `not_found`.

**Who.** The session of a browser with its CSRF token in `X-CSRFToken`, or `Authorization: Bearer` with the token of an
enrolled terminal, which acts for the croupier who is signed on at its table. Others sign with login and password.

**Brief.** Who sends `Prefer: return=minimal` with a command on a round gets its `id` and `version` alone.

**Once.** A command takes a new `Idempotency-Key`. If the answer got lost, send the same again with the same key.

**Refusals** have one shape and change nothing. 409 is the wrong moment, 422 the wrong content, 403 the wrong person;
what is out of reach answers 404 like what does not exist.
"""


def exchanges():
    """Requests with their answers, in the order in which they happen."""
    return [json.loads(line) for line in EXAMPLES.read_text("utf-8").splitlines()]


def complete(result, generator, request, public):
    """drf-spectacular's hook: components, how one logs in, and examples, which are a session that a test replays."""
    session = exchanges()
    result["info"]["description"] = DESCRIPTION
    result["components"] = {
        "schemas": COMPONENTS,
        "securitySchemes": {
            "session": {"type": "apiKey", "in": "cookie", "name": settings.SESSION_COOKIE_NAME},
            "csrf": {"type": "apiKey", "in": "header", "name": "X-CSRFToken"},
            "bearer": {"type": "http", "scheme": "bearer"},
        },
        "examples": {
            f"{exchange['status']}_{exchange['title']}": {"value": exchange["answer"]}
            for exchange in reversed(session)
            if exchange["status"] >= 400
        },
    }
    for path, operations in result["paths"].items():
        for method, operation in operations.items():
            address = re.compile(f"{method.upper()} {re.sub('{[a-z_]+}', '[0-9]+', path)}")
            good = [exchange for exchange in session if exchange["status"] < 400]
            own = [exchange for exchange in good if address.fullmatch(exchange["send"].partition("?")[0])]
            _exemplify(operation, own)
    return result


def _exemplify(operation, exchanges):
    body = operation.get("requestBody")
    if body and exchanges:
        body["content"]["application/json"]["examples"] = {
            exchange["title"]: {"summary": exchange["title"], "value": exchange["body"]} for exchange in exchanges
        }
    for status, response in operation["responses"].items():
        content = response["content"]["application/json"]
        if int(status) < 400:
            examples = {
                exchange["title"]: {"value": exchange["answer"]} for exchange in exchanges if "answer" in exchange
            }
        else:
            codes = content["schema"]["allOf"][1]["properties"]["code"]["enum"]
            examples = {code: {"$ref": f"#/components/examples/{status}_{code}"} for code in codes}
        if examples:
            content["examples"] = examples
