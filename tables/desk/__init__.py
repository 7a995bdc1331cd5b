"""The auditor's desk: how the log stands, what came since their last visit, and rounds drawn and played again.

All of it is primitives for `pages/desk.py`; what is recorded there are entries of `audit`.
"""
