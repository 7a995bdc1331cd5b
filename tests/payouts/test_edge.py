"""The exact house edge: hands and weights counted, single decisions against sums card by card, and known figures."""

import io
import json
import os
import random
import resource
import time
from decimal import Decimal
from functools import lru_cache
from itertools import combinations, pairwise

import numpy as np
import pytest
from django.conf import settings as django_settings
from django.core.management import call_command
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from casino.games.poker import strength
from payouts import edge_results, edge_work, luck
from payouts.edge import boxes, caribbean, dealer, prepare, ranks, report, seek, settings, solve, states
from payouts.edge.worth import Pays
from payouts.edge_results import STATUS
from payouts.models import EdgeResult
from tests.support import edges, played_rounds, proof, slow_edge
from tests.support.played_rounds import BOXES

COEFFICIENTS = (1, 1, 3, 4, 5, 7, 20, 50, 100)
STARTING = report.read({})
FOLDER = django_settings.EDGE_CODE
THREADS = 2


def paying(coefficients=COEFFICIENTS, *, games=True):
    return Pays(np.array([0.0, *(2.0 * one for one in coefficients)]), np.ones(10), 1.0, games)


@pytest.fixture(autouse=True)
def kept(monkeypatch):
    """What the command keeps stands where the tests' compiled code does, not in the work tree's data."""
    monkeypatch.setattr(django_settings, "DATA_DIR", FOLDER.parent.parent)


def suits_of(cards):
    suits = np.zeros(4, dtype=np.int64)
    for card in cards:
        suits["shdc".index(card[1])] |= 1 << report.RANK_NAMES.index(card[0])
    return suits


def asked(lines, **options):
    """The command's answers to lines of states, and its status."""
    out, status = io.StringIO(), 0
    file = FOLDER / "states.jsonl"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines))
    try:
        call_command("edge", states=str(file), threads=1, stdout=out, **options)
    except SystemExit as error:
        status = error.code
    return [json.loads(line) for line in out.getvalue().splitlines()], status


def test_hands_and_settings_are_as_many_as_counting_says():
    """C(52, 5) and the multisets; 134,459 hands that differ in more than suits is the published number."""
    hands = solve.all_hands()
    assert len(hands.suits) == 134_459
    assert hands.weight.sum() == 2_598_960
    assert (len(ranks.spreads(5)), len(ranks.spreads(7)), len(settings.suited().masks)) == (6_175, 49_205, 141_141)
    games = dealer.games()
    by_category = {
        category: sum(
            np.prod([len(list(combinations(range(4), count))) for count in counts if count])
            for counts, code in zip(games.counts, games.strengths, strict=True)
            if code >> 20 == category
        )
        for category in (1, 2, 3, 4, 6, 7)
    }
    # Straights in mixed suits or one: 10 x 4^5.
    assert by_category == {1: 1_098_240, 2: 123_552, 3: 54_912, 4: 10_240, 6: 3_744, 7: 624}


def test_strengths_order_hands_as_the_rules_do():
    """All 7,462 kinds of hands, each against its neighbour by `casino.games.poker`."""
    hands = []
    for spread in ranks.spreads(5):
        held = [rank for rank in range(13) for _ in range(spread[rank])]
        cards = [report.RANK_NAMES[rank] + "shdc"[number % 4] for number, rank in enumerate(held)]
        hands.append((int(ranks.strength_of(spread, False)), strength(cards)))
        if spread.max() == 1:
            flush = [report.RANK_NAMES[rank] + "s" for rank in held]
            hands.append((int(ranks.strength_of(spread, True)), strength(flush)))
    hands.sort(key=lambda hand: hand[0])
    assert len(hands) == 7_462
    assert all(one[1] < other[1] for one, other in pairwise(hands))
    assert all(code >> 20 == hand.category for code, hand in hands)


def test_caribbean_stud_by_the_same_machinery_is_as_published():
    made = caribbean.figures(THREADS)
    assert round(made.expectation, 6) == -0.052243
    assert round(made.raises, 4) == 0.5223


