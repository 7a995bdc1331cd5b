"""How the log stands, for the admin's first page: sealed and anchored how far, and what stands in the way."""

from . import seal
from .models import Anchor, Checkpoint, Sealing


def of_log():
    """As `/readyz` tells it, with the sizes and reasons that are not for everybody."""
    found = seal.measure()
    state = Sealing.objects.get()
    return found | {
        "sealed": Checkpoint.objects.order_by("-size").values_list("size", flat=True).first() or 0,
        "anchored": Anchor.objects.order_by("-checkpoint").values_list("checkpoint", flat=True).first() or 0,
        "reasons": list(dict.fromkeys(filter(None, (state.refused, state.unanchored)))),
    }
