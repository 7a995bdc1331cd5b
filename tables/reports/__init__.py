"""What an inspector asks for: reports over gaming days, each a query and a table of its columns. Nothing is written.

A report of a period that is over, and of which each gaming day is closed, is FINAL: its file has the same bytes,
whoever asks for it, on whichever machine and however much later.
"""
