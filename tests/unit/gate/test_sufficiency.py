"""When there is enough to go on."""

import pytest

from footnotary.domain.evidence import Evidence
from footnotary.domain.verdict import Reason
from footnotary.gate.sufficiency import check_sufficiency
from footnotary.profiles.load import load_profile
from footnotary.profiles.overrides import override_profile
from footnotary.testing.builders import chunk_of, evidence_of

LEGAL = load_profile("legal")
EMPLOYER = chunk_of("MinimumWagesAct_2_1", "Employer means any person who employs workers.", act="Minimum Wages Act")
DUTY = chunk_of("MinimumWagesAct_12_0", "The employer must pay minimum wages.", act="Minimum Wages Act")
S420 = chunk_of(
    "IPC_420_0",
    "Whoever cheats and thereby dishonestly induces the person deceived to deliver any property shall be punished "
    "with imprisonment which may extend to seven years, and shall also be liable to fine.",
)
S42 = chunk_of("IPC_42_0", "A local law is a law applicable only to a particular part of the country.")
DEALS = chunk_of("IPC_420_0", "Section 420 deals with cheating.")
IT_ACT = chunk_of(
    "IT_66_0",
    "If any person dishonestly damages a computer, he shall be punished with imprisonment.",
    act="Information Technology Act, 2000",
    code="IT",
)
CRPC = chunk_of("CrPC_144_0", "A Magistrate may direct any person to abstain from a certain act.", code="CrPC")


@pytest.mark.parametrize(
    ("question", "chunk", "sufficient"),
    [
        ("What is an employer?", EMPLOYER, True),
        ("What is the definition of employer?", EMPLOYER, True),
        ("Define employer", chunk_of("A_2_0", "Section 2 defines employer as any person who employs."), True),
        ("What is an employer?", DUTY, False),
        ("What is a worker?", chunk_of("A_2_0", "Employer means any person who employs a worker."), False),
        ("What is cheating?", chunk_of("IPC_415_0", "A person is said to cheat who deceives another."), True),
        ("What is theft?", chunk_of("IPC_378_0", "Whoever takes property so is said to commit theft."), True),
        ("What is theft?", chunk_of("IPC_379_0", "Whoever commits theft shall be punished with imprisonment."), False),
        ("What is rioting?", chunk_of("IPC_146_0", "Every member of such an assembly is guilty of rioting."), True),
        ("What is rioting?", chunk_of("IPC_147_0", "A person guilty of rioting shall be punished."), False),
        ("What is the punishment for cheating?", S420, True),
        ("What is the punishment for cheating?", DEALS, False),
        ("What is the penalty for delay?", chunk_of("A_9_0", "Penalty for delay: Fine up to Rs. 10,000"), True),
        ("What is the punishment for murder?", S420, False),
        ("What is the punishment under section 420 IPC?", S420, True),
        ("What is the punishment under section 42 IPC?", S420, False),
        ("What is Section 420 IPC?", S420, True),
        ("What is Section 420 IPC?", S42, False),
        ("What is Section 420 of the Contract Act?", S420, False),
        ("How to file a complaint?", chunk_of("A_3_0", "A complaint shall be filed in writing within 30 days."), True),
        ("How to file a complaint?", chunk_of("A_3_0", "Complaint: see above."), False),
        (
            "Does the Act extend to Goa?",
            chunk_of("A_1_0", "The Act extends to the whole of India, Goa included."),
            True,
        ),
        ("Tell me about cheating", DEALS, True),
        ("Tell me about photosynthesis", DEALS, False),
        ("What is it?", DEALS, False),
        ("What does section 66 of the IT Act say?", IT_ACT, True),
        ("What does section 66 of the Information Technology Act say?", IT_ACT, True),
        ("What does section 66 of the Companies Act say?", IT_ACT, False),
        ("What does section 144 of the CrPC say?", CRPC, True),
        ("What does section 144 of the Penal Code say?", CRPC, False),
    ],
)
def test_evidence_must_be_of_the_kind_asked_for_and_about_what_is_asked(question, chunk, sufficient):
    assert (check_sufficiency(evidence_of(question, chunk), LEGAL).verdict.status == "pass") == sufficient


