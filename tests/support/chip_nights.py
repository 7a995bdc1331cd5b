"""A house's chips for a night, kept in dicts by the rules as people know them: it uses nothing of the product.

Chips lie somewhere: in a table's tray, in its rake slot, at the cage, on their way. Mistakes by hand move chips but no
book. The books are kept separately, account by account, and counts are compared with them. Everything is in the
smallest unit; a pile of chips is a dict of value to number.
"""

from collections import Counter
from dataclasses import dataclass, field

HOUSE = "house"
VALUES = (100_000, 50_000, 10_000, 2_500, 500, 100)
RUNNING = ("REQUESTED", "ISSUED")


def worth(chips):
    """What a pile comes to.

    >>> worth({500: 3, 100: 2})
    1700
    """
    return sum(value * count for value, count in chips.items())


def pile(units):
    """The fewest chips that come to an amount.

    >>> pile(3_200)
    {2500: 1, 500: 1, 100: 2}
    """
    chips = {}
    for value in VALUES:
        count, units = divmod(units, value)
        if count:
            chips[value] = count
    assert units == 0, units
    return chips


@dataclass
class Slip:
    """A fill, a credit or a change; `session` is the number of its table's session in which it was asked for."""

    kind: str
    number: int
    table: str
    session: int
    chips: dict
    status: str = "REQUESTED"


@dataclass
class Session:
    """A table from opener to closer: what was counted, and what moved in between; None where it is not counted."""

    opener: int
    closer: int | None = None
    fills: int = 0
    credits: int = 0
    rounds: int = 0
    variance: int = 0
    rake: int | None = None
    rake_variance: int = 0
    left: tuple = ()

    @property
    def win(self):
        """What the table won, by the chips alone."""
        return self.closer + self.credits - self.opener - self.fills


@dataclass
class Table:
    name: str
    tray: dict = field(default_factory=dict)
    slot: int = 0
    status: str = "CLOSED"
    raked: bool = False
    """Whether rake moved since the table was closed last."""
    sessions: list = field(default_factory=list)

    @property
    def running(self):
        return self.sessions[-1]


