"""`manage.py replay`: a recorded night played again, over many tables at once, through the verbs of the terminal.

Every line of the file is adjudicated twice: by the product, which is given its actions one command after the other and
settles the round, and by `casino/adjudicate.py` from the line as it stands in the file. At the end both must agree in
every payment, and every transfer must be what the payments come to.

How far a night has come is what the database holds of it: how many rounds each of its tables has, and how many actions
the open one. So it may be killed at any moment, and the same command goes on.
"""