def test_both_parts_of_a_question_need_evidence():
    question = "What is an employer and what is the punishment for cheating?"
    assert check_sufficiency(evidence_of(question, EMPLOYER, S420), LEGAL).verdict.status == "pass"
    assert (
        check_sufficiency(evidence_of(question, EMPLOYER, DEALS), LEGAL).verdict.reason is Reason.INSUFFICIENT_EVIDENCE
    )


@pytest.mark.parametrize(("score", "passes"), [(0.29, False), (0.3, True)])
def test_the_probe_threshold_is_inclusive(score, passes):
    verdict = check_sufficiency(evidence_of("What is the punishment for cheating?", S420, score=score), LEGAL).verdict
    assert (verdict.status == "pass") == passes
    assert passes or verdict.reason is Reason.NO_RELEVANT_CONTENT


def test_nothing_found_refuses_even_where_no_source_is_asked_for():
    verdict = check_sufficiency(evidence_of("What is theft?"), override_profile(LEGAL, min_sources=0)).verdict
    assert verdict.reason is Reason.NO_RELEVANT_CONTENT


def test_duplicates_and_empty_texts_are_no_sources():
    two = override_profile(LEGAL, min_sources=2)
    again = chunk_of("IPC_420_1", S420.text)
    empty = chunk_of("IPC_421_0", "   ")
    evidence = evidence_of("What is the punishment for cheating?", S420, again, empty)
    assert check_sufficiency(evidence, two).verdict.reason is Reason.INSUFFICIENT_SOURCES


def test_a_refusal_says_what_would_be_needed_and_what_came_nearest():
    needed = check_sufficiency(evidence_of("What is the punishment for cheating?", DEALS), LEGAL).needed
    assert "punishment" in needed.facet
    assert needed.nearest == ("IPC_420_0",)


def test_the_gate_never_sees_a_hit_below_the_sources_score():
    evidence = evidence_of("What is the punishment for cheating?", S420)
    weak = evidence_of("What is the punishment for cheating?", chunk_of("IPC_417_0", "Cheating: one year."), score=0.05)
    both = Evidence(evidence.query, (*evidence.hits, *weak.hits))
    assert [hit.chunk.id for hit in check_sufficiency(both, LEGAL).relevant] == ["IPC_420_0"]


def test_sources_that_cover_a_joint_question_together_are_enough():
    question = "What are the provisions related to employers and cheating?"
    assert check_sufficiency(evidence_of(question, EMPLOYER, DEALS), LEGAL).relevant != ()
    assert (
        check_sufficiency(evidence_of(question, EMPLOYER, DUTY), LEGAL).verdict.reason is Reason.INSUFFICIENT_EVIDENCE
    )
    unjoined = "What do employers say of cheating?"
    assert (
        check_sufficiency(evidence_of(unjoined, EMPLOYER, DEALS), LEGAL).verdict.reason is Reason.INSUFFICIENT_EVIDENCE
    )


def test_a_scope_question_about_a_whole_act_needs_no_other_subject():
    extent = chunk_of("MinimumWagesAct_1_0", "The Act extends to the whole of India.", act="Minimum Wages Act")
    question = "What is the extent of the Minimum Wages Act?"
    assert check_sufficiency(evidence_of(question, extent), LEGAL).verdict.status == "pass"


def test_an_empty_result_is_not_described_by_a_score():
    nothing = check_sufficiency(Evidence(evidence_of("What is cheating?", DEALS).query, ()), LEGAL)
    assert nothing.verdict.detail == "nothing was found"


@pytest.mark.parametrize(("label", "asked"), [("IPC", "Indian Penal Code"), ("Indian Penal Code, 1860", "IPC")])
def test_an_act_is_known_by_its_name_and_by_its_initials(label, asked):
    s420 = chunk_of("X_420_0", "It deals with cheating.", act=label, code=None)
    assert check_sufficiency(evidence_of(f"What is Section 420 of the {asked}?", s420), LEGAL).verdict.status == "pass"
    assert check_sufficiency(evidence_of("What is Section 420 of the CrPC?", s420), LEGAL).verdict.status == "fail"


