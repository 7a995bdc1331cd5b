"""What `check --deploy` says of the log's anchor, which proves little while it is our own file."""

import os

from django.core.checks import Warning as Warned
from django.core.checks import register

from . import anchor


@register(deploy=True)
def the_anchor_is_somebody_elses(app_configs, **kwargs):
    """A person who takes over this account must not get the anchor with it."""
    path = anchor.path()
    hint = "Let another account own it, with us in a group that may append: see the anchor in docs/operations.md."
    try:
        owner = path.stat().st_uid
    except OSError:
        return [Warned(f"The anchor {path} can't be found: ANCHOR_FILE.", hint=hint, id="audit.W001")]
    if owner == os.geteuid():
        return [Warned(f"The anchor {path} belongs to this very account.", hint=hint, id="audit.W002")]
    return []
