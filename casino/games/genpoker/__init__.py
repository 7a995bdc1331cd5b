"""Genpoker: five cards of the Six Generations deck, one exchange, and a showdown for the pot (rules/genpoker.md)."""

from casino.games import showdown
from casino.games.decks import always
from casino.games.game import Game
from casino.games.genpoker import (
    cards,
    explain,
    facts,
    frequencies,
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

GENPOKER: Game[sheet.Sheet, state.State, facts.Facts] = Game(
    code="genpoker",
    name="Genpoker",
    bank="pot",
    seats=sheet.PLAYERS,
    clauses=sheet.CLAUSES,
    chapters=sheet.CHAPTERS,
    parameters=sheet.PARAMETERS,
    phases=play.PHASES,
    actions=play.ACTIONS,
    words=view.WORDS,
    sentences=sentences.SENTENCES,
    spoken=sentences.SPOKEN,
    irregularities=irregularities.IRREGULARITIES,
    sheet=sheet.sheet,
    values=sheet.values,
    deck=always(cards.SIXTY_FOUR),
    start=state.start,
    legal=play.legal,
    act=play.act,
    view=view.view,
    facts=play.facts,
    read=facts.read,
    slots=slots.slots,
    settle=settle.settle,
    outcomes=showdown.outcomes,
    pay=payments.pay,
    explain=explain.explain,
    frequencies=frequencies.frequencies,
    leaflet=leaflet.leaflet,
)