@pytest.mark.parametrize(
    "question",
    [
        "What is the maximum punishment for cheating?",
        "What punishment is prescribed by law for a person who cheats?",
        "Can I go to jail for cheating?",
        "What is the punishment for cheating in India?",
        "What is the punishment for a person guilty of cheating?",
    ],
)
def test_the_words_of_asking_for_a_penalty_are_no_subject(question):
    assert check_sufficiency(evidence_of(question, S420), LEGAL).verdict.status == "pass"


def test_a_place_asked_about_must_be_known_to_the_sources():
    wages = chunk_of("MinimumWagesAct_12_0", "The minimum wage must be paid in cash.", act="Minimum Wages Act")
    assert check_sufficiency(
        evidence_of("How is the minimum wage paid in cash in California?", wages), LEGAL
    ).verdict.detail == ("no passage is about California")
    assert (
        check_sufficiency(evidence_of("How is the minimum wage paid in cash?", wages), LEGAL).verdict.status == "pass"
    )


@pytest.mark.parametrize(
    "question",
    [
        "What are the breach notification requirements?",
        "What is the deadline for notification of a breach?",
        "What does section 9 provide?",
        "Breach: duty u/s 9",
    ],
)
def test_the_words_a_lawyer_asks_with_are_no_subject(question):
    notice = chunk_of("A_9_0", "The holder shall notify the person of a breach within 60 days.", section="9")
    assert check_sufficiency(evidence_of(question, notice), LEGAL).verdict.status == "pass"


def test_the_name_of_an_act_is_no_evidence_of_its_story():
    pay = chunk_of("MinimumWagesAct_12_0", "The employer shall pay the minimum wages.", act="Minimum Wages Act")
    question = "When was the Minimum Wages Act passed?"
    assert check_sufficiency(evidence_of(question, pay), LEGAL).verdict.detail == "no passage is about pass"


def test_an_act_is_not_another_with_its_initials():
    s2 = chunk_of("ICA_2_0", "A promise is an agreement.", act="The Indian Contract Act, 1872", code="ICA", section="2")
    question = "What does section 2 of the Companies Act, 1956 say about an agreement?"
    assert check_sufficiency(evidence_of(question, s2), LEGAL).verdict.status == "fail"


def test_a_section_headed_by_nothing_but_the_term_says_what_it_is():
    text = "Whoever obstructs a person so that he cannot proceed, is said wrongfully to restrain that person."
    headed = chunk_of("IPC_339_0", text, title="Wrongful restraint")
    punished = chunk_of(
        "IPC_341_0", "Whoever restrains a person shall be fined.", title="Punishment for wrongful restraint"
    )
    for chunk, sufficient in ((headed, True), (punished, False)):
        found = check_sufficiency(evidence_of("What is wrongful restraint?", chunk), LEGAL)
        assert (found.verdict.status == "pass") == sufficient


def test_a_source_in_another_language_is_no_source_unless_the_profile_allows_it():
    hindi = chunk_of("भादंसं_420_0", "जो कोई छल करेगा वह कारावास से दंडित किया जाएगा।")
    english = chunk_of("IPC_420_0", "Section 420. Whoever cheats shall be punished with imprisonment.")
    question = "What is the punishment under section 420?"
    assert check_sufficiency(evidence_of(question, hindi), LEGAL).verdict.reason is Reason.LANGUAGE_MISMATCH
    assert check_sufficiency(evidence_of(question, hindi, english), LEGAL).relevant[0].chunk == english
    open_to_all = LEGAL.model_copy(update={"languages": LEGAL.languages.model_copy(update={"cross_language": True})})
    assert check_sufficiency(evidence_of(question, hindi), open_to_all).verdict.status == "pass"


@pytest.mark.parametrize("asked", ["धारा 420 क्या है?", "धारा ४२० क्या है?"])
@pytest.mark.parametrize("label", ["420", "४२०"])
def test_a_section_is_the_same_in_either_kind_of_digits(asked, label):
    chunk = chunk_of("भादंसं_420_0", "जो कोई छल करेगा वह कारावास से दंडित किया जाएगा।", section=label)
    assert check_sufficiency(evidence_of(asked, chunk), LEGAL).verdict.status == "pass"


