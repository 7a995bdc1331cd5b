"""Requests by strangers with a login: who, method, path, body, headers, and the statuses that they may get.

A dict is sent as JSON, bytes as they are; `$open` is the open round of T1, `$settled` a settled one with the payment
`$payment`, `$theirs` the open round of T3, `$table1` to `$table3` the tables. None of these may write anything.
"""

ACT = "/api/v1/rounds/$open/actions/"
CLOSE, UNDO, AMEND = (f"/api/v1/rounds/$open/{what}/" for what in ("close", "undo", "amend"))
TICK = "/api/v1/rounds/$settled/ticks/"
CORRECT, VOID = "/api/v1/rounds/$settled/corrections/", "/api/v1/rounds/$open/void/"
OPENING = "/api/v1/tables/$closed_table/sessions/"
ANTE = {"version": 1, "kind": "ante", "box": 2, "arguments": {"units": 500}}
CHIPS = {"denominations": {"500": 10}}
BAD, WRONG, CONTENT = {400}, {422}, {400, 422}
AWAY, NO, LATE = {404}, {403}, {409}


def _ante(**changes):
    return {**ANTE, **changes}


def _units(units):
    return _ante(arguments={"units": units})


def _as_text(what):
    """The ante with something that Python's `json` would not write."""
    return f'{{"version": 1, "kind": "ante", "box": 2, "arguments": {{"units": 500}}, {what}}}'.encode()


def _number(version="1", box="2", units="500"):
    body = f'{{"version": {version}, "kind": "ante", "box": {box}, "arguments": {{"units": {units}}}}}'
    return body.encode()


def _by(login, **more):
    return {"signature": {"login": login, "password": more.pop("password", "$" + login)}, **more}


_VOID = {"version": 1, "clause": "split.36", "reason": "x"}
_CORRECTION = {
    "line": 1, "clause": "split.33", "reason": "x", "changes": [{"path": "boxes[0].cards[4]", "value": "8h"}],
}  # fmt: skip
_SESSION = {**CHIPS, "signature": {"login": "hugo", "password": "$hugo"}}

