"""What the screens may show of a Presidential Poker round, and the words for it."""

from collections.abc import Sequence

from casino.games.game import BoxView, HandView, View
from casino.games.presidential.facts import Facts
from casino.games.presidential.hands import CARDS, NAMES, best
from casino.games.presidential.settle import Shown, groups, show
from casino.games.presidential.state import Player, State, turn
from casino.games.sentences import announced, spoken_number
from casino.games.showdown import Hand, Showdown
from casino.phrases import phrases

WORDS = phrases(
    "presidential.word",
    {
        # wagers
        "ante": "Ante",
        "open": "Open",
        "call": "Call",
        "raise": "Raise",
        # hands
        "hand": "Hand",
        # boxes
        "wait": "Waits",
        "next": "Next",
        "anted": "Anted",
        "checked": "Checked",
        "bet": "Bet",
        "even": "Even",
        "drawn": "Drawn",
        "folded": "Dropped",
        "shown": "Shown",
        # outcomes
        "win": "Takes the pot",
        "split": "Shares the pot",
        "lose": "Lost",
        "dropped": "Dropped",
        "void": "Void",
        # limits
        "bet_limit": "Bet",
    },
)
"""What a code is called on screens: of a wager, a hand, a box, an outcome."""

NOTES = phrases("presidential.note", {"drew": "Drew {count}", "stood_pat": "Stood pat"})

SAY = phrases(
    "presidential.say",
    {
        "antes": "{box}, the ante.",
        "again": "Nobody opened. {dealer} deals. {box}, another ante.",
        "no_bet": "{box}: check or open?",
        "no_bet_second": "{box}: check or bet?",
        "bet": "{box}: call, raise or drop?",
        "bet_last": "{box}: call or drop?",
        "drawing": "{box}: how many cards?",
        "showing": "{box} shows.",
        "won": "{box} takes the pot: {hand}.",
        "split": "{box} share the pot: {hand}.",
        "unmet": "Nobody meets the bet. {box} takes the pot.",
    },
)
DEALER = phrases(
    "presidential.dealer",
    {
        "deals": "Box {box} deals",
        "deals_again": "Box {box} deals, deal {deals}",
        "card": "{deals}; {count} card in the stock",
        "cards": "{deals}; {count} cards in the stock",
        "card_short": "{deals}; {count} card in the stock: for more, shuffle the {discards} discarded",
        "cards_short": "{deals}; {count} cards in the stock: for more, shuffle the {discards} discarded",
        "opened": "{deals}; opened by box {box}",
        "ahead": "Ahead: {hand}",
        "best": "Best hand: {hand}",
    },
)


def view(state: State) -> View:
    """What is seen of the round: hands are closed until they are shown."""
    now, best_hands = turn(state), _best(state)
    return View(
        phase=state.phase,
        places=tuple(sorted(state.places)),
        boxes=tuple(sorted(_box(state, player, now) for player in state.players)),
        hands=tuple(_hand(state, player) for player in state.active if player.anted),
        wagers=state.wagers,
        turn=None if now is None else now.box,
        pot_units=state.staked_units,
        final=now is None,
        say=_say(state, now, best_hands),
        dealer=_dealer(state, now, best_hands),
    )


def _box(state: State, player: Player, now: Player | None) -> BoxView:
    number, note = player.box, _note(state, player)
    if player.dropped:
        return BoxView(number, "folded", WORDS["folded"])
    if player == now:
        return BoxView(number, "next", WORDS["next"], note)
    if player.cards:
        return BoxView(number, "shown", WORDS["shown"], note)
    match state.phase:
        case "antes":
            return BoxView(number, "bet", WORDS["anted"]) if player.anted else _waits(player, note)
        case "drawing":
            return _waits(player, note) if player.drawn is None else BoxView(number, "bought", WORDS["drawn"], note)
        case "showing":
            return _waits(player, note)
    if not player.spoke:
        return _waits(player, note)
    if not state.opened:
        return BoxView(number, "wait", WORDS["checked"], note)
    return BoxView(number, "bet", WORDS["bet" if number == state.leader else "even"], note)


def _waits(player: Player, note: str) -> BoxView:
    return BoxView(player.box, "wait", WORDS["wait"], note)


def _note(state: State, player: Player) -> str:
    """How many cards it replaced."""
    if player.drawn is None:
        return ""
    return NOTES["drew"].format(count=spoken_number(player.drawn)) if player.drawn else NOTES["stood_pat"]


def _hand(state: State, player: Player) -> HandView:
    if player.cards:
        return HandView(player.box, "hand", player.cards, NAMES[best(state.sheet.pack, player.cards).name])
    return HandView(player.box, "hand", (None,) * CARDS)


def _best(state: State) -> list[Shown]:
    """The players who are ahead of all hands shown so far."""
    open_hands = tuple(Hand(str(player.box), player.cards) for player in state.active if player.cards)
    facts = Facts(state.sheet.pack, Showdown(None, open_hands, None), ())
    return groups(show(facts))[0] if open_hands else []


def _say(state: State, now: Player | None, ahead: Sequence[Shown]) -> str:
    winners = [int(hand.player) for hand in ahead] or [state.active[0].box]
    boxes = winners if now is None else [now.box]
    hand = NAMES[ahead[0].best.name].within() if ahead else ""
    return SAY[_message(state, now, ahead)].format(box=announced(boxes), dealer=announced([state.dealer]), hand=hand)


def _message(state: State, now: Player | None, ahead: Sequence[Shown]) -> str:
    if now is None:
        return "unmet" if state.unmet else "won" if len(ahead) == 1 else "split"
    match state.phase:
        case "antes":
            return "again" if state.deals > 1 else "antes"
        case "drawing" | "showing":
            return state.phase
    if state.opened:
        return "bet" if state.raises < state.sheet.raises else "bet_last"
    return "no_bet" if state.phase == "first" else "no_bet_second"


def _dealer(state: State, now: Player | None, ahead: Sequence[Shown]) -> str:
    """What the dealer's place says: who deals; how many cards, while they are drawn; who opened; then the best hand."""
    if ahead:
        return DEALER["ahead" if now else "best"].format(hand=NAMES[ahead[0].best.name].within())
    deals = DEALER["deals" if state.deals == 1 else "deals_again"].format(box=state.dealer, deals=state.deals)
    if state.phase == "drawing":
        message = "card" if state.stock == 1 else "cards"
        if state.stock < CARDS and state.discards:
            message += "_short"
        return DEALER[message].format(deals=deals, count=state.stock, discards=state.discards)
    if state.opener is not None and state.phase == "first":
        return DEALER["opened"].format(deals=deals, box=state.opener)
    return deals
