import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

from casino.database import Grant

# What was raised stays; it is ruled on once, by nobody who opened, acted in or closed the round, and a line that it
# made is of this round and of these two people. None is ever deleted.
DISPUTES = """
CREATE FUNCTION dispute_moves() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NEW.status <> 'OPEN' THEN
            RAISE EXCEPTION 'a dispute begins open' USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END IF;
    IF (OLD.status, NEW.status) NOT IN (('OPEN', 'RULED'), ('RULED', 'CLOSED')) THEN
        RAISE EXCEPTION 'dispute %: % does not become %', OLD.id, OLD.status, NEW.status
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF (NEW.id, NEW.round_id, NEW.about, NEW.boxes, NEW.statement, NEW.salt, NEW.raised_by_id, NEW.terminal_id,
        NEW.raised_at)
       IS DISTINCT FROM (OLD.id, OLD.round_id, OLD.about, OLD.boxes, OLD.statement, OLD.salt, OLD.raised_by_id,
        OLD.terminal_id, OLD.raised_at) THEN
        RAISE EXCEPTION 'dispute %: what was raised stays', OLD.id USING ERRCODE = 'restrict_violation';
    END IF;
    IF OLD.status <> 'OPEN' THEN
        IF (NEW.ruling, NEW.clause, NEW.reason, NEW.reason_salt, NEW.line_id, NEW.ruled_by_id, NEW.approved_by_id,
            NEW.ruled_at)
           IS DISTINCT FROM (OLD.ruling, OLD.clause, OLD.reason, OLD.reason_salt, OLD.line_id, OLD.ruled_by_id,
            OLD.approved_by_id, OLD.ruled_at) THEN
            RAISE EXCEPTION 'dispute %: its ruling stays', OLD.id USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END IF;
    IF EXISTS (SELECT FROM tables_round WHERE id = NEW.round_id AND opened_by_id = NEW.ruled_by_id)
       OR EXISTS (SELECT FROM tables_action WHERE round_id = NEW.round_id AND by_id = NEW.ruled_by_id)
       OR EXISTS (SELECT FROM tables_line WHERE round_id = NEW.round_id AND ordinal = 1 AND by_id = NEW.ruled_by_id)
    THEN
        RAISE EXCEPTION 'dispute %: who dealt the round does not rule on it', OLD.id
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.line_id IS NOT NULL AND NOT EXISTS (
        SELECT FROM tables_line WHERE id = NEW.line_id AND round_id = NEW.round_id AND ordinal > 1
        AND (by_id, approved_by_id) = (NEW.ruled_by_id, NEW.approved_by_id)) THEN
        RAISE EXCEPTION 'dispute %: its line is of another round or of other people', OLD.id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER moves BEFORE INSERT OR UPDATE ON tables_dispute FOR EACH ROW EXECUTE FUNCTION dispute_moves();
ALTER TABLE tables_dispute ENABLE ALWAYS TRIGGER moves;
CREATE TRIGGER kept BEFORE DELETE ON tables_dispute FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER kept_truncate BEFORE TRUNCATE ON tables_dispute FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE tables_dispute ENABLE ALWAYS TRIGGER kept;
ALTER TABLE tables_dispute ENABLE ALWAYS TRIGGER kept_truncate;
"""

# What the auditor's role reads: all but the salts, without which the hashes of the texts tell nothing.
COLUMNS = (
    "id", "round_id", "status", "about", "boxes", "statement", "raised_by_id", "terminal_id", "raised_at", "ruling",
    "clause", "reason", "line_id", "ruled_by_id", "approved_by_id", "ruled_at", "closed_at",
)  # fmt: skip


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0003_interventions"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Dispute",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "status",
                    models.CharField(
                        choices=[("OPEN", "open"), ("RULED", "ruled, not yet handed over"), ("CLOSED", "closed")],
                        default="OPEN",
                        max_length=10,
                    ),
                ),
                ("about", models.CharField(max_length=20)),
                (
                    "boxes",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.SmallIntegerField(), default=list, size=None
                    ),
                ),
                ("statement", models.TextField()),
                ("salt", models.CharField(max_length=32)),
                ("raised_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "ruling",
                    models.CharField(choices=[("upheld", "upheld"), ("refused", "refused")], max_length=10, null=True),
                ),
                ("clause", models.CharField(max_length=20, null=True)),
                ("reason", models.TextField(default="")),
                ("reason_salt", models.CharField(default="", max_length=32)),
                ("ruled_at", models.DateTimeField(null=True)),
                ("closed_at", models.DateTimeField(null=True)),
                (
                    "approved_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "line",
                    models.OneToOneField(
                        null=True, on_delete=django.db.models.deletion.PROTECT, related_name="dispute", to="tables.line"
                    ),
                ),
                (
                    "raised_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="disputes", to="tables.round"
                    ),
                ),
                (
                    "ruled_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "terminal",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="tables.terminal"
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("status", "CLOSED"), _negated=True),
                        fields=["raised_at", "id"],
                        name="dispute_not_closed",
                    ),
                    models.Index(fields=["round"], name="dispute_round"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("approved_by", None),
                                ("clause", None),
                                ("closed_at", None),
                                ("line", None),
                                ("reason", ""),
                                ("ruled_at", None),
                                ("ruled_by", None),
                                ("ruling", None),
                                ("status", "OPEN"),
                            ),
                            models.Q(
                                models.Q(
                                    models.Q(("closed_at", None), ("status", "RULED")),
                                    models.Q(("closed_at__isnull", False), ("status", "CLOSED")),
                                    _connector="OR",
                                ),
                                models.Q(("reason", ""), _negated=True),
                                ("clause__isnull", False),
                                ("ruled_at__isnull", False),
                                ("ruled_by__isnull", False),
                                ("ruling__in", ["upheld", "refused"]),
                            ),
                            _connector="OR",
                        ),
                        name="dispute_status_whole",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("approved_by", None), ("line", None)),
                            models.Q(
                                ("approved_by__isnull", False),
                                ("line__isnull", False),
                                ("ruling", "upheld"),
                                models.Q(("approved_by", models.F("ruled_by")), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="dispute_four_eyes",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("statement", ""), _negated=True),
                            models.Q(("salt", ""), _negated=True),
                            models.Q(("reason", ""), models.Q(("reason_salt", ""), _negated=True), _connector="OR"),
                        ),
                        name="dispute_texts_salted",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("about", ""), _negated=True), name="dispute_about_something"
                    ),
                ],
            },
        ),
        migrations.RunSQL(DISPUTES),
        Grant("tables_dispute", "SELECT, INSERT, UPDATE", columns=COLUMNS),
    ]
