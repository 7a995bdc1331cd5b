"""Figures of the house edge in the form in which the program computes them, for tests that need some: they add up, and
mean nothing else."""

from decimal import Decimal

CATEGORIES = {
    "pair": ("1:1", "0.172", "0.1720"),
    "two_pair": ("1:1", "0.079", "0.1580"),
    "three_of_a_kind": ("3:1", "0.0285", "0.1710"),
    "straight": ("4:1", "0.0162", "0.1296"),
    "flush": ("5:1", "0.0134", "0.1340"),
    "full_house": ("7:1", "0.0112", "0.1568"),
    "four_of_a_kind": ("20:1", "0.00098", "0.0392"),
    "straight_flush": ("50:1", "0.000118", "0.0118"),
    "royal_flush": ("100:1", "0.000013", "0.0026"),
}
REST = {"ante_paid": "0.2440", "lost": "-1.0322", "fees": "-0.4111"}
CHOICES = {"fold": "0.185", "bet": "0.414", "buy": "0.401", "buy_then_fold": "0.06", "game_bought": "0.03"}
DEVIATION = Decimal("3.53")
STRATEGIES = {"never_buy": "-0.2960", "always_bet": "-0.4350", "pair_or_better": "-0.3190"}


def figures(edge_percent="22.43", **changes):
    """A report with this house edge, in per cent of an ANTE: lost hands make up the difference."""
    edge = Decimal(edge_percent)
    rest = {name: Decimal(value) for name, value in REST.items()}
    contributions = sum(Decimal(each) for _, _, each in CATEGORIES.values())
    rest["lost"] += -edge / 100 - contributions - sum(rest.values())
    report = {
        "games": True,
        "expectation": _text(-edge / 100),
        "edge_percent": _text(edge),
        "risk_percent": _text(edge / Decimal("2.92")),
        "standard_deviation": _text(DEVIATION),
        "choices": {name: _text(value) for name, value in CHOICES.items()},
        "categories": [
            {"name": name, "coefficient": ratio, "share_paid": _text(share), "contribution": _text(contribution)}
            for name, (ratio, share, contribution) in CATEGORIES.items()
        ],
        "rest": {name: _text(value) for name, value in rest.items()},
        "stand_off": _text("0.000018"),
        "staked": _text("2.9417"),
        "ante": None,
        "program": "split-edge-3",
        "strategies": [{"name": name, "expectation": _text(value)} for name, value in STRATEGIES.items()],
        "seconds": _text(140),
        "processor_seconds": _text(139),
        "peak_mb": _text(2100),
        "open_cards": [{"rank": rank, **_open_card(-edge / 100)} for rank in "23456789TJQKA"],
        "covariance_error": _text("0.02"),
    }
    return report | changes


def _open_card(expectation):
    """The same for each rank, so that the law of total variance holds."""
    return {
        "expectation": _text(expectation),
        "variance": _text(DEVIATION**2),
        "expectation_cut": _text(expectation - Decimal("0.0341")),
        "covariance": _text("1.21"),
    }


def _text(value):
    return f"{Decimal(value):.9f}"
