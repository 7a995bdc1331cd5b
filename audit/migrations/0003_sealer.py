from django.db import migrations

from casino.database import GrantSealer, Revoke, SealerReads, Sql, Timed

# What the sealer alone writes: the tree, its anchors, and what keeps it from going on.
TREE = ("audit_leaf", "audit_subtree", "audit_checkpoint", "audit_anchor")


class Migration(migrations.Migration):
    dependencies = [("audit", "0002_guards")]

    operations = [
        SealerReads(),
        *(Revoke("INSERT", table=table) for table in TREE),
        *(GrantSealer(table, "INSERT") for table in TREE),
        Revoke("USAGE", sequence="audit_subtree_id_seq"),
        Revoke("UPDATE", table="audit_sealing"),
        GrantSealer("audit_sealing", "UPDATE"),
        Revoke("UPDATE", table="audit_export"),
        GrantSealer("audit_export", "INSERT, UPDATE"),
        # Its own entries, at the end of a chain as everybody's.
        GrantSealer("audit_chain", "UPDATE"),
        GrantSealer("audit_entry", "INSERT"),
        Sql("exports.sql", "3465ab005cb5dfd2741829b4c4d3c1b43bcb41fad277e0f449e9afd3c50bbb6d"),
        Timed("audit_checkpoint", "at"),
        Timed("audit_anchor", "at"),
    ]
