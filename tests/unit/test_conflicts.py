"""Sources that disagree, on the engine with fakes at its edges: both stated, or a refusal, as the profile says."""

import pytest

from footnotary.corpus import Corpus
from footnotary.domain.draft import Claim
from footnotary.domain.outcome import Answer, Refusal
from footnotary.domain.query import Scope
from footnotary.domain.validity import UNKNOWN_VALIDITY, Validity
from footnotary.domain.verdict import Reason
from footnotary.engine import Engine
from footnotary.generate.extractive.generator import ExtractiveGenerator
from footnotary.profiles.load import load_profile
from footnotary.profiles.schema import Conflicts
from footnotary.render.outcome_record import outcome_record
from footnotary.testing.dict_store import DictStore
from footnotary.testing.fake_embedder import HashEmbedder
from footnotary.testing.scripted_models import Says
from footnotary.verify.run import checks_for

TWELVE = "Every employee is entitled to 12 days of annual leave."
EIGHTEEN = "Every employee is entitled to 18 days of annual leave."
LEAVE = "How many days of annual leave is an employee entitled to?"
POLICIES = {
    "leave_policy.txt": f"Leave Policy\n\n{TWELVE} Requests are made to the head of the department.",
    "staff_handbook.txt": f"Staff Handbook\n\n{EIGHTEEN} The office gives out the forms.",
}


def asked(documents, question, generator=None, policy="state_both", profile="default"):
    chosen = load_profile(profile)
    chosen = chosen.model_copy(update={"conflicts": Conflicts(on_disagreement=policy)})
    store, embedder = DictStore(), HashEmbedder()
    corpus = Corpus(store, embedder)
    for name, text in documents.items():
        text, validity = text if isinstance(text, tuple) else (text, UNKNOWN_VALIDITY)
        assert not corpus.ingest_text(name, text, "p", given=validity).failed
    made = Engine(store, embedder, generator or ExtractiveGenerator(chosen), chosen, checks_for(chosen))
    return made.ask(question, Scope("p"))


def ids(outcome):
    """The id of each document's passage, by what it holds."""
    return {hit.chunk.document_id: hit.chunk.id for hit in outcome.evidence.hits}


DISAGREEING = {
    "two policies on leave": (POLICIES, LEAVE, {"12 days", "18 days"}),
    "two circulars on a fee, one in words": (
        {
            "circular_4.txt": "Circular 4\n\nThe fee for a duplicate certificate is Rs. 500.",
            "circular_9.txt": "Circular 9\n\nThe fee for a duplicate certificate shall be seven hundred rupees.",
        },
        "What is the fee for a duplicate certificate?",
        {"Rs. 500", "seven hundred rupees"},
    ),
    "two notices in Hindi": (
        {
            "niti.txt": "अवकाश नीति\n\nप्रत्येक कर्मचारी को 12 दिन का वार्षिक अवकाश मिलेगा।",
            "pustika.txt": "कर्मचारी पुस्तिका\n\nप्रत्येक कर्मचारी को 18 दिन का वार्षिक अवकाश मिलेगा।",
        },
        "कर्मचारी को कितने दिन का वार्षिक अवकाश मिलेगा?",
        {"12 दिन", "18 दिन"},
    ),
    "two dates": (
        {
            "notice_a.txt": "Notice\n\nThe annual return must be filed by 31 March 2024.",
            "notice_b.txt": "Notice\n\nThe annual return must be filed by 30 June 2024.",
        },
        "By when must the annual return be filed?",
        {"31 March 2024", "30 June 2024"},
    ),
    "yes and no": (
        {
            "a.txt": "Rules\n\nEmployees may carry forward unused leave.",
            "b.txt": "Handbook\n\nEmployees may not carry forward unused leave.",
        },
        "May employees carry forward unused leave?",
        {"yes", "no"},
    ),
    "two bounds of one direction": (
        {
            "a.txt": "Security policy\n\nA breach must be reported within 72 hours.",
            "b.txt": "Incident manual\n\nA breach must be reported within 24 hours.",
        },
        "Within how many hours must a breach be reported?",
        {"72 hours", "24 hours"},
    ),
}


@pytest.mark.parametrize(("documents", "question", "values"), DISAGREEING.values(), ids=DISAGREEING)
def test_both_sides_are_stated_each_with_its_own_citation(documents, question, values):
    outcome = asked(documents, question)
    assert isinstance(outcome, Answer), outcome.verdicts
    (conflict,) = outcome.conflicts
    assert {conflict.value_a, conflict.value_b} == values
    cites = {claim.text: claim.cites for claim in outcome.claims}
    assert cites[conflict.quote_a] == (conflict.id_a,)
    assert cites[conflict.quote_b] == (conflict.id_b,)
    assert conflict.quote_b in outcome.evidence.chunk(conflict.id_b).text


