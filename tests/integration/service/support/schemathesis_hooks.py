"""For schemathesis: an Idempotency-Key names one request, so each generated request gets its own."""

import re
import uuid

import schemathesis

KEY = "Idempotency-Key"


@schemathesis.hook
def before_call(context, case, kwargs):
    given = (case.headers or {}).get(KEY)
    if isinstance(given, str) and re.fullmatch("[!-~]{1,255}", given):
        case.headers[KEY] = uuid.uuid4().hex
