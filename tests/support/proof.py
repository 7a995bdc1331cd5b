"""How much a long proof does: all of it by `make proof`, a taste with the same seeds by `make proof SHORT=1`."""

import os

SHORT = os.environ.get("PROOF_SHORT") == "1"


def size(whole, short):
    """The number of rounds, cases or attacks that a proof is made with."""
    return short if SHORT else whole