REQUESTS = {
    "numbers": {
        "a version that is true": ("anna", "POST", ACT, _number(version="true"), {}, WRONG),
        "a version of 1.0": ("anna", "POST", ACT, _number(version="1.0"), {}, WRONG),
        "a version of 1e0": ("anna", "POST", ACT, _number(version="1e0"), {}, WRONG),
        "a version as a text": ("anna", "POST", ACT, _number(version='"1"'), {}, WRONG),
        "a version of nothing": ("anna", "POST", ACT, _number(version="null"), {}, WRONG),
        "a version in a list": ("anna", "POST", ACT, _number(version="[1]"), {}, WRONG),
        "a version of -0": ("anna", "POST", ACT, _number(version="-0"), {}, LATE),
        "a version below 0": ("anna", "POST", ACT, _number(version="-1"), {}, {409, 422}),
        "a version of 65 bits": ("anna", "POST", ACT, _number(version=str(2**64 + 1)), {}, {409, 422}),
        "a version to come": ("anna", "POST", ACT, _number(version="2"), {}, LATE),
        "a version with a zero before it": ("anna", "POST", ACT, _number(version="01"), {}, BAD),
        "a version with a plus": ("anna", "POST", ACT, _number(version="+1"), {}, BAD),
        "a version in sixteens": ("anna", "POST", ACT, _number(version="0x1"), {}, BAD),
        "a version with an underscore": ("anna", "POST", ACT, _number(version="1_0"), {}, BAD),
        "a version of Infinity": ("anna", "POST", ACT, _number(version="Infinity"), {}, BAD),
        "a box that is true": ("anna", "POST", ACT, _number(box="true"), {}, WRONG),
        "a box of 2.0": ("anna", "POST", ACT, _number(box="2.0"), {}, WRONG),
        "a box of 0": ("anna", "POST", ACT, _number(box="0"), {}, WRONG),
        "a box below 0": ("anna", "POST", ACT, _number(box="-1"), {}, WRONG),
        "a box that no table has": ("anna", "POST", ACT, _number(box="7"), {}, WRONG),
        "a box of 16 bits and one": ("anna", "POST", ACT, _number(box="65538"), {}, WRONG),
        "a box of 64 bits": ("anna", "POST", ACT, _number(box=str(2**63)), {}, WRONG),
        "a box in a list": ("anna", "POST", ACT, _number(box="[2]"), {}, WRONG),
        "a box of nothing": ("anna", "POST", ACT, _number(box="null"), {}, {409, 422}),
        "an ante of nothing": ("anna", "POST", ACT, _units(0), {}, WRONG),
        "an ante below nothing": ("anna", "POST", ACT, _units(-500), {}, WRONG),
        "an ante of 500.0": ("anna", "POST", ACT, _number(units="500.0"), {}, WRONG),
        "an ante of 5e2": ("anna", "POST", ACT, _number(units="5e2"), {}, WRONG),
        "an ante of half a unit": ("anna", "POST", ACT, _number(units="500.5"), {}, WRONG),
        "an ante that is true": ("anna", "POST", ACT, _units(True), {}, WRONG),
        "an ante as a text": ("anna", "POST", ACT, _units("500"), {}, WRONG),
        "an ante in full-width digits": ("anna", "POST", ACT, _units("５００"), {}, WRONG),
        "an ante that no chip pays": ("anna", "POST", ACT, _units(501), {}, WRONG),
        "an ante beyond the limit": ("anna", "POST", ACT, _units(10_100), {}, WRONG),
        "an ante of 64 bits that come round": ("anna", "POST", ACT, _units(2**64 + 500), {}, WRONG),
        "an ante of 1,000 digits": ("anna", "POST", ACT, _number(units="5" * 1000), {}, WRONG),
        "an ante of -0": ("anna", "POST", ACT, _number(units="-0"), {}, WRONG),
        "an ante in a list": ("anna", "POST", ACT, _units([500]), {}, WRONG),
    },
    "fields": {
        "a version twice": ("anna", "POST", ACT, _as_text('"version": 1'), {}, BAD),
        "a kind twice, under an escape": ("anna", "POST", ACT, _as_text('"k\\u0069nd": "fold"'), {}, BAD),
        "units twice": (
            "anna",
            "POST",
            ACT,
            b'{"version": 1, "kind": "ante", "box": 2, "arguments": {"units": 500, "units": 9900}}',
            {},
            BAD,
        ),
        **{
            f"a field that is not asked for, {name}": ("anna", "POST", ACT, _ante(**{name: value}), {}, WRONG)
            for name, value in {
                "by": 5,
                "by_id": 5,
                "approved_by": 5,
                "at": "2001-01-01",
                "ordinal": 9,
                "phase": "end",
                "id": 1,
                "round": 1,
                "round_id": 1,
                "table": 1,
                "status": "SETTLED",
                "undoes": 1,
                "terminal": 1,
                "staff": 5,
                "actor": 5,
                "__class__": "x",
                "__proto__": {"box": 1},
                "constructor": {},
                "": 1,
                "Version": 1,
                "version ": 1,
                "ｖersion": 1,
            }.items()
        },
        "units of another name": ("anna", "POST", ACT, _ante(arguments={"Units": 500}), {}, WRONG),
        "units and a box within": ("anna", "POST", ACT, _ante(arguments={"units": 500, "box": 1}), {}, WRONG),
        "units and a phase within": ("anna", "POST", ACT, _ante(arguments={"units": 500, "phase": 1}), {}, WRONG),
        "arguments that are a list": ("anna", "POST", ACT, _ante(arguments=[500]), {}, WRONG),
        "arguments that are nothing": ("anna", "POST", ACT, _ante(arguments=None), {}, WRONG),
        "arguments 200 deep": ("anna", "POST", ACT, _ante(arguments={"units": [[[[[]]]]]}), {}, WRONG),
        **{
            f"a kind that is none, {kind!r}": ("anna", "POST", ACT, _ante(kind=kind), {}, WRONG)
            for kind in (
                "ANTE",
                "ante ",
                "ante\0",
                "аnte",
                "undo",
                "close",
                "settle",
                "__init__",
                "",
                "rule\n",
                5,
                None,
            )
        },
        "no field at all": ("anna", "POST", ACT, {}, {}, WRONG),
        "a body of nothing": ("anna", "POST", ACT, b"", {}, WRONG),
        "a body of null": ("anna", "POST", ACT, b"null", {}, BAD),
        "a body that goes on": ("anna", "POST", ACT, b'{"version": 1} {"version": 1}', {}, BAD),
        "a body with a comment": ("anna", "POST", ACT, b'{"version": 1 /* x */}', {}, BAD),
        "a body with a comma too many": ("anna", "POST", ACT, b'{"version": 1,}', {}, BAD),
        "a body in single quotes": ("anna", "POST", ACT, b"{'version': 1}", {}, BAD),
        "a body in UTF-16": ("anna", "POST", ACT, '{"version": 1}'.encode("utf-16-le"), {}, BAD),
        "a body with a mark of order": ("anna", "POST", ACT, b"\xef\xbb\xbf{}", {}, BAD),
        "a body in overlong UTF-8": ("anna", "POST", ACT, b'{"version": 1, "kind": "\xc1\xa1nte"}', {}, BAD),
        "a body of 70,000 blanks": ("anna", "POST", ACT, b" " * 70_000 + b"{}", {}, {413}),
    },
    "ways": {
        **{
            f"{method} where only POST is": ("anna", method, ACT, ANTE, {}, {405})
            for method in ("GET", "PUT", "PATCH", "DELETE", "HEAD")
        },
        "TRACE": ("anna", "TRACE", ACT, ANTE, {}, {405, 403}),
        "a GET that says POST": ("anna", "GET", ACT, b"", {"X-HTTP-Method-Override": "POST"}, {405}),
        "a POST that says DELETE": (
            "anna",
            "POST",
            "/api/v1/rounds/$open/",
            {},
            {"X-HTTP-Method-Override": "DELETE"},
            {405},
        ),
        "a form that says _method": ("anna", "POST", "/api/v1/tables/?_method=PUT", {}, {}, {405}),
        "a form in place of JSON": (
            "anna",
            "POST",
            ACT,
            b"version=1&kind=ante&box=2",
            {"Content-Type": "application/x-www-form-urlencoded"},
            {415},
        ),
        "JSON that says it is text": ("anna", "POST", ACT, ANTE, {"Content-Type": "text/plain"}, {415}),
        "JSON that says it is XML": ("anna", "POST", ACT, ANTE, {"Content-Type": "application/xml"}, {415}),
        "JSON in parts": (
            "anna",
            "POST",
            ACT,
            b"--x\r\n\r\n--x--",
            {"Content-Type": "multipart/form-data; boundary=x"},
            {415},
        ),
        "JSON of another kind": ("anna", "POST", ACT, ANTE, {"Content-Type": "application/vnd.api+json"}, {415}),
        "two kinds at once": (
            "anna",
            "POST",
            ACT,
            ANTE,
            {"Content-Type": "text/plain, application/json"},
            {415},
        ),
        "JSON squeezed": ("anna", "POST", ACT, b"\x1f\x8b\x08\0\0\0\0\0", {"Content-Encoding": "gzip"}, {400, 415}),
        "an answer in XML": ("anna", "GET", "/api/v1/rounds/$open/", b"", {"Accept": "application/xml"}, {406}),
        "an answer in a page that can be clicked": (
            "anna",
            "GET",
            "/api/v1/rounds/$open/?format=api",
            b"",
            {},
            {200, 404, 406},
        ),
    },
    "addresses": {
        **{
            f"a round by another spelling, {spelling}": (
                "anna",
                "POST",
                ACT.replace("$open", spelling),
                ANTE,
                {},
                {400, 404},
            )
            for spelling in (
                "+$open",
                "-$open",
                "$open.0",
                "$open%00",
                "$open%20",
                "%20$open",
                "$open;a=1",
                "１",
                "1e0",
                "0x1",
                str(2**63),
                str(2**64 + 1),
                "9" * 400,
                "$open%2F",
                "..%2F$open",
                "null",
                "true",
            )
        },
        "another case": ("anna", "POST", "/API/v1/rounds/$open/actions/", ANTE, {}, {404}),
        "no slash at the end": ("anna", "POST", ACT.rstrip("/"), ANTE, {}, {301, 404, 500}),
        "two slashes": ("anna", "POST", ACT.replace("/rounds", "//rounds"), ANTE, {}, {404}),
        "a dot": ("anna", "POST", ACT.replace("/rounds", "/./rounds"), ANTE, {}, {404}),
        "JSON at the end": ("anna", "POST", ACT.rstrip("/") + ".json", ANTE, {}, {404}),
        "the fields in the address": (
            "anna",
            "POST",
            ACT + "?version=1&kind=ante&box=2&arguments=%7B%22units%22:500%7D",
            {},
            {},
            WRONG,
        ),
        "another round in the address": ("anna", "POST", ACT + "?round_id=$theirs", {"version": 1}, {}, WRONG),
        "the old address in a header": (
            "anna",
            "GET",
            "/healthz",
            b"",
            {"X-Original-URL": "/admin/", "X-Rewrite-URL": "/admin/"},
            {200},
        ),
    },
    "keys": {
        "no key": ("anna", "POST", ACT, ANTE, {"Idempotency-Key": None}, BAD),
        "an empty key": ("anna", "POST", ACT, ANTE, {"Idempotency-Key": ""}, BAD),
        "a key of 81 letters": ("anna", "POST", ACT, ANTE, {"Idempotency-Key": "k" * 81}, BAD),
        "a key of a blank": ("anna", "POST", ACT, ANTE, {"Idempotency-Key": " "}, BAD),
        "a key with a tab": ("anna", "POST", ACT, ANTE, {"Idempotency-Key": "a\tb"}, BAD),
        "a key in another script": ("anna", "POST", ACT, ANTE, {"Idempotency-Key": "кey"}, BAD),
        "a key with a NUL": ("anna", "POST", ACT, ANTE, {"Idempotency-Key": "a\0b"}, BAD),
        "a used key with another body": ("anna", "POST", ACT, _ante(box=3), {"Idempotency-Key": "used"}, WRONG),
        "a used key on another way": ("anna", "POST", CLOSE, {"version": 1}, {"Idempotency-Key": "used"}, WRONG),
        "a used key with a number that is true": (
            "anna",
            "POST",
            ACT,
            {"version": False, "kind": "ante", "box": 1, "arguments": {"units": 500}},
            {"Idempotency-Key": "used"},
            WRONG,
        ),
        "a used key under another spelling of the address": (
            "anna",
            "POST",
            ACT.replace("$open", "0$open"),
            {"version": 0, **{k: ANTE[k] for k in ANTE if k != "version"}},
            {"Idempotency-Key": "used"},
            {404, 409, 422},
        ),
        "another's used key": (
            "boris",
            "POST",
            ACT,
            {"version": 0, "kind": "ante", "box": 1, "arguments": {"units": 500}},
            {"Idempotency-Key": "used"},
            AWAY,
        ),
    },
    "another's": {
        "a round of another pit": ("anna", "POST", ACT.replace("$open", "$theirs"), ANTE, {}, AWAY),
        "a round of another table of the pit": ("boris", "POST", ACT, ANTE, {}, AWAY),
        "a round to read of another pit": ("frank", "GET", "/api/v1/rounds/$open/", b"", {}, AWAY),
        "a table of another pit to open": ("clara", "POST", "/api/v1/tables/$table3/sessions/", _SESSION, {}, AWAY),
        **{
            f"an action by {who}": (who, "POST", ACT, ANTE, {}, statuses)
            for who, statuses in {
                "clara": NO,
                "frank": AWAY,
                "hugo": NO,
                "david": NO,
                "ida": NO,
                "eve": {403, 404},
                "nobody": {401},
            }.items()
        },
        **{
            f"a close by {who}": (who, "POST", CLOSE, {"version": 1}, {}, {401, 403, 404})
            for who in ("clara", "hugo", "david", "ida", "nobody")
        },
        "a tick by the pit boss": ("clara", "POST", TICK, {"generation": 1, "box": 1}, {}, NO),
        "a tick by the cage": ("hugo", "POST", TICK, {"generation": 1, "box": 1}, {}, NO),
        "a tick of a box that did not play": ("anna", "POST", TICK, {"generation": 1, "box": 6}, {}, {404, 409, 422}),
        "a tick of a generation to come": ("anna", "POST", TICK, {"generation": 2, "box": 1}, {}, {404, 409, 422}),
        "a tick of generation 0": ("anna", "POST", TICK, {"generation": 0, "box": 1}, {}, {404, 409, 422}),
        "a tick of a generation that is true": ("anna", "POST", TICK, {"generation": True, "box": 1}, {}, WRONG),
        "a tick of a payment by its number": ("anna", "POST", TICK, {"payment": "$payment"}, {}, WRONG),
        "a correction by one alone": ("anna", "POST", CORRECT, _CORRECTION, {}, {403, 422}),
        "a correction signed by oneself": ("anna", "POST", CORRECT, _by("anna", **_CORRECTION), {}, {403, 422}),
        "a correction signed by oneself in capitals": (
            "anna",
            "POST",
            CORRECT,
            _by(" ANNA ", password="$anna", **_CORRECTION),
            {},
            {403, 422},
        ),
        "a correction signed by another croupier": (
            "anna",
            "POST",
            CORRECT,
            _by("erik", **_CORRECTION),
            {},
            {403, 422},
        ),
        "a correction signed by the auditor": ("anna", "POST", CORRECT, _by("david", **_CORRECTION), {}, {403, 422}),
        "a correction by the pit boss, signed by herself": (
            "clara",
            "POST",
            CORRECT,
            _by("clara", **_CORRECTION),
            {},
            {403, 422},
        ),
        "a correction with the wrong password": (
            "anna",
            "POST",
            CORRECT,
            _by("clara", password="wrong", **_CORRECTION),
            {},
            NO,
        ),
        "a correction signed by a list": (
            "anna",
            "POST",
            CORRECT,
            {**_CORRECTION, "signature": ["clara", "x"]},
            {},
            WRONG,
        ),
        "a correction signed by a login that is a list": (
            "anna",
            "POST",
            CORRECT,
            {**_CORRECTION, "signature": {"login": ["clara"], "password": "x"}},
            {},
            {403, 422},
        ),
        "a correction signed by a number": (
            "anna",
            "POST",
            CORRECT,
            {**_CORRECTION, "signature": {"staff": 5}},
            {},
            {403, 422},
        ),
        "a correction of the round's own number": (
            "anna",
            "POST",
            CORRECT,
            _by("clara", **{**_CORRECTION, "changes": [{"path": "id", "value": 1}]}),
            {},
            {403, 422},
        ),
        "a correction of the ratios": (
            "anna",
            "POST",
            CORRECT,
            _by("clara", **{**_CORRECTION, "changes": [{"path": "coefficients.flush", "value": "900:1"}]}),
            {},
            {403, 422},
        ),
        "a correction of a path that leads out": (
            "anna",
            "POST",
            CORRECT,
            _by("clara", **{**_CORRECTION, "changes": [{"path": "boxes[-1].__class__", "value": 1}]}),
            {},
            {403, 422},
        ),
        "a void by one alone": ("anna", "POST", VOID, _VOID, {}, {403, 422}),
        "a void signed by oneself": ("anna", "POST", VOID, _by("anna", **_VOID), {}, {403, 422}),
        "a void signed by a boss of another pit": ("anna", "POST", VOID, _by("frank", **_VOID), {}, {403, 422}),
        "a table opened by one": ("karl", "POST", OPENING, CHIPS, {}, {403, 422}),
        "a table opened by one, in capitals": (
            "karl",
            "POST",
            OPENING,
            _by("KARL", password="$karl", **CHIPS),
            {},
            {403, 422},
        ),
        "a table opened for another day": (
            "karl",
            "POST",
            OPENING,
            {**_SESSION, "business_date": "2026-01-01"},
            {},
            WRONG,
        ),
        **{
            f"a table opened with chips of {name}": (
                "karl",
                "POST",
                OPENING,
                _by("hugo", denominations=chips),
                {},
                WRONG,
            )
            for name, chips in {
                "another set": {"7": 10},
                "another spelling": {"0500": 10},
                "5e2": {"5e2": 10},
                "a number below 0": {"500": -10},
                "half a chip": {"500": 0.5},
                "10.0": {"500": 10.0},
                "truth": {"500": True},
                "nothing": {"500": None},
                "a text": {"500": "10"},
                "no value": {"": 1},
                "full-width digits": {"５００": 1},
                "more than there are": {"500": 100_001},
                "a list": [500],
                "none": {},
                "zeros": {"500": 0},
                "64 bits": {"500": 2**64},
            }.items()
        },
        "a lock lifted by a croupier": ("anna", "POST", "/api/v1/staff/1/unlock/", {}, {}, {403, 404}),
        "a device enrolled by a croupier": ("anna", "POST", "/api/v1/tables/$table1/terminals/", {"name": "Z"}, {}, NO),
        "a device enrolled with a token of one's own": (
            "clara",
            "POST",
            "/api/v1/tables/$table1/terminals/",
            {"name": "Z", "token": "x" * 40},
            {},
            WRONG,
        ),
        "a sign-on for another": ("anna", "POST", "/api/v1/tables/$table1/sign-on/", {"staff": 4}, {}, {403, 409, 422}),
        "a sign-off of another": ("boris", "POST", "/api/v1/tables/$table1/sign-off/", {}, {}, {403, 404}),
    },
    "who one says one is": {
        **{
            f"a header that says who, {name}": ("nobody", "GET", "/api/v1/tables/", b"", {name: value}, {401})
            for name, value in {
                "X-Forwarded-User": "clara",
                "X-Remote-User": "clara",
                "Remote-User": "clara",
                "REMOTE_USER": "clara",
                "X-Staff": "5",
                "X-Authenticated-User": "clara",
                "Authorization": "Basic Y2xhcmE6Y2xhcmE=",
            }.items()
        },
        "a token of nothing": ("nobody", "GET", "/api/v1/tables/", b"", {"Authorization": "Bearer "}, {401}),
        "a token that is a hash": (
            "nobody",
            "GET",
            "/api/v1/tables/",
            b"",
            {"Authorization": "Bearer " + "f" * 64},
            {401},
        ),
        "a token of another scheme": (
            "nobody",
            "GET",
            "/api/v1/tables/",
            b"",
            {"Authorization": "Token " + "f" * 64},
            {401},
        ),
        "a token in the address": ("nobody", "GET", "/api/v1/tables/?token=" + "f" * 64, b"", {}, {401}),
        "a wrong token beside a session": (
            "anna",
            "POST",
            ACT,
            ANTE,
            {"Authorization": "Bearer " + "f" * 64},
            {401},
        ),
        "a session in the address": ("nobody", "GET", "/?sessionid=1", b"", {}, {302}),
        "another host": ("anna", "GET", "/", b"", {"Host": "evil.example"}, BAD),
        "another host behind": ("nobody", "GET", "/login/", b"", {"X-Forwarded-Host": "evil.example"}, {200}),
    },
    "the back office": {
        **{
            f"{who} {what} a {name}": (
                who,
                "POST",
                f"/admin/{path}",
                b"_save=1",
                {"Content-Type": "form"},
                {302, 403, 404},
            )
            for who in ("david", "ida", "clara", "hugo")
            for what, name, path in (
                ("adds", "transfer", "payouts/transfer/add/"),
                ("changes", "round", "tables/round/$settled/change/"),
                ("deletes", "payment", "payouts/payment/$payment/delete/"),
                ("adds", "posting", "tables/posting/add/"),
                ("changes", "person", "casino/staff/1/change/"),
            )
        },
        "all entries deleted by an action": (
            "david",
            "POST",
            "/admin/audit/entry/",
            b"action=delete_selected&_selected_action=1&post=yes",
            {"Content-Type": "form"},
            {200, 302, 403, 405},
        ),
        "passwords guessed by a list's filter": (
            "david",
            "GET",
            "/admin/casino/staff/?password__startswith=argon2",
            b"",
            {},
            {302, 400, 403, 404},
        ),
        "passwords guessed over a posting": (
            "david",
            "GET",
            "/admin/tables/posting/?staff__password__startswith=argon2",
            b"",
            {},
            {302, 400, 403, 404},
        ),
        "tokens guessed by a list's filter": (
            "david",
            "GET",
            "/admin/tables/terminal/?token_digest__startswith=f",
            b"",
            {},
            {302, 400, 403, 404},
        ),
        "salts guessed by a list's filter": (
            "david",
            "GET",
            "/admin/tables/intervention/?salt__startswith=a",
            b"",
            {},
            {302, 400, 403, 404},
        ),
        "web sessions listed": ("ida", "GET", "/admin/casino/websession/", b"", {}, {403, 404}),
        "commands listed": ("ida", "GET", "/admin/casino/command/", b"", {}, {403, 404}),
        "people looked up as one types": (
            "anna",
            "GET",
            "/admin/autocomplete/?app_label=tables&model_name=posting&field_name=staff&term=a",
            b"",
            {},
            {302, 403, 404},
        ),
        "a column named as a key": (
            "david",
            "GET",
            "/admin/casino/staff/1/change/?_to_field=password",
            b"",
            {},
            {302, 400, 403, 404},
        ),
    },
}