KINDS = {
    "a flush draw": (["As", "Ks", "9s", "4s", "2d", "7s", "Qs"], "Qh"),
    "a flush in the open card's suit": (["Ah", "Kh", "9h", "4h", "2h", "3s", "3d"], "Qh"),
    "a pair in the open card's suit": (["Qs", "Qd", "9c", "4s", "2d", "7s", "3h"], "Qh"),
    "a straight against straights": (["5s", "6d", "7c", "8s", "9d", "2s", "Kh"], "8h"),
    "a full house": (["5s", "5d", "5c", "8s", "8d", "As", "Kh"], "Ah"),
    "nothing": (["2s", "4d", "6c", "8s", "Td", "Qs", "Ah"], "Kh"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_seven_cards_are_worth_what_a_sum_card_by_card_gives(kind):
    """The best setting without the game, and the 20 others: none is worth more."""
    cards, open_card = KINDS[kind]
    (answer,), status = asked([{"id": 1, "cards": cards, "open": open_card, "games": False}])
    assert status == 0
    pays = slow_edge.Pays(COEFFICIENTS, games=False)
    big, small = answer["setting"]["big"], answer["setting"]["small"]
    slow = slow_edge.bet(pays, cards, open_card, big, small) - 1.0
    assert answer["choices"]["bet"] == pytest.approx(slow, abs=1e-6)
    assert answer["best"] == ("bet" if slow > -2.0 else "fold")
    assert sorted(big + small) == sorted(cards)


def test_a_game_bought_is_worth_what_a_sum_card_by_card_gives():
    """A replacement that makes a flush of four of one suit, a straight and pairs: all against a low straight."""
    cards, open_card = ["2s", "3d", "4c", "5s", "6d", "As", "Ad"], "7h"
    (answer,), _ = asked([{"id": 1, "cards": cards, "open": open_card}])
    pays = slow_edge.Pays(COEFFICIENTS)
    slow = slow_edge.bet(pays, cards, open_card, answer["setting"]["big"], answer["setting"]["small"]) - 1.0
    assert answer["choices"]["bet"] == pytest.approx(slow, abs=1e-6)
    without, _ = asked([{"id": 1, "cards": cards, "open": open_card, "games": False}])
    assert answer["choices"]["bet"] > without[0]["choices"]["bet"]


def test_a_plain_bet_is_worth_what_a_sum_card_by_card_gives():
    """Two unseen cards against the dealer's two: quads, a straight and no pair."""
    pays = slow_edge.Pays(COEFFICIENTS, games=False)
    for cards, open_card in ((["7h", "7d", "7s", "7c", "9s"], "9c"), (["As", "Kd", "9c", "4h", "2d"], "Qh")):
        code = _code(cards)
        worth = solve.setting(paying(games=False), suits_of(cards), code, None)
        fast = worth["shdc".index(open_card[1]), report.RANK_NAMES.index(open_card[0])]
        assert fast == pytest.approx(slow_edge.bet(pays, cards, open_card, cards, None), abs=1e-6)


def test_a_game_that_few_hands_would_buy_is_not_left_out():
    """At 7:4 a flush gains by the game only where four in a row of one suit stay: 27 cards end it, 25 of them won."""
    pays = paying((1, 1, 1, 1, 1.75, 2, 20, 50, 100))
    cards, open_card = ["As", "Ks", "Qs", "Js", "2s", "Ac", "Ad"], "Jc"
    at = ("shdc".index(open_card[1]), report.RANK_NAMES.index(open_card[0]))
    small = (report.RANK_NAMES.index("A"),) * 2
    bought, left = (
        solve.setting(one, suits_of(cards), _code(cards[:5]), small)[at] for one in (pays, pays._replace(games=False))
    )
    assert bought > left
    assert solve.may_buy(ranks.FLUSH, pays, 40)


def test_a_wrong_line_is_answered_with_where_and_the_others_all_the_same():
    cards = ["As", "Ks", "9s", "4s", "2s", "3h", "3d"]
    lines = [
        {"id": 1, "cards": cards, "open": "3h"},
        {"id": 2, "cards": cards[:6], "open": "Qh"},
        {"id": 3, "cards": [*cards[:6], "1d"], "open": "Qh"},
        {"id": 4, "cards": cards, "open": "Qh", "coefficients": [1, 1, 3, 4, 5, 4, 20, 50, 100]},
        {"id": 5, "cards": cards, "open": "Qh", "more": 1},
        "[",
        {"id": 7, "cards": cards, "open": "Qh", "games": False, "coefficients": list(COEFFICIENTS)},
    ]
    answers, status = asked(lines)
    assert status == 1
    errors = [(answer["id"], answer["error"]["code"], answer["error"]["path"]) for answer in answers[:6]]
    assert errors == [
        (1, "duplicate_card", "open"),
        (2, "bad_field", "cards"),
        (3, "bad_card", "cards[6]"),
        (4, "bad_field", "coefficients.full_house"),
        (5, "bad_field", "more"),
        (None, "bad_json", ""),
    ]
    assert answers[6]["best"] == "bet"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (
            {"coefficients": "1,1,3,4,5,4,20,50,100"},
            "coefficients.full_house: The coefficient of full house, 4:1, is lower",
        ),
        ({"coefficients": ",".join(["1:10"] * 9)}, "coefficients: A pair is paid 1:10 on the BET with both"),
        ({"coefficients": "1,1,3"}, "There are nine coefficients"),
        ({"sheet": "/nowhere.json"}, "/nowhere.json can't be read"),
        ({"seek": 5.0}, "--seek and --vary belong together"),
        ({"polite": True, "threads": 2}, "--polite works by one thread"),
        ({"ante": 0}, "--ante is an amount"),
    ],
)
def test_a_call_that_is_wrong_is_refused_with_what_is_wrong(options, words):
    said = io.StringIO()
    with pytest.raises(SystemExit) as refused:
        call_command("edge", stderr=said, **options)
    assert refused.value.code == 2
    assert words in said.getvalue()