@pytest.mark.parametrize("asked", ["is due", "is payable", "can be levied"])
def test_a_fine_is_found_under_its_provision_whatever_it_is_said_to_be(asked: str):
    text = "(3) Whoever leaves the gate open shall pay a fine of 400 rupees."
    gate = chunk_of("GardensAct_3_0", text, act="Gardens Act")
    question = f"What fine {asked} under section 3(3) of the Gardens Act?"
    assert check_sufficiency(evidence_of(question, gate), LEGAL).verdict.status == "pass"


NO_KEEPER = "(1) Every keeper shall fence the garden.\n(2) No keeper shall—\n(a) fell a tree;\n(b) burn leaves."


@pytest.mark.parametrize(
    ("question", "sufficient"),
    [
        ("What does section 3(2) say?", True),
        ("What does section 3(2)(b) say?", True),
        ("What does clause (b) of sub-section (2) of section 3 say?", True),
        ("What does section 3(2)(b) say about leaves?", True),
        ("What do clauses (b) and (z) of section 3 say?", True),
        ("What does section 3(2)(z) say?", False),
        ("What does section 3(9) say?", False),
        ("What does section 3(9) say about keepers and leaves?", False),
        ("What does clause (z) of section 3 say about leaves?", False),
    ],
)
def test_a_clause_that_its_section_does_not_have_is_not_answered_from_the_section(question: str, sufficient: bool):
    one = chunk_of("GardensAct_3_0", NO_KEEPER, act="Gardens Act")
    assert (check_sufficiency(evidence_of(question, one), LEGAL).verdict.status == "pass") == sufficient


@pytest.mark.parametrize("question", ["What does section 3(9) say?", "What does section 3(9) say about zebras?"])
@pytest.mark.parametrize("text", [NO_KEEPER, "(1) The 9 keepers shall fence the garden."])
def test_the_refusal_names_the_clause_that_is_missing(question: str, text: str):
    one = chunk_of("GardensAct_3_0", text, act="Gardens Act")
    assert check_sufficiency(evidence_of(question, one), LEGAL).verdict.detail == "no passage is about section 3(9)"


def test_the_clauses_of_a_section_may_stand_in_several_passages():
    chunks = [chunk_of(f"GardensAct_3_{n}", line, act="Gardens Act") for n, line in enumerate(NO_KEEPER.split("(a)"))]
    assert check_sufficiency(evidence_of("What does section 3(2)(b) say?", *chunks), LEGAL).verdict.status == "pass"


SAYS = "In section {} of the principal Act, for the word ten the word twelve shall be substituted."


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("What does section 3 of the principal Act say?", ["GardensAct_3_0", "Amendment_5_0"]),
        ("What does section 9 of the principal Act say?", ["Amendment_3_0"]),
        ("What does section 5 of the principal Act say?", []),
        ("What does section 3 of the Gardens (Amendment) Act say?", ["Amendment_3_0", "Amendment_5_0"]),
        ("What does section 3 of the Gardens Act say?", ["GardensAct_3_0", "Amendment_5_0"]),
        ("What does section 3 of the amended Gardens Act say?", ["GardensAct_3_0", "Amendment_5_0"]),
    ],
)
def test_a_section_of_the_principal_act_is_not_that_of_the_act_that_amends_it(question: str, found: list[str]):
    amending = [
        chunk_of(f"Amendment_{own}_0", SAYS.format(other), act="Gardens Amendment Act")
        for own, other in ((3, 9), (5, 3))
    ]
    sources = [chunk_of("GardensAct_3_0", NO_KEEPER, act="Gardens Act"), *amending]
    assert [hit.chunk.id for hit in check_sufficiency(evidence_of(question, *sources), LEGAL).relevant] == found


def test_a_clause_is_found_by_a_mark_without_brackets():
    chunk = chunk_of("Fruit_5_0", "1. Fruit shall be:\na) ripe;\nb) clean.", act="Fruit")
    assert check_sufficiency(evidence_of("What does article 5(1)(b) say?", chunk), LEGAL).verdict.status == "pass"


def test_both_years_of_a_range_in_hyphens_count():
    chunk = chunk_of("G_1_0", "The grant was 500 rupees a month for 2016-2018.")
    assert check_sufficiency(evidence_of("What was the grant in 2018?", chunk), LEGAL).verdict.status == "pass"
