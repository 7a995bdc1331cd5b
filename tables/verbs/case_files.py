"""Files of cases: one is made for each state of its case, kept as it was made, and its digest stands in the log.

Whoever may read the case may have its file; the first who asks in each state has it made.
"""

import hashlib

from audit import log

from ..models import Case, CaseFile


def make(*, case_id, printed, actor):
    """Keep the file of a case; return the one already kept, if it has the very same bytes.

    :param printed: its bytes, and the size of the log that they have proofs of.
    """
    case = Case.objects.select_for_update(no_key=True, of=("self",)).select_related("table").get(pk=case_id)
    content, size = printed
    digest = hashlib.sha256(content).hexdigest()
    kept = CaseFile.objects.filter(case=case, digest=digest).first()
    if kept:
        return kept
    file = CaseFile.objects.create(case=case, digest=digest, content=content, size=size, made_by=actor.by)
    facts = {"case": case.ref, "digest": digest, "checkpoint": size}
    log.record("case.filed", file.ref, chain=case.table.ref, actor=actor, facts=facts)
    return file
