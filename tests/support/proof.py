"""How much a proof does: all of it in `make proof`, a part with the same seeds in `make proof SHORT=1`."""

import os

RUN = os.environ.get("PROOF")
"""`whole` or `short` in `make proof`; None in `make test`."""


def size(whole, short):
    """The number of rounds, cases or attacks that a proof is made with."""
    return short if RUN == "short" else whole


def examples(short):
    """The number of examples of a Hypothesis law in a short proof: `make test` takes a quarter of them."""
    return {None: short // 4, "short": short, "whole": 10 * short}[RUN]
