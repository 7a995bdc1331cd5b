"""What a croupier or a player reads of a game is made of sentences of the catalogue: another language has them too."""

import json
import random
import re
from collections.abc import Mapping
from itertools import islice

import pytest

from casino import phrases
from casino.games import lines, reasons
from casino.games.bigtwo import BIGTWO
from casino.games.game import Action, Refusal
from casino.games.leaflets import Row
from casino.games.sentences import Ear, tell, word
from casino.phrases import Phrase

from ..support import evening, play
from ..support.bigtwo_rounds import line_of
from . import test_bigtwo_cases, test_bigtwo_unseen, test_dynastia_cases, test_leaflets, test_presidential_cases
from .test_whole_chips import SHEETS, play_one, sheet_of

FEW = 3
"""Rounds of Big Two, which are long."""
ROUNDS = {name: (seats, FEW if "bigtwo" in name else count) for name, (_, seats, count) in SHEETS.items()}
"""The seats of rounds and how many are played."""
CASES = {
    "dynastia": [*map(test_dynastia_cases.line_of, test_dynastia_cases.CASES)],
    "presidential": [*map(test_presidential_cases.line_of, test_presidential_cases.CASES)],
    "bigtwo": [
        *map(test_bigtwo_cases.compare_line, test_bigtwo_cases.CASES),
        *map(line_of, test_bigtwo_cases.PLAYS),
        *map(test_bigtwo_cases.points_line, test_bigtwo_cases.POINTS),
    ],
}
"""Lines whose explanations rounds played at random seldom have."""
NAMES = pytest.mark.parametrize("name", ROUNDS)
CODES = {"card", "example", "kind", "kinds", "name", "options", "value"}
"""Values of refusals that say what a program sent, or should send."""
NO_WORDS = re.compile(
    r"[a-z]+\.\d+"  # a clause
    r"|(([2-9AKQJ]|10)[♣♦♥♠]( |$))+"  # cards
    r"|[A-Z](-[A-Z])*"  # letters on cards, players of a line
)


KNOWN: set[tuple[str, str]] = set()


def is_known(text):
    if (text.context, text.sentence) not in KNOWN:
        KNOWN.update(phrases.catalogue())
    return (text.context, text.sentence) in KNOWN


def plain(text, name=""):
    """What of a text is no phrase of the catalogue: itself, or values in it."""
    if isinstance(text, Phrase):
        if not is_known(text):
            yield text.context, str(text)
        for key, value in text.values.items():
            yield from plain(value, key)
    elif isinstance(text, str) and name not in CODES and any(map(str.isalpha, text)) and not NO_WORDS.fullmatch(text):
        yield name, text


def check(*texts):
    for text in texts:
        assert not list(plain(text)), text


def check_refusal(refusal):
    check(refusal.message, refusal.way_out, *refusal.values.values())


def check_state(game, state):
    view = game.view(state)
    check(view.say, view.dealer, game.obstacle(state), game.phases[view.phase])
    for box in view.boxes:
        check(box.label, box.note)
    for hand in (*view.hands, *view.gone):
        check(hand.label)
        assert hand.kind in game.words
    assert {wager.kind for wager in view.wagers} <= game.words.keys()
    for offer in game.legal(state):
        check(offer.label, *(field.label for field in offer.fields))
        for field in offer.fields:
            check(*(word(game.words, option) for option in field.options if option not in {"cards", "extra"}))


def astray(game, state, chance):
    """Actions that are not possible now, or not so."""
    boxes = [None, *game.view(state).places]
    yield Action("nonsense")
    for kind in game.actions:
        yield Action(kind, chance.choice(boxes))
    pack = list(game.deck(game.sheet({}), game.view(state).places).copies)
    for offer in game.legal(state):
        right = play.least(game, state, offer).arguments
        yield Action(offer.kind, offer.box, {**right, "nonsense": 1})
        for field in offer.fields:
            for wrong in (None, [], True, 7, 10**15, "nonsense", [pack[0]] * 9, chance.sample(pack, field.minimum % 9)):
                yield Action(offer.kind, offer.box, {**right, field.name: wrong})


def check_astray(game, state, chance):
    """The codes of what is refused in a state."""
    refusals = [
        after for action in astray(game, state, chance) if isinstance(after := game.act(state, action), Refusal)
    ]
    for refusal in refusals:
        check_refusal(refusal)
    return {refusal.code for refusal in refusals}


def check_end(game, sheet, carry, line):
    facts = game.read(json.loads(json.dumps(line)))
    result = game.settle(facts)
    for reason in game.explain(facts, result):
        check(*reason.values.values())
        text = tell(game.sentences, reason)
        assert text[:1].isupper(), text
        if spoken := game.spoken.get(reason.message):
            Ear().vformat(spoken, (), dict(reason.values))
    for outcome in game.outcomes(facts, result):
        check(word(game.words, outcome.outcome))
    for slot in lines.slots(game, line):
        check(slot.label, slot.field.label, *(word(game.words, option) for option in slot.field.options))
    board = game.board(facts, result, sheet, carry)
    check(*(standing.reason for standing in (board.standings if board else ())))
    return game.carry(facts, result, sheet, carry)


