import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

from casino.database import AppendOnly, Grant

# Interventions follow one another; a round is held, released and voided only by an intervention that says so.
INTERVENTIONS = """
CREATE FUNCTION intervention_follows() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NEW.ordinal > 1 + (SELECT coalesce(max(ordinal), 0) FROM tables_intervention WHERE round_id = NEW.round_id) THEN
        RAISE EXCEPTION 'intervention % leaves a gap', NEW.ordinal USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.line_id IS NOT NULL AND NOT EXISTS (
        SELECT FROM tables_line WHERE id = NEW.line_id AND round_id = NEW.round_id AND ordinal > 1
        AND (by_id, approved_by_id) = (NEW.by_id, NEW.approved_by_id)) THEN
        RAISE EXCEPTION 'intervention %: its line is of another round or of other people', NEW.ordinal
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER follows BEFORE INSERT ON tables_intervention FOR EACH ROW EXECUTE FUNCTION intervention_follows();
ALTER TABLE tables_intervention ENABLE ALWAYS TRIGGER follows;

CREATE FUNCTION round_interrupted() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    newest text := (SELECT kind FROM tables_intervention WHERE round_id = NEW.id
                    AND kind IN ('held', 'released', 'voided') ORDER BY ordinal DESC LIMIT 1);
BEGIN
    IF NEW.status = 'VOIDED' AND newest IS DISTINCT FROM 'voided'
       OR NEW.status <> 'VOIDED' AND NEW.held_at IS NOT NULL AND newest IS DISTINCT FROM 'held'
       OR NEW.status <> 'VOIDED' AND NEW.held_at IS NULL AND newest IS DISTINCT FROM 'released' THEN
        RAISE EXCEPTION 'round %: no intervention says so', NEW.id USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER says_why BEFORE UPDATE ON tables_round FOR EACH ROW
    WHEN ((OLD.held_at IS NULL) <> (NEW.held_at IS NULL) OR OLD.status <> 'VOIDED' AND NEW.status = 'VOIDED')
    EXECUTE FUNCTION round_interrupted();
ALTER TABLE tables_round ENABLE ALWAYS TRIGGER says_why;
"""

# What the auditor's role reads of an intervention: all but the salt, without which a reason's hash tells nothing.
COLUMNS = (
    "id", "round_id", "ordinal", "kind", "clause", "box", "reason", "line_id", "by_id", "approved_by_id",
    "terminal_id", "at",
)  # fmt: skip


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0002_append_only"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Intervention",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("ordinal", models.IntegerField()),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("reported", "reported"),
                            ("held", "held"),
                            ("released", "released"),
                            ("voided", "voided"),
                            ("corrected", "corrected"),
                        ],
                        max_length=10,
                    ),
                ),
                ("clause", models.CharField(max_length=20, null=True)),
                ("box", models.SmallIntegerField(null=True)),
                ("reason", models.TextField(default="")),
                ("salt", models.CharField(default="", max_length=32)),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
            options={
                "ordering": ["round", "ordinal"],
            },
        ),
        migrations.AddField(
            model_name="action",
            name="approved_by",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddConstraint(
            model_name="action",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind", "undo"), ("undoes", None), _negated=True), name="action_undo_names"
            ),
        ),
        migrations.AddConstraint(
            model_name="action",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("approved_by", None), models.Q(("approved_by", models.F("by")), _negated=True), _connector="OR"
                ),
                name="action_four_eyes",
            ),
        ),
        migrations.AddConstraint(
            model_name="line",
            constraint=models.CheckConstraint(
                condition=models.Q(("ordinal", 1), ("approved_by__isnull", False), _connector="OR"),
                name="line_corrected_by_two",
            ),
        ),
        migrations.AddField(
            model_name="intervention",
            name="approved_by",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="intervention",
            name="by",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="intervention",
            name="line",
            field=models.OneToOneField(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="intervention", to="tables.line"
            ),
        ),
        migrations.AddField(
            model_name="intervention",
            name="round",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="interventions", to="tables.round"
            ),
        ),
        migrations.AddField(
            model_name="intervention",
            name="terminal",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="tables.terminal"
            ),
        ),
        migrations.AddConstraint(
            model_name="intervention",
            constraint=models.UniqueConstraint(fields=("round", "ordinal"), name="intervention_ordinal_once"),
        ),
        migrations.AddConstraint(
            model_name="intervention",
            constraint=models.CheckConstraint(
                condition=models.Q(("ordinal__gte", 1)), name="intervention_ordinal_from_one"
            ),
        ),
        migrations.AddConstraint(
            model_name="intervention",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["reported", "held", "released", "voided", "corrected"])),
                name="intervention_kind_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="intervention",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("approved_by", None),
                    models.Q(("by__isnull", False), models.Q(("approved_by", models.F("by")), _negated=True)),
                    _connector="OR",
                ),
                name="intervention_four_eyes",
            ),
        ),
        migrations.AddConstraint(
            model_name="intervention",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind__in", ["voided", "corrected"]), _negated=True),
                    models.Q(("approved_by__isnull", False), ("by__isnull", False), ("clause__isnull", False)),
                    _connector="OR",
                ),
                name="intervention_by_two",
            ),
        ),
        migrations.AddConstraint(
            model_name="intervention",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind", "corrected"), ("line__isnull", False)),
                    models.Q(models.Q(("kind", "corrected"), _negated=True), ("line", None)),
                    _connector="OR",
                ),
                name="intervention_line_of_correction",
            ),
        ),
        migrations.AddConstraint(
            model_name="intervention",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind", "held"), ("by__isnull", False), _connector="OR"),
                name="intervention_system_holds",
            ),
        ),
        migrations.AddConstraint(
            model_name="intervention",
            constraint=models.CheckConstraint(
                condition=models.Q(("reason", ""), models.Q(("salt", ""), _negated=True), _connector="OR"),
                name="intervention_reason_salted",
            ),
        ),
        AppendOnly("tables_intervention"),
        migrations.RunSQL(INTERVENTIONS),
        Grant("tables_intervention", "SELECT, INSERT", columns=COLUMNS),
    ]
