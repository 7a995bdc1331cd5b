"""Split Poker: boxes play a Big Hand of five and a Small Hand of two against the dealer (rules/split.md)."""

from casino.games.decks import FIFTY_TWO, always
from casino.games.game import Game
from casino.games.split import (
    explain,
    facts,
    irregularities,
    leaflet,
    payments,
    play,
    sentences,
    settle,
    sheet,
    slots,
    state,
    view,
)

SPLIT: Game[sheet.Sheet, state.State, facts.Facts] = Game(
    code="split",
    name="Split Poker",
    bank="house",
    clauses=sheet.CLAUSES,
    parameters=sheet.PARAMETERS,
    phases=play.PHASES,
    actions=play.ACTIONS,
    words=view.WORDS,
    sentences=sentences.SENTENCES,
    irregularities=irregularities.IRREGULARITIES,
    sheet=sheet.sheet,
    values=sheet.values,
    deck=always(FIFTY_TWO),
    start=state.start,
    legal=play.legal,
    act=play.act,
    view=view.view,
    facts=play.facts,
    read=facts.read,
    slots=slots.slots,
    stakes=payments.stakes,
    settle=settle.settle,
    outcomes=settle.outcomes,
    pay=payments.pay,
    explain=explain.explain,
    leaflet=leaflet.leaflet,
)
