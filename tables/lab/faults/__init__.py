"""`manage.py faults`: settlement proven on a stack of its own whose parts are killed, stopped and lied to.

Croupiers play short rounds through the product's verbs while a plan of faults, the same for the same seed, strikes the
real worker, beat, broker and database. The product has no crash points: where a worker is to be killed between two
statements, the table that the second one needs is locked, and the worker is killed once it waits there. After each
fault and at the end, the database is checked against what the rules alone say.
"""
