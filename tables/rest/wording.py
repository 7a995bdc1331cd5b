"""What REST says about the tables beyond what the verbs say: see `casino.wording`."""

from casino.wording import Refusal, Wording

WORDING = Wording(
    "rest",
    {
        # cage
        "signature_without_right:cage": Refusal(
            "The counts differed twice, and neither of the two who sign may say which one stands.",
            "Have a pit boss sign.",
            403,
            "signature",
        ),
        # cases
        "owner_wrong": Refusal("There is no staff {number}.", "Name a pit boss of the table’s pit.", 422, "owner"),
        # command
        "field_wrong:object": Refusal("{name} isn’t an object.", "Send an object.", 422),
        "field_wrong:twice": Refusal("{name} is set twice.", "Set it once.", 422),
        "field_wrong:whole_number": Refusal("{name} isn’t a whole number.", "Send a whole number.", 422),
        # disputes
        "signature_missing:dispute": Refusal(
            "A ruling that changes the round or refuses the dispute needs two people.",
            "Have a pit boss sign with you.",
            422,
            "signature",
        ),
        # drop_boxes
        "signature_without_right:count_team": Refusal(
            "The second person isn’t in the count team.",
            "Have somebody else from the count team sign.",
            403,
            "signature",
        ),
        "signature_without_right:decides": Refusal(
            "The counts differed twice, and the second person may not say which one stands.",
            "Have a pit boss sign.",
            403,
            "signature",
        ),
        # moments
        "field_wrong:moment": Refusal(
            "{name} isn’t a date and time.", "Send one such as 2026-11-25T06:00:00+01:00.", 422
        ),
        "field_wrong:shown": Refusal(
            "{name} isn’t a date and time.", "Send one such as 2026-11-25T06:00 or 2026-11-25T06:00:00+01:00.", 422
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
        "signature_missing:ruling": Refusal("Only a pit boss can rule.", "Have a pit boss sign.", 422, "signature"),
        # sheets
        "game_unknown": Refusal("The house has no game {game}.", "Choose one of these: {games}.", 422, "game"),
        "place_unknown": Refusal(
            "There is no place {place} of the sheet, or its table is out of your reach.",
            "Name places of the sheet that are at tables of your pit.",
            422,
        ),
        "table_unknown": Refusal(
            "There is no table {table}, or it’s out of your reach.", "Name tables of your pit.", 422
        ),
        # slips
        "by_cage": "Have somebody from the cage do this.",
        "by_count_team": "Have two of the count team do this.",
        "by_counter": "Have a croupier of the pit, a pit boss or somebody from the cage count.",
        "by_croupier": "Have the croupier who’s signed on at the table do this.",
        "by_pit_boss": "Have a pit boss of the table do this.",
        "by_pit_boss_and_second": "Have a pit boss of the table do this, with a second person.",
        "by_pit_boss_of_two": (
            "Have a pit boss of the table do this. If two people count, one of them has to be that pit boss."
        ),
        "by_supervisor": "Have a pit boss count second, at their own login or by their signature at the terminal.",
        "by_witness": (
            "Have a pit boss or somebody from the cage count second, at their own login or by their signature."
        ),
        "carrier_unknown": Refusal("There is no person {carrier}.", "Name one, such as staff:12.", 422, "carrier"),
        "not_your_right": Refusal("Your role may not do this at this table.", "{way_out}", 403),
        "signature_without_right:second": Refusal(
            "The second person may not do this at this table.", "{way_out}", 403, "signature"
        ),
    },
)