@pytest.mark.parametrize("names", [("a.txt", "b.txt"), ("b.txt", "a.txt")])
def test_the_passage_that_denies_says_no(names):
    allows, denies = "Employees may carry forward unused leave.", "Employees may not carry forward unused leave."
    documents = {names[0]: f"Rules\n\n{allows}", names[1]: f"Handbook\n\n{denies}"}
    (conflict,) = asked(documents, "May employees carry forward unused leave?").conflicts
    said = {conflict.value_a: conflict.quote_a, conflict.value_b: conflict.quote_b}
    assert said == {"yes": allows, "no": denies}


@pytest.mark.parametrize(("documents", "question", "values"), DISAGREEING.values(), ids=DISAGREEING)
def test_where_the_profile_says_so_a_conflict_is_refused_with_its_reason(documents, question, values):
    outcome = asked(documents, question, policy="refuse")
    assert isinstance(outcome, Refusal)
    assert outcome.reason is Reason.CONFLICTING_SOURCES
    assert {outcome.conflicts[0].value_a, outcome.conflicts[0].value_b} == values
    assert all(value in outcome.needed.missing for value in values)


@pytest.mark.parametrize(("documents", "question", "values"), DISAGREEING.values(), ids=DISAGREEING)
def test_where_the_profile_says_so_a_conflict_is_not_looked_at(documents, question, values):
    outcome = asked(documents, question, policy="ignore")
    assert isinstance(outcome, Answer)
    assert outcome.conflicts == ()


AGREEING = {
    "the penalties of two offences": (
        {
            "a.txt": "Whoever commits theft shall be punished with imprisonment for a term of three years.",
            "b.txt": "Whoever commits extortion shall be punished with imprisonment for a term of two years.",
        },
        "What is the punishment for theft?",
    ),
    "a rule and a narrower one": (
        {"a.txt": TWELVE, "b.txt": "An employee on probation is entitled to 6 days of annual leave."},
        LEAVE,
    ),
    "a rule and its proviso": (
        {"a.txt": TWELVE, "b.txt": "Provided that every employee is entitled to 18 days of annual leave."},
        LEAVE,
    ),
    "a least and a most": (
        {
            "a.txt": "The minimum age for admission is 18 years.",
            "b.txt": "The maximum age for admission is 35 years.",
        },
        "What is the age for admission?",
    ),
    "a figure within a bound": (
        {"a.txt": "Records must be kept for at least 5 years.", "b.txt": "Records must be kept for 7 years."},
        "For how many years must records be kept?",
    ),
    "one figure in words and digits": (
        {"a.txt": TWELVE, "b.txt": "Every employee shall be entitled to twelve (12) days of annual leave in a year."},
        LEAVE,
    ),
    "one period in two units": (
        {"a.txt": "A breach must be reported within 72 hours.", "b.txt": "A breach must be reported within 3 days."},
        "Within what time must a breach be reported?",
    ),
    "units that do not convert": (
        {"a.txt": "The notice period for staff is 30 days.", "b.txt": "The notice period for staff is one month."},
        "What is the notice period for staff?",
    ),
    "the rows of a tariff": (
        {
            "a.txt": "Establishments with 10 or more employees give 12 days of leave.",
            "b.txt": "Establishments with 20 or more employees give 18 days of leave.",
        },
        "How many days of leave do establishments give?",
    ),
    "the first and the second time": (
        {"a.txt": "The first offence is fined Rs. 500.", "b.txt": "The second offence is fined Rs. 1000."},
        "How is an offence fined?",
    ),
    "by the month and by the year": (
        {"a.txt": "The membership fee is Rs. 100 per month.", "b.txt": "The membership fee is Rs. 1000 per year."},
        "How much is the membership fee?",
    ),
    "cases, not rules": (
        {
            "a.txt": "A owes Z a debt of 500 rupees under a bond.",
            "b.txt": "A owes Z a debt of 900 rupees under a bond.",
        },
        "What debt is owed under a bond?",
    ),
    "what means something only at its place": (
        {
            "a.txt": "A provider must comply with the requirements of this subpart by 20 April 2005.",
            "b.txt": "A provider must comply with the requirements of this subpart by 14 April 2003.",
        },
        "By when must a provider comply with the requirements?",
    ),
    "the same words under the title of another thing": (
        {
            "a.md": "# Passport\n\nThe application fee for adults is Rs. 500.",
            "b.md": "# Visa\n\nThe application fee for adults is Rs. 900.",
        },
        "What is the application fee for adults for a passport?",
    ),
}


@pytest.mark.parametrize(("documents", "question"), AGREEING.values(), ids=AGREEING)
@pytest.mark.parametrize("order", [1, -1], ids=["in order", "turned round"])
def test_what_only_looks_alike_is_no_conflict(documents, question, order):
    texts = dict(zip(documents, list(documents.values())[::order], strict=True))
    outcome = asked(texts, question, policy="refuse")
    assert len(outcome.evidence.hits) == len(documents)
    assert isinstance(outcome, Answer), [verdict for verdict in outcome.verdicts if verdict.status != "pass"]
    assert outcome.conflicts == ()


