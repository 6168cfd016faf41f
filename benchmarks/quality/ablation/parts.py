"""The single rules inside the checks, each left out by letting it find nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from unittest.mock import patch

_CHECKS = "footnotary.verify.claim_checks"
_NUMBERS = "footnotary.verify.exact.numbers"
_WORDS = "footnotary.verify.exact.changed_words"
_PROVISIONS = "footnotary.verify.exact.provisions"

# Rule: the module that asks it, its name there, and what it says when it finds nothing.
PARTS: Mapping[str, tuple[str, str, object]] = {
    "numbers: am for pm": (_NUMBERS, "_half_differs", None),
    "numbers: ordinals": (_NUMBERS, "_ordinal_differs", None),
    "numbers: (see 2)": (_NUMBERS, "_pointed_elsewhere", None),
    "numbers: labels": (_NUMBERS, "_label_differs", None),
    "numbers: another rate": (_NUMBERS, "_rate_differs", None),
    "numbers: rate dropped": (_NUMBERS, "_rate_dropped", None),
    "numbers: formulas": (_NUMBERS, "_formula_differs", None),
    "numbers: codes": (_NUMBERS, "_identifier_missing", None),
    "numbers: allowed as own count": (_NUMBERS, "_counts_itself", False),
    "numbers: table cells": (_CHECKS, "swapped_table_cell", None),
    "sections: named in place of another": (_PROVISIONS, "_in_place_of", None),
    "sections: clauses": (_PROVISIONS, "_clause_is_given", True),
    "words: letters of another script": (_CHECKS, "_in_other_letters", None),
    "words: new_name": (_CHECKS, "new_name", None),
    "words: words_changed": (_CHECKS, "words_changed", None),
    "words: new_word": (_CHECKS, "new_word", None),
    "words: other subject": (_WORDS, "_about_something_else", False),
    "words: added at the end": (_WORDS, "_new_words", False),
    "words: small words": (_WORDS, "_function_words_differ", False),
    "words: content words": (_WORDS, "_words_replaced", False),
}


@contextmanager
def left_out(part: str) -> Iterator[None]:
    """While open, the rule finds nothing."""
    module, name, nothing = PARTS[part]
    with patch.object(import_module(module), name, lambda *_: nothing):
        yield