class House:
    """Tables and the cage.

    :param issued: what the house issued to its cage before the night.
    """

    def __init__(self, issued):
        self.books = Counter()
        self.tables, self.slips = {}, {}
        self.numbers = Counter()
        self.alarms, self.events = [], Counter()
        self.bounds = {"opener": 0, "closer": 0}
        self.cage_error = 0
        self.shifts, self.late = [], 0
        self.move("cage:house", "issued:house", issued)

    def move(self, debit, credit, units):
        """Book units from one account to another; below 0, they go the other way."""
        self.books[debit] += units
        self.books[credit] -= units

    def book(self, kind, table):
        return self.books[f"{kind}:{table}"]

    def table(self, name):
        return self.tables.setdefault(name, Table(name))

    # Tables

    def open(self, name, chips):
        """Open a table with what two counted; whatever the last closer was, chips of a closed table are the cage's."""
        table, counted = self.table(name), worth(chips)
        if table.sessions:
            difference = counted - table.running.closer
            self.move("cage:house", "variance:house", difference)
            self._alarm("opener_variance", name, len(table.sessions) + 1, difference, self.bounds["opener"])
        self.move(f"float:{name}", "cage:house", counted)
        table.tray, table.status = dict(chips), "OPEN"
        table.sessions.append(Session(counted))
        self.events.update(["session.begun", "session.opened"])

    def stop(self, name):
        """Call the last round.

        :returns: whether nothing is under way that keeps it from being called.
        """
        if any(slip.status == "REQUESTED" or slip.kind != "credit" for slip in self.running_slips(name)):
            return False
        self.table(name).status = "CLOSING"
        self.events["session.stopped"] += 1
        return True

    def resume(self, name):
        self.table(name).status = "OPEN"
        self.events["session.resumed"] += 1

    def close(self, name, chips, slot=None, *, carry=False):
        """Close a table with what two counted (in its rake slot too, if rake moved), or carry it on with that."""
        table, session, counted = self.table(name), self.table(name).running, worth(chips)
        session.closer, session.variance = counted, counted - self.book("float", name)
        self.move(f"float:{name}", "variance:house", session.variance)
        self.move("cage:house", f"float:{name}", counted)
        worst = session.variance
        if slot is not None:
            session.rake, session.rake_variance = slot, slot - self.book("rake", name)
            self.move(f"rake:{name}", "variance:house", session.rake_variance)
            self.move("cage:house", f"rake:{name}", slot)
            worst = max(session.variance, session.rake_variance, key=abs)
            table.slot, table.raked = 0, False
        self._alarm("closer_variance", name, len(table.sessions), worst, self.bounds["closer"])
        session.left = tuple(sorted((slip.kind, slip.number) for slip in self.running_slips(name)))
        table.status = "CLOSED"
        self.events["session.closed"] += 1
        if carry:
            self.move(f"float:{name}", "cage:house", counted)
            table.sessions.append(Session(counted))
            table.status, table.tray = "OPEN", dict(chips)
            self.events.update(["session.begun", "session.opened"])
        else:
            table.tray = {}

    def _alarm(self, kind, name, session, value, bound):
        if abs(value) > bound:
            self.alarms.append((kind, name, session, value))
            self.events["alarm.raised"] += 1

    # Rounds

    def round(self, name, units, by_hand=0):
        """Settle a round, or settle it anew, in which the table wins this much more; `by_hand`: what went wrong in
        chips."""
        table = self.table(name)
        self.move(f"float:{name}", f"patrons:{name}", units)
        if table.status == "CLOSED":
            # The cage hands over what a late correction gives, or takes what comes back.
            self.move("cage:house", f"float:{name}", units)
            self.late += units != 0
            return
        table.running.rounds += units
        table.tray = pile(worth(table.tray) + units + by_hand)

    def pot(self, name, rake, by_hand=0):
        """Put rake of a pot into the slot or, below 0, take it back out."""
        table = self.table(name)
        self.move(f"rake:{name}", f"patrons:{name}", rake)
        table.raked = True
        if table.status == "CLOSED":
            self.move("cage:house", f"rake:{name}", rake)
        else:
            table.slot += rake + by_hand

    # Slips

    def running_slips(self, name):
        return [slip for slip in self.slips.values() if slip.table == name and slip.status in RUNNING]

    def ask(self, kind, name, chips):
        self.numbers[kind] += 1
        slip = Slip(kind, self.numbers[kind], name, len(self.table(name).sessions), chips)
        self.slips[kind, slip.number] = slip
        self.events["slip.requested"] += 1
        return slip

    def issue(self, slip):
        slip.status = "ISSUED"
        self.events["slip.issued"] += 1
        if slip.kind == "fill":
            self.move("transit:house", "cage:house", worth(slip.chips))
        elif slip.kind == "credit":
            self.move("transit:house", f"float:{slip.table}", worth(slip.chips))
            self._take(slip, 1)

    def receive(self, slip):
        slip.status = "RECEIVED"
        self.events["slip.received"] += 1
        if slip.kind == "fill":
            self.move(f"float:{slip.table}", "transit:house", worth(slip.chips))
            self._bring(slip)
        elif slip.kind == "credit":
            self.move("cage:house", "transit:house", worth(slip.chips))

    def send_back(self, slip):
        """
        :returns: whether that is possible: chips of a table that is closed, or closes, are counted without them.
        """
        if slip.session != len(self.table(slip.table).sessions) or self.table(slip.table).status != "OPEN":
            return False
        slip.status = "RETURNED"
        self.events["slip.returned"] += 1
        if slip.kind == "fill":
            self.move("cage:house", "transit:house", worth(slip.chips))
        elif slip.kind == "credit":
            self.move(f"float:{slip.table}", "transit:house", worth(slip.chips))
            self._take(slip, -1)
        return True

    def void(self, slip):
        slip.status = "VOIDED"
        self.events["slip.voided"] += 1

    def _take(self, slip, sign):
        """Take a credit's chips out of the tray or, with a sign of -1, put them back."""
        table = self.table(slip.table)
        table.sessions[slip.session - 1].credits += sign * worth(slip.chips)
        table.tray = pile(worth(table.tray) - sign * worth(slip.chips))

    def _bring(self, slip):
        table = self.table(slip.table)
        table.running.fills += worth(slip.chips)
        table.tray = dict(Counter(table.tray) + Counter(slip.chips))

    # The cage

    def shift(self, kind, units, by_hand=0):
        """Issue, withdraw, sell or cash chips; `by_hand`: what lies at the cage beyond what should."""
        debit, credit = {
            "issued": ("cage:house", "issued:house"),
            "withdrawn": ("issued:house", "cage:house"),
            "sold": ("cash:house", "cage:house"),
            "cashed": ("cage:house", "cash:house"),
        }[kind]
        self.move(debit, credit, units)
        self.cage_error += by_hand

    @property
    def at_cage(self):
        """What lies at the cage, including chips of closed tables."""
        return self.books["cage:house"] + self.cage_error

    def count_cage(self, units):
        """End a shift of the cage with what two counted."""
        variance = units - self.books["cage:house"]
        self.move("cage:house", "variance:house", variance)
        self.cage_error = 0
        self.shifts.append(variance)
        self.events["cage.closed"] += 1

    @property
    def circulating(self):
        """What patrons have: all that was issued and lies nowhere in the house."""
        at_home = ("cage", "float", "transit", "rake", "issued")
        return -sum(units for ref, units in self.books.items() if ref.partition(":")[0] in at_home)
