"""`manage.py month`: a house with a month of gaming days behind it, its reports, and each of them worked out again.

The database's clock is set back to each night (`tables/lab/clock.py`); what happens there is done by the verbs of the
product, by the demo's people, under all guards. Then the worker's own function makes each report of the month, and
`audit/verify_export.py`, in a process of its own, checks its file against an export.
"""
