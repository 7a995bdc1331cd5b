"""What an inspector asks for: reports over gaming days, each a query and a table of its columns. Nothing is written.

A report of a period that is over, with each of its gaming days closed, is FINAL: its file has the same bytes, whoever
asks for it, on any machine and however much later.
"""
