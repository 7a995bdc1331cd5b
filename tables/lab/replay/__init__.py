"""`manage.py replay`: a recorded night played again, over many tables at once, through the verbs of the terminal.

Every line of the file is adjudicated twice: by the product, which gets its actions one command after the other and
settles the round, and by `casino/adjudicate.py`, from the line as it stands in the file. At the end, both must agree on
every payment, and the transfers must be what the payments come to.

The database shows how far a night has come: how many rounds each of its tables has, and how many actions the open one
has. So it may be killed at any moment, and the same command goes on.
"""
