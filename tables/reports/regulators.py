"""What regulators, and a system that casinos know, call each report; only words with a source.

A report is found by these words on the list of reports. Keys are names of reports. No text of Nevada's Minimum Internal
Control Standards for table games with names of reports was found, only notes, so they name nothing here; N.J.A.C.
13:69O is about gaming by internet.
"""

NEW_JERSEY, MARYLAND, NEVADA = "New Jersey, N.J.A.C.", "Maryland, COMAR", "Nevada"
UNITED_STATES, LGS = "United States", "LGS"

# New Jersey: regulations.justia.com, 13:69D-1.21 and 1.34, register of 16 September 2024; casetext.com, 1.2, 1.5 and
# 1.34, of 7 October and 4 November 2024; 13:69D-1.23 as casino/standards/njac.toml has it. Maryland: dsd.state.md.us,
# 36.05.03.02 and .25; casetext.com, 36.05.03.15, register of 1 November 2024; mdrules.elaws.us, 36.05.02.11. LGS: the
# page of its table games, lgsreno.com/casino-management-system/table-games/. Nevada: mondaq.com, 724892, of Regulation
# 7A. United States: laws9.com, 31 CFR 1021.311; gamingtoday.com, "Casinos brace for life after Reg. 6A", 3 July 2007.
CALLED = {
    "master-game": (
        (NEW_JERSEY, "Master Game Report (MGR), 13:69D-1.34"),
        (MARYLAND, "Gross table game revenue, 36.05.03.15"),
        (LGS, "Drop & Win Summary, Gross Gaming Revenue"),
    ),
    "fills-and-credits": (
        (NEW_JERSEY, "Credit Slip, 13:69D-1.23"),
        (MARYLAND, "Fill Slips, Credit Slips, 36.05.03.15"),
        (LGS, "Fill & Credit report"),
    ),
    "slip-numbers": (
        (NEW_JERSEY, "The accounting for each series of slips, 13:69D-1.23"),
        (NEW_JERSEY, "Exceptions of serial numbers accounted for, 13:69D-1.5"),
        (LGS, "Unused Fill/Credit Slips report"),
    ),
    "count-sheets": (
        (NEW_JERSEY, "Table Inventory Slip: Opener, Closer, 13:69D-1.21"),
        (MARYLAND, "Table Inventory Slip, 36.05.03.02"),
        (LGS, "Stiff sheet, Chip Inventory"),
    ),
    "drop-boxes": ((LGS, "Softcount"),),
    "exceptions": (
        (NEW_JERSEY, "Report of all exceptions, 13:69D-1.34"),
        (LGS, "Audit, Transaction inquiry"),
    ),
    "disputes": ((NEVADA, "Patron disputes, Regulation 7A"),),
    "large-cash": (
        (UNITED_STATES, "Transactions in currency, 31 CFR 1021.311: what a Currency Transaction Report (CTR) is about"),
        (UNITED_STATES, "Multiple Transaction Log (MTL), but for its names of patrons"),
    ),
    "adjustments": ((NEW_JERSEY, "Report of all adjustments to the Master Game Report, 13:69D-1.34"),),
    "daily-exceptions": ((NEW_JERSEY, "Report of all exceptions noted during the daily audit, 13:69D-1.34"),),
    "statistics": (
        (NEW_JERSEY, "Statistical game records, 13:69D-1.2"),
        (MARYLAND, "Table Game Statistical Data, 36.05.03.25"),
        (LGS, "Drop & Win Summary"),
    ),
    "investigations": (
        (NEW_JERSEY, "Investigations of negative poker revenue, 13:69D-1.34"),
        (MARYLAND, "Written investigation results, 36.05.03.25"),
    ),
    "chips-in-circulation": ((MARYLAND, "Chip inventory ledger, 36.05.02.11"),),
}