def look_through(name, count):
    """Play rounds of a game and check all that is read of them; the codes of refusals."""
    game, (seats, _) = evening.game_of(name), ROUNDS[name]
    sheet, carry, chance, refused = sheet_of(name, 1), None, random.Random(f"phrases of {name}"), set()
    for _ in range(count):
        state = game.start(sheet, seats, carry)
        while not game.view(state).final:
            check_state(game, state)
            refused |= check_astray(game, state, chance)
            _, state = play_one(game, state, chance)
        check_state(game, state)
        line = game.facts(state)
        before, carry = carry, check_end(game, sheet, carry, line)
        check_end(game, sheet, before, {**line, "void": {"clause": "house.4"}})
    return refused


@NAMES
def test_all_that_is_read_in_rounds_is_made_of_phrases(name):
    refused = look_through(name, ROUNDS[name][1])
    assert refused >= {"action_unknown", "action_wrong_moment", "field_unknown", "field_missing", "field_wrong"}


def test_all_that_is_read_of_hands_that_nobody_sees_is_made_of_phrases():
    game, chance = BIGTWO, random.Random("phrases of hands that nobody sees")
    rounds = test_bigtwo_unseen.carried(test_bigtwo_unseen.VALUES, test_bigtwo_unseen.ROUNDS)
    for start, actions, end in islice(rounds, FEW):
        state = start
        for action in actions:
            check_state(game, state)
            check_astray(game, state, chance)
            state = game.act(state, action)
        check_state(game, end)


@pytest.mark.parametrize("name", CASES)
def test_every_explanation_of_a_game_s_cases_is_made_of_phrases(name):
    game, messages = evening.game_of(name), set()
    for line in CASES[name]:
        facts = game.read(line)
        for reason in game.explain(facts, game.settle(facts)):
            messages.add(reason.message)
            check(*reason.values.values())
    # A round that is void is no case; seven cards without a symbol in common are none of the house deck.
    assert set(game.sentences) - messages <= {*reasons.SENTENCES, "round_void", "nothing"}


@pytest.mark.parametrize("name", ["dynastia", "presidential"])
def test_whoever_lost_is_told_what_put_them_behind_whom(name):
    """By a player who is ranked higher."""
    game, compared = evening.game_of(name), 0
    for line in CASES[name]:
        facts = game.read(line)
        result = game.settle(facts)
        place = {player: at for at, group in enumerate(result.get("ranking", ())) for player in group}
        better = {player: set() for player in place}
        for reason in game.explain(facts, result):
            for player in reason.values.get("behind", ()):
                better[player].add(reason.box)
        for player, others in better.items():
            compared += len(others)
            assert all(place[other] < place[player] for other in others), (line, player)
            assert others or not place[player], (line, player)
    assert compared > 20


@NAMES
def test_each_table_of_a_game_is_of_phrases(name):
    game = evening.game_of(name)
    tables: tuple[Mapping[str, str], ...] = (game.clauses, game.chapters, game.phases, game.words, game.sentences)
    for table in (*tables, game.spoken):
        check(*table.values())
    check(*(kind.label for kind in game.actions.values()))
    check(*(text for case in game.irregularities for text in (case.event, case.remedy)))
    check(*(face.name for face in game.deck(game.sheet({}), ROUNDS[name][0]).faces.values()))
    for dealt in game.frequencies(game.sheet({})):
        check(dealt.cards, *(each.name for each in dealt.classes))
    assert set(game.spoken) <= set(game.sentences)


@NAMES
def test_leaflets_are_made_of_phrases_and_no_round_and_no_leaflet_makes_new_ones(name):
    game = evening.game_of(name)
    pages = test_leaflets.variants(game)
    known = set(phrases.catalogue())
    for leaflet in pages:
        check(leaflet.lede)
        for listing in leaflet.listings:
            check(listing.title, *(text for row in listing.rows for text in (row.label, row.value)))
        for chapter in leaflet.chapters:
            check(chapter.title, *(rule.lead for rule in chapter.rules))
        check(*(each.text for each in leaflet.statements() if not isinstance(each, Row)))
    test_leaflets.leaflet(game, {"chip": 1} | ({"ante_minimum": 3} if game.code == "split" else {}))
    look_through(name, count=1)
    assert set(phrases.catalogue()) == known


def test_what_is_said_of_a_pot_is_made_of_phrases():
    check(*reasons.SENTENCES.values(), *reasons.SPOKEN.values())


def test_sentences_have_contexts_and_the_apostrophe_of_print():
    for context, sentence in phrases.catalogue():
        assert re.fullmatch(r"[a-z_]+(\.[A-Za-z0-9_:-]+)*", context), context
        assert sentence == sentence.strip(), context
        assert "'" not in sentence, context
