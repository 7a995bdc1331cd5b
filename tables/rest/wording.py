"""What REST says of the tables besides what the verbs say: see `casino.wording`."""

from casino.wording import Refusal, Wording

WORDING = Wording(
    "rest",
    {
        # cage
        "signature_without_right:cage": Refusal(
            "The counts differed twice, and neither of the two who sign may say which one stands.",
            "A pit boss signs.",
            403,
            "signature",
        ),
        # cases
        "owner_wrong": Refusal("Nobody is staff {number}.", "Name a pit boss of the table’s pit.", 422, "owner"),
        # command
        "field_wrong:object": Refusal("{name} isn’t an object.", "Send an object.", 422),
        "field_wrong:twice": Refusal("{name} is set twice.", "Set it once.", 422),
        "field_wrong:whole_number": Refusal("{name} isn’t a whole number.", "Send a whole number.", 422),
        # disputes
        "signature_missing:dispute": Refusal(
            "A ruling that changes the round or refuses the dispute takes two people.",
            "A pit boss signs with login and password.",
            422,
            "signature",
        ),
        # drop_boxes
        "signature_without_right:count_team": Refusal(
            "Whoever signed isn’t of the count team.", "Another of the count team signs.", 403, "signature"
        ),
        "signature_without_right:decides": Refusal(
            "The counts differed twice, and whoever signed may not say which one stands.",
            "A pit boss signs.",
            403,
            "signature",
        ),
        # moments
        "field_wrong:moment": Refusal("{name} isn’t a moment.", "Send one such as 2026-11-25T06:00:00+01:00.", 422),
        "field_wrong:shown": Refusal(
            "{name} isn’t a moment.", "Send one such as 2026-11-25T06:00 or 2026-11-25T06:00:00+01:00.", 422
        ),
        "time_left_out": Refusal(
            "The clocks never showed {time} on {date}: they were put forward.",
            "Enter the time as the clocks showed it then.",
            422,
        ),
        "time_twice": Refusal(
            "The clocks showed {time} twice on {date}: they were put back.",
            "Say which of the two it was, the first or the second.",
            422,
        ),
        # rounds
        "signature_missing:ruling": Refusal(
            "Only a pit boss rules.", "A pit boss signs with login and password.", 422, "signature"
        ),
        # sheets
        "game_unknown": Refusal("The house has no game {game}.", "Choose one of: {games}.", 422, "game"),
        "place_unknown": Refusal(
            "The sheet has no place {place}, or its table is out of your reach.",
            "Name places of the sheet that are at tables of your pit.",
            422,
        ),
        "table_unknown": Refusal(
            "There is no table {table}, or it’s out of your reach.", "Name tables of your pit.", 422
        ),
        # slips
        "by_cage": "The cage does this.",
        "by_count_team": "Two of the count team do this.",
        "by_counter": "A croupier of the pit, a pit boss or the cage counts.",
        "by_croupier": "The croupier who is signed on at the table does this.",
        "by_pit_boss": "A pit boss of the table does this.",
        "by_pit_boss_and_second": "A pit boss of the table does this, with a second person.",
        "by_pit_boss_of_two": "A pit boss of the table does this; where two count, one of them is that pit boss.",
        "by_supervisor": "A pit boss counts second, at their own login or by their signature at the terminal.",
        "by_witness": "A pit boss or the cage counts second, at their own login or by their signature.",
        "carrier_unknown": Refusal("Nobody is {carrier}.", "Name a person, such as staff:12.", 422, "carrier"),
        "not_your_right": Refusal("Your role may not do this at this table.", "{way_out}", 403),
        "signature_without_right:second": Refusal(
            "The second person may not do this at this table.", "{way_out}", 403, "signature"
        ),
    },
)
