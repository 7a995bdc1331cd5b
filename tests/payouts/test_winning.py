"""What a table won, tried on random nights: chips in trays and boxes here, books and the formula there."""

import random

import pytest

from payouts.winning import Chips, Grade, win

from ..support import proof

# Each is printed somewhere, and wrong.
WRONG = {
    "fills and credits with each other's sign": lambda c: c.closer + c.drop - c.credits - c.opener + c.fills,
    "credits left out": lambda c: c.closer + c.drop - c.opener - c.fills,
    "the drop left out": lambda c: c.closer + c.credits - c.opener - c.fills,
}


class Night:
    """A table from opener to closer, told twice: as chips and cash that lie somewhere, and as books are kept.

    What goes wrong by hand - another amount paid, a payment that nobody took, a chip on the floor, a wrong note in the
    drop box - moves chips alone.
    """

    def __init__(self, chance):
        self.chance = chance
        self.tray = self.opener = chance.randrange(0, 10_000_000, 100)
        self.box_cash = 0
        self.fills = self.credits = self.sold = self.net = 0
        self.filled = []
        for _ in range(chance.randint(0, 60)):
            chance.choice(
                [self.round, self.round, self.round, self.correction, self.fill, self.credit, self.buy_in, self.slip]
            )()
        # A credit that is still on its way left the tray all the same.
        self.closer, self.drop = self.tray, self.box_cash

    def amount(self, most=500_000):
        return self.chance.randrange(0, most, 100)

    def moved(self, units):
        """By the books, and by hand; mostly the same."""
        self.net += units
        slip_of_hand = self.chance.choice([0] * 9 + [-100, 100, 500, -units])
        self.tray += max(-self.tray, units + slip_of_hand)

    def round(self):
        self.moved(self.amount() - self.amount())

    def correction(self):
        """A round settled anew: reversed, and with another amount; void: reversed alone."""
        before = self.amount() - self.amount()
        self.moved(-before)
        if self.chance.random() < 0.7:
            self.moved(self.amount() - self.amount())

    def fill(self):
        units = self.amount(1_000_000)
        if self.chance.random() < 0.8:  # else void, or sent back
            self.fills += units
            self.tray += units

    def credit(self):
        units = self.chance.randrange(0, self.tray + 1)
        self.credits += units
        self.tray -= units
        if self.chance.random() < 0.2:  # sent back
            self.credits -= units
            self.tray += units

    def buy_in(self):
        units = min(self.amount(), self.tray)
        self.sold += units
        self.tray -= units
        self.box_cash += max(0, units + self.chance.choice([0] * 9 + [-500, 1_000]))

    def slip(self):
        """Something is lost or found."""
        self.tray += max(-self.tray, self.chance.choice([-2_500, -100, 100]))

    @property
    def chips(self):
        return Chips(self.opener, self.fills, self.credits, self.drop, self.closer)

    @property
    def by_the_books(self):
        """The rounds' net plus both variances."""
        expected_closer = self.opener + self.fills - self.credits - self.sold + self.net
        closer_variance = self.closer - expected_closer
        return self.net + closer_variance + (self.drop - self.sold)


def differs(name, night):
    """Whether a night shows that a formula is wrong."""
    return {
        "fills and credits with each other's sign": night.fills != night.credits,
        "credits left out": night.credits != 0,
        "the drop left out": night.drop != 0,
    }[name]


def play(nights, seed):
    caught = dict.fromkeys(WRONG, 0)
    chance = random.Random(seed)
    for _ in range(nights):
        night = Night(chance)
        won = win(night.chips)
        assert (won.units, won.grade) == (night.by_the_books, Grade.FINAL)
        for name, wrong in WRONG.items():
            assert (wrong(night.chips) != night.by_the_books) == differs(name, night), name
            caught[name] += differs(name, night)
    return caught


def test_a_win_is_what_the_rounds_moved_plus_the_variances_and_three_wrong_formulae_are_caught():
    caught = play(2_000, seed=19)
    assert all(count > 1_500 for count in caught.values()), caught


@pytest.mark.proof
def test_a_win_is_what_the_rounds_moved_in_a_hundred_thousand_nights():
    nights = proof.size(100_000, 10_000)
    caught = play(nights, seed=1919)
    print(f"\n{nights:,} nights, each to the chip; wrong formulae caught: {caught}")
    assert all(count > nights // 2 for count in caught.values()), caught


@pytest.mark.parametrize(
    ("missing", "reason"),
    [
        ({"opener": None}, "The opener isn’t agreed."),
        ({"closer": None}, "The closer isn’t counted."),
        ({"drop": None}, "The drop isn’t counted."),
    ],
)
def test_what_is_not_counted_is_no_zero(missing, reason):
    chips = Chips(100, 0, 0, 0, 90)
    assert win(chips).units == -10
    assert win(chips._replace(**missing)) == (None, Grade.ESTIMATE, reason)
    assert win(chips._replace(closer=0, drop=0)).units == -100


class PotNight:
    """A table where players play against each other, told twice: chips in a tray and in a rake slot, and the books.

    A round moves nothing into the tray or out of it; its rake goes into the slot. A correction takes back what a round
    put there. By hand a chip of the rake lands in the tray, or on the floor; `tray_off` and `slot_off` are what chips
    did beside the books.
    """

    def __init__(self, chance):
        self.chance = chance
        self.tray = self.opener = chance.randrange(0, 10_000_000, 100)
        self.slot = self.raked = self.fills = self.credits = self.tray_off = self.slot_off = 0
        rakes = []
        for _ in range(chance.randint(0, 60)):
            match chance.choice("rrrcfol"):
                case "r":
                    rakes.append(chance.randrange(0, 5_000, 100))
                    self.rake(rakes[-1])
                case "c" if rakes:
                    self.rake(-rakes.pop())
                case "f":
                    units = chance.randrange(0, 1_000_000, 100)
                    self.fills, self.tray = self.fills + units, self.tray + units
                case "o":
                    units = chance.randrange(0, self.tray + 1)
                    self.credits, self.tray = self.credits + units, self.tray - units
                case "l":
                    self.lose(chance.choice([-2_500, -100, 100]))

    def lose(self, units):
        units = max(-self.tray, units)
        self.tray, self.tray_off = self.tray + units, self.tray_off + units

    def rake(self, units):
        self.raked += units
        astray = self.chance.choice([0] * 9 + [100, 500])
        after = max(0, self.slot + units - astray)
        self.slot_off += after - self.slot - units
        self.slot = after
        if self.chance.random() < 0.5:
            self.lose(astray)

    @property
    def chips(self):
        return Chips(self.opener, self.fills, self.credits, 0, self.tray)


def test_at_a_pot_a_win_is_the_closer_s_variance_alone_and_the_rake_is_in_none():
    chance, caught = random.Random(7), 0
    for _ in range(2_000):
        night = PotNight(chance)
        won = win(night.chips).units
        assert won == night.tray_off
        assert night.slot == night.raked + night.slot_off
        # A rake that was counted with the float would be won.
        wrong = win(night.chips._replace(closer=night.tray + night.slot)).units
        assert (wrong == night.tray_off) == (night.slot == 0)
        caught += wrong != won
    assert caught > 1_500
