"""Read-only pages of the money: coefficient tables, accounts with balances, settlements, payments, transfers."""

import re

from django.contrib import admin
from django.db.models import Case, Q, When
from django.urls import reverse
from django.utils.html import format_html

from casino.admin import ReadOnlyAdmin, ReadOnlyInline, amount
from casino.games import registry
from casino.games.sentences import word
from casino.models import Casino
from casino.money import spell
from casino.roles import Right

from .models import Account, Coefficient, CoefficientTable, Movement, Payment, Settlement, Transfer

ROUNDS = "A round: T1-00003, T1-3, 3, T1, the table's name, 2026-11-21; or a key: round:3:1"

# What a movement belongs to, by the kind of its reference: its name and its page.
SUBJECTS = {
    "session": ("Session", "session"),
    "slip": ("Slip", "slip"),
    "drop_box": ("Drop box", "drop_box"),
    "round": ("Round", "round"),
    "cage_shift": ("Cage shift", "cage-shift"),
}


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
    readonly_fields = ("balance", "moved")
    balance = amount("balance_units", "balance")

    @admin.display(description="what moved")
    def moved(self, account):
        address = f"{reverse('admin:payouts_transfer_changelist')}?account={account.pk}"
        return format_html('<a class="way" href="{}">Its transfers</a>', address)

    def get_queryset(self, request):
        accounts = super().get_queryset(request).with_balance()
        # Whoever may count the cage, drop boxes or tips does so blind; what was counted is on the form of the count.
        blind = {
            Account.Kind.CAGE: Right.COUNT_CAGE,
            Account.Kind.DROP_BOX: Right.COUNT_DROP,
            Account.Kind.TIPS: Right.COUNT_TIPS,
        }
        hidden = [kind for kind, right in blind.items() if request.user.has_perm(right)]
        if hidden:
            accounts = accounts.annotate(balance_units=Case(When(kind__in=hidden, then=None), default="balance_units"))
        return accounts


def _words():
    """What the games call the outcomes of boxes."""
    return {code: said for game in registry.GAMES.values() for code, said in game.words.items()}


class PaymentInline(ReadOnlyInline):
    right = Right.READ_MONEY
    model = Payment
    fields = readonly_fields = ("box", "said", "staked", "returned", "paid", "net", "clause_ids")
    staked = amount("staked_units", "staked")
    returned = amount("returned_units", "returned")
    paid = amount("paid_units", "paid")
    net = amount("net_units", "net")

    @admin.display(description="outcome")
    def said(self, row):
        return word(_words(), row.outcome)

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
    list_display_links = ("key",)
    fields = ("round_name", "key", "table_key", "generation", "business_date", "sheet_digest", "begun_at")
    readonly_fields = ("round_name", "begun_at")
    inlines = (PaymentInline, TransferInline)


class OutcomeFilter(admin.SimpleListFilter):
    """The outcomes that there are, in the words of the games."""

    title = parameter_name = "outcome"

    def lookups(self, request, model_admin):
        words = _words()
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
    list_display_links = ("generation",)
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


class AccountFilter(admin.SimpleListFilter):
    """The transfers from and to one account, whose page leads here."""

    title = parameter_name = "account"

    def lookups(self, request, model_admin):
        asked = request.GET.get(self.parameter_name, "")
        accounts = Account.objects.filter(pk=int(asked)) if re.fullmatch(r"[0-9]{1,18}", asked) else ()
        return [(str(account.pk), account.ref) for account in accounts]

    def queryset(self, request, queryset):
        value = self.value()
        return queryset.filter(Q(debit=value) | Q(credit=value)) if value else queryset


@admin.register(Transfer)
class TransferAdmin(ReadOnlyAdmin):
    right = Right.READ_MONEY
    list_display = ("key", "round_name", "debit", "credit", "units_spelled", "reason", "business_date")
    list_select_related = ("settlement", "debit", "credit")
    list_filter = (AccountFilter, "reason", "business_date")
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
    list_display = ("key", "kind", "belongs", "chips", "business_date", "requested_by", "approved_by")
    list_filter = ("kind", "business_date")
    ordering = ("-id",)
    fields = ("key", "kind", "belongs", "number", "chips", "business_date", "requested_by", "approved_by")
    readonly_fields = ("belongs", "chips")
    inlines = (MovementTransferInline,)

    @admin.display(description="belongs to", ordering="subject")
    def belongs(self, row):
        """What a movement belongs to, as a link to its page."""
        kind, _, number = row.subject.partition(":")
        if kind not in SUBJECTS:
            return row.subject
        name, page = SUBJECTS[kind]
        return format_html('<a class="way" href="{}">{} {}</a>', reverse(page, args=[number]), name, number)

    @admin.display(description="chips")
    def chips(self, row):
        """How many chips of each value, the largest first; a sum if nobody knows which chips."""
        decimals = Casino.objects.get().currency_decimals
        counts = sorted(((int(value), count) for value, count in row.denominations.items()), reverse=True)
        if [value for value, _ in counts] == [1]:
            return f"{spell(counts[0][1], decimals)}, in chips that nobody listed"
        return ", ".join(f"{count} of {spell(value, decimals)}" for value, count in counts if count)