def test_what_is_compiled_is_not_compiled_again(monkeypatch, tmp_path):
    """A mark says so, of this program, compiler and processor; with another it would begin anew."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", os.environ["NUMBA_CACHE_DIR"])  # and back again
    monkeypatch.setattr(django_settings, "DATA_DIR", tmp_path)
    folder = prepare(tmp_path / "edge")
    assert not report.is_warm(folder)
    (folder / "warm").write_text("numba 0.1 z80")
    assert not report.is_warm(folder)
    (folder / "warm").write_text(report._compiler())
    out = io.StringIO()
    call_command("edge", warm=True, stdout=out)
    assert out.getvalue() == "Compiled already.\n"
    assert {path.name for path in folder.iterdir()} == {"warm"}


@given(
    raised=st.lists(st.integers(0, 3), min_size=9, max_size=9),
    cards=st.permutations([rank + suit for rank in report.RANK_NAMES for suit in "shdc"]).map(lambda pack: pack[:8]),
)
@hypothesis_settings(max_examples=25, deadline=None)
def test_no_setting_is_worth_less_if_coefficients_rise(raised, cards):
    """And none is worth more without the game than with it."""
    higher = np.maximum.accumulate(np.array(COEFFICIENTS) + np.array(raised))
    big, small = cards[:5], tuple(report.RANK_NAMES.index(card[0]) for card in cards[5:7])
    spread = np.array([sum(name == card[0] for card in big) for name in report.RANK_NAMES])
    code = int(ranks.strength_of(spread, len({card[1] for card in big}) == 1))
    at = ("shdc".index(cards[7][1]), report.RANK_NAMES.index(cards[7][0]))
    low, high, without = (
        solve.setting(pays, suits_of(cards[:7]), code, small)[at]
        for pays in (paying(), paying(higher), paying(games=False))
    )
    assert -3.0 <= without <= low + 1e-12
    assert low <= high + 1e-12


@pytest.mark.proof
def test_hundreds_of_states_are_summed_card_by_card():
    """Of every kind, five and seven cards, with and without the game; a state of seven in all its 21 settings."""
    chance = random.Random(24)
    count = proof.size(200, 6)
    begun, worst = time.monotonic(), 0.0
    solver = states.Solver(STARTING, None, True, THREADS, FOLDER)
    for number in range(count):
        kind = ("any", "flush", "draw", "paired", "straight")[number % 5]
        cards, open_card = _drawn(chance, kind)
        games = number % 4 == 0
        pays = slow_edge.Pays(COEFFICIENTS, games=games)
        if number % 3 == 2:
            code, suits = _code(cards[:5]), suits_of(cards[:5])
            worth = solve.setting(paying(games=games), suits, code, None)
            fast = worth["shdc".index(open_card[1]), report.RANK_NAMES.index(open_card[0])]
            slow = slow_edge.bet(pays, cards[:5], open_card, cards[:5], None)
        else:
            answer = solver.answer({"cards": cards, "open": open_card, "games": games})
            setting = answer["setting"]
            smalls = combinations(cards, 2) if not games else [tuple(setting["small"])]
            slow = max(
                slow_edge.bet(pays, cards, open_card, [card for card in cards if card not in small], list(small))
                for small in smalls
            )
            fast, slow = answer["choices"]["bet"], slow - 1.0
        worst = max(worst, abs(fast - slow))
        assert fast == pytest.approx(slow, abs=1e-6), (cards, open_card, games)
    print(f"\n{count} states in {time.monotonic() - begun:.0f} s, at most {worst:.1e} apart")


@pytest.mark.proof
def test_the_pairs_that_five_cards_may_buy_are_summed_one_by_one():
    """What buying is worth, against the mean over the 1,035 pairs of what seven cards are worth each by itself."""
    chance = random.Random(35)
    hands = []
    for number in range(proof.size(40, 3)):
        cards, open_card = _drawn(chance, ("any", "flush", "draw", "paired")[number % 4])
        hands.append((cards[:5], open_card))
    solver = states.Solver(STARTING, None, False, THREADS, FOLDER)
    for cards, open_card in hands:
        answer = solver.answer({"cards": cards, "open": open_card})
        rest = [card for card in slow_edge.PACK if card not in cards and card != open_card]
        known, total = {}, 0.0
        for pair in combinations(rest, 2):
            suits = suits_of([*cards, *pair])
            # The suits that hold neither a card of the dealer's nor five of the player's can't be told apart.
            key = (tuple(sorted(map(int, suits))), int(suits["shdc".index(open_card[1])]))
            if key not in known:
                known[key] = solver.answer({"cards": [*cards, *pair], "open": open_card})["choices"]
            total += max(known[key].values())
        assert answer["choices"]["buy"] == pytest.approx(total / 1035, abs=1e-8), (cards, open_card)


@pytest.mark.proof
def test_the_starting_sheet_has_its_known_edge_and_its_parts_add_up():
    """Without the game in the short form too; with it, and Monte Carlo through the game itself, in the whole."""
    expected = {False: "-0.223603067", True: "-0.212089360"}
    for games in (False, True)[: proof.size(2, 1)]:
        made = computed(games)
        assert made["expectation"] == expected[games]
        parts = [*(row["contribution"] for row in made["categories"]), *made["rest"].values()]
        assert sum(map(float, parts)) == pytest.approx(float(made["expectation"]), abs=1e-8)
        shares = made["choices"]
        assert sum(float(shares[name]) for name in ("fold", "bet", "buy")) == pytest.approx(1.0, abs=1e-8)
        print(f"\nwith the game: {games}; {made['expectation']}, {made['choices']}, {made['seconds']} s")
    if not games:
        assert [round(float(shares[name]), 4) for name in ("fold", "bet", "buy")] == [0.1849, 0.4136, 0.4016]


@lru_cache(maxsize=2)
def computed(games):
    return report.figures({}, games=games, threads=THREADS, folder=FOLDER)


def by_open_card(made, name):
    return np.array([float(row[name]) for row in made["open_cards"]])


@pytest.mark.proof
def test_figures_by_open_card_come_to_those_of_the_sheet():
    """The law of total variance: the variances, and that of the expectations. What is won above 14 ANTE is cut off; two
    boxes against the same hand win and lose together, and less so than a box with itself."""
    for games in (False, True)[: proof.size(2, 1)]:
        made = computed(games)
        assert [row["rank"] for row in made["open_cards"]] == list(report.RANK_NAMES)
        means, variances = by_open_card(made, "expectation"), by_open_card(made, "variance")
        assert means.mean() == pytest.approx(float(made["expectation"]), abs=1e-8)
        assert variances.mean() + means.var() == pytest.approx(float(made["standard_deviation"]) ** 2, abs=1e-7)
        assert (by_open_card(made, "expectation_cut") < means).all()
        assert (by_open_card(made, "covariance") > 0).all()
        assert (by_open_card(made, "covariance") < variances).all()
        assert 0 < float(made["covariance_error"]) < 0.05


@pytest.mark.proof
@pytest.mark.parametrize(
    "games", [False, True][: proof.size(2, 1)], ids=["without", "with-the-game"][: proof.size(2, 1)]
)
def test_rounds_played_by_the_best_play_come_to_the_figures(games):
    """Whole rounds of six boxes, each paid by `casino.games.split`: within three standard errors of the expectation,
    also where wins end at 14 ANTE, and of the covariance. In the whole form that of the expectation is 0.001 at most.

    Each card is open equally often, so the mean of the thirteen means by its rank has no bias and a standard error that
    is made of theirs. The short form plays fewer rounds, and without the game.
    """
    count, made = proof.size(1_768_000, 52_000), computed(games)
    solution = played_rounds.solved(games, THREADS, FOLDER)
    slow = slow_edge.Pays(COEFFICIENTS, games=games)
    checks = played_rounds.Checks(sums=0.0 if games else proof.size(0.1, 0.3))
    began, processor = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    means = by_open_card(made, "expectation")
    sums, shares, checked = np.zeros((len(means), 3, 2)), 0, 0
    for piece in played_rounds.played(solution, slow, count, THREADS, checks):
        nets = piece.nets / 100
        excess = nets - means[piece.ranks][:, None]
        product = (excess.sum(axis=1) ** 2 - (excess**2).sum(axis=1)) / (BOXES * (BOXES - 1))
        for row, values in enumerate((nets.mean(axis=1), np.minimum(nets, float(luck.CUT)).mean(axis=1), product)):
            for rank in range(len(means)):
                own = values[piece.ranks == rank]
                sums[rank, row] += own.sum(), (own**2).sum()
        shares, checked = shares + piece.shares, checked + piece.checked
    each, names = count / len(means), ("expectation", "expectation_cut", "covariance")
    began, processor = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - processor
    print(f"\n{count} rounds of six boxes, with the game: {games}; {began:.0f} s, {processor:.0f} s of processors")
    print("made once more: {} of five cards, {} of seven, {} and {} games, {} settings card by card".format(*checked))
    for name, total, squares in zip(names, sums[:, :, 0].T, sums[:, :, 1].T, strict=True):
        of_ranks = total / each
        error = np.sqrt(((squares / each - of_ranks**2) / each).sum()) / len(means)
        apart = of_ranks.mean() - (float(made[name]) if name in made else by_open_card(made, name).mean())
        print(f"{name}: {of_ranks.mean():+.5f}, {apart:+.5f} from what was computed, standard error {error:.5f}")
        assert abs(apart) <= 3 * error + (float(made["covariance_error"]) if name == "covariance" else 0.0), name
        assert name != "expectation" or error <= proof.size(0.001, 0.006)
    fold, bet, buy_bet, buy_fold, bought = shares / (count * BOXES)
    for name, share in {
        "fold": fold, "bet": bet, "buy": buy_bet + buy_fold, "buy_then_fold": buy_fold, "game_bought": bought
    }.items():  # fmt: skip
        # The boxes of a round are at worst as good as one box.
        error = (share * (1 - share) / count) ** 0.5
        assert abs(share - float(made["choices"][name])) <= 3 * error, name


@pytest.mark.proof
def test_the_boxes_that_are_sampled_play_the_best_play():
    """With the game, where it is theirs to buy it too: what they win on average is the exact expectation."""
    games = proof.size(2, 1) == 2
    solution = played_rounds.solved(games, THREADS, FOLDER)
    means = by_open_card(computed(games), "expectation")
    sample = boxes.together(solution, means, THREADS, lambda share: None, proof.size(200_000, 2_000))
    apart = (sample.mean - means) / sample.mean_error
    print(f"\nwith the game: {games}; covariance {sample.covariance.mean():.4f}; apart {apart.round(1)}")
    assert (abs(apart) < 4).all()
    assert abs((sample.mean - means).mean()) < 3 * np.sqrt((sample.mean_error**2).sum()) / 13
    error = np.hypot(sample.error, float(computed(games)["covariance_error"]))
    assert (abs(sample.covariance - by_open_card(computed(games), "covariance")) < 4 * error).all()


@pytest.mark.proof
def test_a_worker_computes_what_is_asked_for(fresh_db):
    """By the reading of split.8 that gives the player an edge: without the game, it takes half the time."""
    edge_results.ask(
        {"game": "split", "version": 1, "limits": {}, "coefficients": {}, "parameters": {"unseen_cards": "house_way"}}
    )
    assert edge_work.compute_due(within=1) == 1
    row = EdgeResult.objects.get()
    assert (row.status, row.progress, row.tries) == (STATUS.DONE, 1000, 1)
    figures = {name: value for name, value in row.figures.items() if name != "sheet"}
    assert set(figures) == set(edges.figures())
    parts = [*(each["contribution"] for each in figures["categories"]), *figures["rest"].values()]
    assert figures["edge_percent"].startswith("-42.34")
    assert abs(sum(map(Decimal, parts)) - Decimal(figures["expectation"])) < Decimal("0.0001")
    assert edge_work.compute_due(within=1) == 0


@given(
    low=st.integers(1, 300),
    lines=st.lists(st.tuples(st.integers(-50, 50), st.integers(0, 9_000)), min_size=1, max_size=6),
    wide=st.integers(0, 20_000),
    wanted=st.integers(-200, 200),
)
@hypothesis_settings(deadline=None)
def test_a_concave_edge_gives_the_same_step_as_halving(low, lines, wide, wanted):
    """The best play is the least of lines that fall: one for each play. Where it bends little few are asked for."""

    def edge(step):
        return min(constant - fall * (step - low) / 10_000 for constant, fall in lines)

    good, edges = seek.largest(edge, low, low + wide, wanted / 4, concave=True)
    plain, halved = seek.largest(edge, low, low + wide, wanted / 4, concave=False)
    assert good == plain
    if good is not None:
        assert edges[good] >= wanted / 4
        assert good == low + wide or edges[good + 1] < wanted / 4
    assert len(edges) <= 2 * len(halved)
    assert all(low <= step <= low + wide for step in edges)


def test_a_royal_flush_is_sought_among_19_901_steps_by_few_of_them():
    wanted = [20.8, 20.0, 15.0, 5.0, -5.0]
    counts = {
        concave: [len(seek.largest(_bent, 100, 20_000, each, concave=concave)[1]) for each in wanted]
        for concave in (True, False)
    }
    assert max(counts[True]) <= 8
    assert min(counts[False]) >= 14


def _bent(step):
    """About what a royal flush costs, as it changes with the play that follows it."""
    return min(21.21 - 0.00088 * (step - 200), 23.0 - 0.0019 * step)


def test_halving_finds_what_falls_in_steps():
    """With a chip and a maximum the edge is no concave line."""

    def edge(step):
        return 20.0 - step // 4

    assert [seek.largest(edge, 8, 40, wanted, concave=False)[0] for wanted in (18.0, 17.5, 18.5, 0.0)] == [
        11,
        11,
        None,
        40,
    ]


@pytest.mark.proof
def test_the_coefficient_that_is_sought_is_the_largest_with_that_edge():
    """A step more and the house has less; only in the whole form, for each answer solves the sheet some times."""
    if proof.size(2, 1) == 1:
        options = {"sheet": STARTING, "category": "two_pair", "edge_percent": 99.0}
    else:
        options = {"sheet": STARTING, "category": "flush", "edge_percent": 22.0}
    answer = seek.seek(
        **options, ante_units=None, games=False, threads=THREADS, folder=FOLDER, progress=lambda share: None
    )
    if options["category"] == "two_pair":
        assert answer.coefficient is None
        return
    assert answer.edge_percent >= 22.0
    ratios = list(STARTING.coefficients)
    ratios[4] = seek._ratio(2 * answer.coefficient.numerator // answer.coefficient.denominator + 1)
    tables = solve.tables(THREADS, lambda share: None, FOLDER)
    pays = report.pays(STARTING._replace(coefficients=tuple(ratios)), None, False)
    assert -100 * seek.expectation(solve.solve(pays, tables, THREADS, lambda share: None)) < 22.0


def _code(cards):
    spread = np.array([sum(name == card[0] for card in cards) for name in report.RANK_NAMES])
    return int(ranks.strength_of(spread, len({card[1] for card in cards}) == 1))


def _drawn(chance, kind):
    """Seven cards and an open one of a kind: five to seven of a suit, four, a pair of the open card's rank, five in a
    row."""
    names, suit = report.RANK_NAMES, chance.choice("shdc")
    if kind == "flush":
        cards = [rank + suit for rank in chance.sample(names, chance.choice((5, 5, 6, 7)))]
    elif kind == "draw":
        cards = [rank + suit for rank in chance.sample(names, 4)]
    elif kind == "paired":
        rank = chance.choice(names)
        cards = [rank + one for one in chance.sample("shdc", 2)]
    elif kind == "straight":
        low = chance.randrange(9)
        cards = [rank + chance.choice("shdc") for rank in names[low : low + 5]]
    else:
        cards = []
    rest = [card for card in slow_edge.PACK if card not in cards]
    cards += chance.sample(rest, 7 - len(cards))
    rest = [card for card in rest if card not in cards]
    if kind == "paired":
        same = [card for card in rest if card[0] == cards[0][0]]
        return cards, chance.choice(same or rest)
    if kind == "straight" or chance.random() < 0.5:
        same = [card for card in rest if card[1] == cards[0][1]]
        return cards, chance.choice(same or rest)
    return cards, chance.choice(rest)