def test_of_two_versions_the_one_in_force_counts_and_nothing_is_in_conflict():
    superseding = Validity(supersedes=("leave_policy.txt",)).as_given()
    documents = POLICIES | {"staff_handbook.txt": (POLICIES["staff_handbook.txt"], superseding)}
    for profile in ("default", "legal", "compliance"):
        outcome = asked(documents, LEAVE, policy="refuse", profile=profile)
        assert isinstance(outcome, Answer), (profile, outcome.verdicts)
        assert outcome.conflicts == ()


def test_a_model_that_states_one_side_only_is_refused():
    known = ids(asked(POLICIES, LEAVE))
    says = Says(TWELVE, cites=(known["leave_policy.txt"],))
    for policy in ("state_both", "refuse"):
        outcome = asked(POLICIES, LEAVE, says, policy=policy)
        assert isinstance(outcome, Refusal)
        assert outcome.reason is Reason.CONFLICTING_SOURCES


def test_a_model_cannot_hide_the_other_side_behind_its_citation():
    known = ids(asked(POLICIES, LEAVE))
    says = Says(TWELVE, cites=(known["leave_policy.txt"], known["staff_handbook.txt"]))
    outcome = asked(POLICIES, LEAVE, says)
    assert isinstance(outcome, Refusal)
    assert Reason.CONFLICTING_SOURCES in {verdict.reason for verdict in outcome.verdicts}


def test_a_model_that_states_both_sides_is_delivered_and_the_conflict_is_on_record():
    known = ids(asked(POLICIES, LEAVE))
    says = Says(
        Claim("Every employee is entitled to twelve days of annual leave.", (known["leave_policy.txt"],)),
        Claim("Employees are entitled to 18 days of annual leave.", (known["staff_handbook.txt"],)),
    )
    outcome = asked(POLICIES, LEAVE, says)
    assert isinstance(outcome, Answer), [v for v in outcome.verdicts if v.status != "pass"]
    assert len(outcome.conflicts) == 1
    assert isinstance(asked(POLICIES, LEAVE, says, policy="refuse"), Refusal)


def test_a_claim_that_takes_no_side_is_not_refused_for_a_figure_quoted_next_to_it():
    known = ids(asked(POLICIES, LEAVE))
    says = Says("Requests are made to the head of the department.", cites=(known["leave_policy.txt"],))
    assert isinstance(asked(POLICIES, LEAVE, says, policy="refuse"), Answer)


def test_the_record_lists_the_conflict_with_both_quotes():
    outcome = asked(POLICIES, LEAVE)
    (listed,) = outcome_record(outcome, "number")["conflicts"]
    assert set(listed) == {"value_a", "id_a", "quote_a", "value_b", "id_b", "quote_b"}
    assert {listed["quote_a"], listed["quote_b"]} == {TWELVE, EIGHTEEN}
    refused = outcome_record(asked(POLICIES, LEAVE, policy="refuse"), "number")
    assert refused["refusal_reason"] == "conflicting_sources"
    assert {refused["conflicts"][0]["quote_a"], refused["conflicts"][0]["quote_b"]} == {TWELVE, EIGHTEEN}
    assert refused["hallucination_detected"] is False


def test_three_sources_with_three_values_are_all_stated():
    third = "Every employee is entitled to 21 days of annual leave."
    outcome = asked(POLICIES | {"note.txt": f"Note\n\n{third}"}, LEAVE)
    assert isinstance(outcome, Answer), outcome.verdicts
    assert {TWELVE, EIGHTEEN, third} <= {claim.text for claim in outcome.claims}
    assert len(outcome.conflicts) == 3


@pytest.mark.parametrize(
    ("profile", "policy"),
    [("default", "state_both"), ("legal", "state_both"), ("compliance", "refuse"), ("tutor", "ignore")],
)
def test_each_profile_says_what_happens(profile, policy):
    assert load_profile(profile).conflicts.on_disagreement == policy


def test_a_longer_text_whose_only_difference_is_a_not_or_a_number_in_words_is_no_duplicate():
    filler = " ".join(f"The {word} office keeps the register of staff." for word in "north south east west".split())
    documents = {
        "a.txt": f"{filler} Employees may carry forward unused leave.",
        "b.txt": f"{filler} Employees may not carry forward unused leave.",
    }
    assert asked(documents, "May employees carry forward unused leave?").conflicts
    documents = {
        "a.txt": f"{filler} The retention of personnel records lasts five years.",
        "b.txt": f"{filler} The retention of personnel records lasts seven years.",
    }
    assert asked(documents, "How long does the retention of personnel records last?").conflicts


def test_the_answer_that_a_conflict_is_found_for_stays_what_it_was():
    both = asked(POLICIES, LEAVE, policy="ignore")
    stated = asked(POLICIES, LEAVE)
    assert [claim for claim in stated.claims if claim in both.claims] == list(both.claims)
