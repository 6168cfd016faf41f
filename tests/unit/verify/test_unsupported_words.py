"""Which words of a refused claim are named: the value of an exact check, new words, or what a model does not find."""

from itertools import pairwise

import pytest

from footnotary.audit.canonical_json import to_plain
from footnotary.domain.draft import Claim
from footnotary.domain.verdict import UnsupportedWords
from footnotary.profiles.load import load_profile
from footnotary.testing.builders import chunk_of, submission_of
from footnotary.testing.fake_reader import FakeReader
from footnotary.verify.run import checks_for, verify
from footnotary.verify.unsupported_words import phrases, unsupported_words

SOURCE = chunk_of(
    "LIB_3_0",
    "A reader may borrow five books for four weeks under section 7. The fine for a book returned late is two rupees a "
    "day from 1 May 2020.",
)


def named(*claims: str, by: FakeReader | None = None) -> list[tuple[int, str]]:
    submission = submission_of("What is the fine?", (SOURCE,), *(Claim(text, ("LIB_3_0",)) for text in claims))
    verdicts = verify(submission, checks_for(load_profile("default"), by))
    found = unsupported_words(submission, verdicts, by)
    assert all(words.text == words.span.of(claims[words.claim]) for words in found)
    return [(words.claim, words.text) for words in found]


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        ("The fine for a late book is nine rupees a day.", ["nine rupees"]),
        ("A reader may borrow six books for three weeks.", ["six", "three weeks"]),
        ("The fine for a book returned late is two rupees a day from 3 May 2020.", ["3 May 2020"]),
        ("A reader may borrow five books for four weeks under section 9.", ["section 9"]),
        ('The fine is for a "book returned very late".', ['"book returned very late"']),
        ("A reader shall borrow five books for four weeks.", ["shall"]),
    ],
)
def test_an_exact_check_names_the_value_it_objects_to(claim: str, words: list[str]):
    assert named(claim) == [(0, word) for word in words]


def test_a_verdict_has_what_claim_and_source_say_as_values():
    submission = submission_of("What is the fine?", (SOURCE,), Claim("The fine is nine rupees a day.", ("LIB_3_0",)))
    (verdict,) = (v for v in verify(submission, checks_for(load_profile("default"))) if v.check.startswith("numbers"))
    assert verdict.values == {"claim_says": "nine rupees", "source_says": "two rupees"}
    assert verdict.detail == 'the claim says "nine rupees", the source "two rupees"'


def test_what_a_model_does_not_find_is_named_by_the_phrases_with_new_words():
    claim = "The fine for a book returned late was introduced by a mayor with a moustache."
    assert named(claim, by=FakeReader({"fine": 0.1})) == [
        (0, "was introduced"),
        (0, "by a mayor"),
        (0, "with a moustache"),
    ]


class _Reads(FakeReader):
    """Supports what does not say `word`."""

    def __init__(self, word: str) -> None:
        super().__init__()
        self.word, self.calls = word, 0

    def support(self, pairs):
        self.calls += 1
        return [0.1 if self.word in claim else 0.6 for claim, _ in pairs]


def test_where_no_word_is_new_the_phrase_is_named_without_which_a_model_gives_most():
    reader = _Reads("late")
    claim = "Under section 7 the reader of five books returned from borrow late in May 2020."
    assert named(claim, by=reader) == [(0, "from borrow late")]
    assert reader.calls == 2, "once for the verdict, once for all phrases"


def test_only_claims_at_fault_are_named_and_nothing_of_an_answer_that_holds():
    good = "A reader may borrow five books for four weeks under section 7."
    assert named(good) == []
    assert named(good, "The fine for a late book is nine rupees a day.") == [(1, "nine rupees")]


def test_a_claim_that_cites_nothing_known_has_no_words_to_name():
    submission = submission_of("What is the fine?", (SOURCE,), Claim("The fine is nine rupees.", ("NO_1_0",)))
    assert unsupported_words(submission, verify(submission, checks_for(load_profile("default"))), None) == ()


@pytest.mark.parametrize("claim", ["", "...", "Fee", "A fee, of two (or three) rupees; due in May."])
def test_phrases_are_apart_and_in_order(claim: str):
    found = phrases(claim)
    assert all(one.end <= other.start for one, other in pairwise(found))
    assert "".join(span.of(claim) for span in found).replace(" ", "").isalnum() or not found


def test_the_audit_keeps_claim_span_and_text():
    submission = submission_of("What is the fine?", (SOURCE,), Claim("The fine is nine rupees a day.", ("LIB_3_0",)))
    (words,) = unsupported_words(submission, verify(submission, checks_for(load_profile("default"))), None)
    assert isinstance(words, UnsupportedWords)
    assert to_plain(words) == {"claim": 0, "span": {"start": 12, "end": 23}, "text": "nine rupees"}
