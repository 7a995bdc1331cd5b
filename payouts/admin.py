"""Read-only pages of the money: coefficient tables, accounts with balances, settlements, payments, transfers."""

from django.contrib import admin
from django.db.models import Case, When

from casino.admin import ReadOnlyAdmin, ReadOnlyInline, amount
from casino.games import registry
from casino.games.sentences import word
from casino.roles import Right

from .models import Account, Coefficient, CoefficientTable, Movement, Payment, Settlement, Transfer

ROUNDS = "A round: T1-00003, T1-3, 3, T1, the table's name, 2026-11-21; or a key: round:3:1"


class CoefficientInline(ReadOnlyInline):
    right = Right.READ_FLOOR
    model = Coefficient
    fields = ("category", "numerator", "denominator")


@admin.register(CoefficientTable)
class CoefficientTableAdmin(ReadOnlyAdmin):
    right = Right.READ_FLOOR
    list_display = ("name", "game", "status", "drafted_by", "published_by", "published_at")
    inlines = (CoefficientInline,)


@admin.register(Account)
class AccountAdmin(ReadOnlyAdmin):
    right = Right.READ_MONEY
    list_display = ("ref", "kind", "owner", "balance")
    list_filter = ("kind",)
    readonly_fields = ("balance",)
    balance = amount("balance_units", "balance")

    def get_queryset(self, request):
        accounts = super().get_queryset(request).with_balance()
        # Who may count the cage, drop boxes or tips, does it blind; what was counted is on the form of it.
        blind = {
            Account.Kind.CAGE: Right.COUNT_CAGE,
            Account.Kind.DROP_BOX: Right.COUNT_DROP,
            Account.Kind.TIPS: Right.COUNT_TIPS,
        }
        hidden = [kind for kind, right in blind.items() if request.user.has_perm(right)]
        if hidden:
            accounts = accounts.annotate(balance_units=Case(When(kind__in=hidden, then=None), default="balance_units"))
        return accounts


class PaymentInline(ReadOnlyInline):
    right = Right.READ_MONEY
    model = Payment
    fields = readonly_fields = ("box", "outcome", "staked", "returned", "paid", "net", "clause_ids")
    staked = amount("staked_units", "staked")
    returned = amount("returned_units", "returned")
    paid = amount("paid_units", "paid")
    net = amount("net_units", "net")

    @admin.display(description="clauses")
    def clause_ids(self, row):
        return ", ".join(row.clauses)


class TransferInline(ReadOnlyInline):
    right = Right.READ_MONEY
    model = Transfer
    fk_name = "settlement"
    fields = readonly_fields = ("key", "debit", "credit", "units_spelled", "reason")
    units_spelled = amount("units", "amount")


class MovementTransferInline(TransferInline):
    fk_name = "movement"


@admin.register(Settlement)
class SettlementAdmin(ReadOnlyAdmin):
    right = Right.READ_MONEY
    list_display = ("round_name", "generation", "business_date", "begun_at", "key")
    list_filter = ("business_date",)
    search_fields = ("key", "round_key")
    search_help_text = ROUNDS
    round_ref = "round_key"
    ordering = ("-id",)
    fields = ("round_name", "key", "table_key", "generation", "business_date", "sheet_digest", "begun_at", "result")
    readonly_fields = ("round_name", "begun_at")
    inlines = (PaymentInline, TransferInline)


class OutcomeFilter(admin.SimpleListFilter):
    """The outcomes that there are, in the words of the games."""

    title = parameter_name = "outcome"

    def lookups(self, request, model_admin):
        words = {code: said for game in registry.GAMES.values() for code, said in game.words.items()}
        outcomes = Payment.objects.values_list("outcome", flat=True).distinct().order_by("outcome")
        return [(code, word(words, code)) for code in outcomes]

    def queryset(self, request, queryset):
        return queryset.filter(outcome=self.value()) if self.value() else queryset


@admin.register(Payment)
class PaymentAdmin(ReadOnlyAdmin):
    right = Right.READ_MONEY
    list_display = ("round_name", "generation", "box", "said", "staked", "returned", "paid", "net", "clause_ids")
    list_filter = (OutcomeFilter, "settlement__business_date")
    list_select_related = ("settlement",)
    search_fields = ("settlement__key",)
    search_help_text = ROUNDS
    round_ref = "settlement__round_key"
    ordering = ("-settlement_id", "box")
    fields = readonly_fields = ("settlement", *list_display)
    staked, returned = PaymentInline.staked, PaymentInline.returned
    paid, net, clause_ids = PaymentInline.paid, PaymentInline.net, PaymentInline.clause_ids

    @admin.display(description="generation", ordering="settlement__generation")
    def generation(self, row):
        return row.settlement.generation

    @admin.display(description="outcome", ordering="outcome")
    def said(self, row):
        """The outcome in the words of the round's game."""
        _, game = self.round_of(row)
        return word(registry.GAMES[game].words if game else {}, row.outcome)


@admin.register(Transfer)
class TransferAdmin(ReadOnlyAdmin):
    right = Right.READ_MONEY
    list_display = ("key", "round_name", "debit", "credit", "units_spelled", "reason", "business_date")
    list_select_related = ("settlement", "debit", "credit")
    list_filter = ("reason", "business_date")
    search_fields = ("key",)
    search_help_text = ROUNDS
    round_ref = "settlement__round_key"
    ordering = ("-id",)
    fields = (
        "key",
        "settlement",
        "movement",
        "debit",
        "credit",
        "units_spelled",
        "reason",
        "business_date",
        "reverses",
    )
    readonly_fields = ("units_spelled",)
    units_spelled = TransferInline.units_spelled


@admin.register(Movement)
class MovementAdmin(ReadOnlyAdmin):
    right = Right.READ_MONEY
    list_display = ("key", "kind", "subject", "business_date", "requested_by", "approved_by")
    list_filter = ("kind", "business_date")
    ordering = ("-id",)
    fields = ("key", "kind", "subject", "number", "denominations", "business_date", "requested_by", "approved_by")
    inlines = (MovementTransferInline,)
