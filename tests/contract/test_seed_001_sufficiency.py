"""Evidence sufficiency: what is asked, and whether the chunks can answer it, before anything is generated."""

import pytest

from footnotary.contracts.c3 import RetrievedChunk, classify_query_type, is_evidence_sufficient


def chunk(text: str, cited: str = "Test_1_0", act: str | None = None, section: str | None = None, score: float = 0.9):
    return RetrievedChunk(chunk_id=cited, semantic_id=cited, text=text, score=score, act=act, section=section)


EMPLOYER = chunk("Employer means any person who employs workers.", "MinimumWagesAct_2_1", "Minimum Wages Act", "2")
CHEATING = chunk(
    "Whoever cheats shall be punished with imprisonment of either description for a term which may extend to seven "
    "years, and shall also be liable to fine.",
    "IPC_420_0",
    "IPC",
    "420",
)


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What is cheating?", "definition"),
        ("What is an employer?", "definition"),
        ("Define employer", "definition"),
        ("What does employer mean?", "definition"),
        ("What is the definition of employer?", "definition"),
        ("What is the meaning of wages?", "definition"),
        ("What is the punishment for cheating?", "punishment"),
        ("penalty for non-payment of wages", "punishment"),
        ("How is theft punished?", "punishment"),
        ("How to file a complaint?", "procedure"),
        ("What are the steps to register?", "procedure"),
        ("What is the extent of the Act?", "scope"),
        ("What is the applicability of this Act?", "scope"),
        ("Who does the Act apply to?", "scope"),
        ("What is Section 420 IPC?", "general"),
        ("Tell me about minimum wages", "general"),
        ("", "general"),
        ("???", "general"),
    ],
)
def test_classify_query_type(question, kind):
    assert classify_query_type(question) == kind


@pytest.mark.parametrize(
    "text",
    [
        "Employer means any person who employs workers.",
        "Section 2 defines employer as any person who employs workers.",
        'An "employer" is a person who employs workers.',
        "Employer includes any person who employs workers.",
        "A person who employs workers is said to be an employer.",
    ],
)
def test_a_definition_question_is_answered_by_definitional_wording(text):
    result = is_evidence_sufficient("What is the definition of employer?", [chunk(text)])
    assert result.is_sufficient
    assert result.query_type == "definition"
    assert result.relevant_chunks == ["Test_1_0"]
    assert result.reason


@pytest.mark.parametrize(
    "text",
    [
        "The employer must pay minimum wages.",
        "Wages means all remuneration. The employer must pay it.",
        "Undefined terms are void.",
    ],
)
def test_a_definition_question_is_not_answered_by_anything_else(text):
    result = is_evidence_sufficient("What is the definition of employer?", [chunk(text)])
    assert not result.is_sufficient
    assert result.relevant_chunks == []
    assert result.reason


@pytest.mark.parametrize(
    "text",
    [
        "Whoever is guilty of cheating shall be punished with imprisonment for seven years.",
        "Penalty for cheating: Fine up to Rs. 10,000",
    ],
)
def test_a_punishment_question_is_answered_by_a_penalty(text):
    result = is_evidence_sufficient("What is the punishment for cheating?", [chunk(text)])
    assert result.is_sufficient
    assert result.query_type == "punishment"


def test_a_punishment_question_is_not_answered_without_a_penalty():
    bare = chunk("Section 420 deals with cheating.", "IPC_420_0", "IPC", "420")
    assert not is_evidence_sufficient("What is the punishment for cheating?", [bare]).is_sufficient


def test_the_punishment_has_to_be_that_of_the_offence_asked_about():
    theft = chunk(
        "Whoever commits theft shall be punished with imprisonment for three years.", "IPC_379_0", "IPC", "379"
    )
    assert not is_evidence_sufficient("What is the punishment for cheating?", [theft]).is_sufficient


@pytest.mark.parametrize("section", ["42", "4200", "421", "42A"])
def test_another_section_is_not_the_one_asked_for(section):
    near = chunk("Whoever cheats shall be punished with imprisonment.", f"IPC_{section}_0", "IPC", section)
    assert not is_evidence_sufficient("What is the punishment under section 420 IPC?", [near]).is_sufficient
    assert is_evidence_sufficient(
        "What is the punishment under section 420 IPC?", [near, CHEATING]
    ).relevant_chunks == ["IPC_420_0"]


def test_a_procedure_question_needs_procedural_wording():
    how = chunk("A complaint shall be filed in writing with the Inspector within six months.")
    what = chunk("A complaint is a grave thing.")
    assert is_evidence_sufficient("How to file a complaint?", [how]).is_sufficient
    assert not is_evidence_sufficient("How to file a complaint?", [what]).is_sufficient


def test_a_scope_question_needs_scope_wording():
    extent = chunk("This Act extends to the whole of India.", "MinimumWagesAct_1_0", "Minimum Wages Act", "1")
    other = chunk("This Act was passed long ago.", "MinimumWagesAct_1_0", "Minimum Wages Act", "1")
    question = "What is the extent of the Minimum Wages Act?"
    assert is_evidence_sufficient(question, [extent]).is_sufficient
    assert not is_evidence_sufficient(question, [other]).is_sufficient


def test_a_general_question_needs_one_relevant_chunk():
    assert is_evidence_sufficient("Tell me about employers and workers", [EMPLOYER, CHEATING]).relevant_chunks == [
        "MinimumWagesAct_2_1"
    ]
    assert is_evidence_sufficient("What is Section 420 IPC?", [CHEATING]).is_sufficient


def test_a_general_question_about_something_else_is_not_answered():
    result = is_evidence_sufficient("Tell me about photosynthesis", [EMPLOYER, CHEATING])
    assert not result.is_sufficient
    assert result.relevant_chunks == []


@pytest.mark.parametrize("chunks", [[], None, [chunk("", "IPC_420_0")], [chunk("Whoever cheats is punished.", "")]])
def test_no_usable_evidence_is_never_sufficient(chunks):
    result = is_evidence_sufficient("What is the punishment for cheating?", chunks)
    assert not result.is_sufficient
    assert result.reason
    assert result.query_type == "punishment"


def test_the_callers_scores_gate_nothing():
    for score in (0.0, 0.01, 17.5, float("nan")):
        weak = RetrievedChunk("x", "IPC_420_0", CHEATING.text, score, "IPC", "420")
        assert is_evidence_sufficient("What is the punishment for cheating?", [weak]).is_sufficient


def test_a_repeated_chunk_counts_once():
    again = RetrievedChunk("y", "IPC_420_9", CHEATING.text, 0.9, "IPC", "420")
    found = is_evidence_sufficient("What is the punishment for cheating?", [CHEATING, again]).relevant_chunks
    assert found == ["IPC_420_0"]


def test_fine_is_not_in_define():
    text = "Section 2 defines cheating in a refined and finely drawn way."
    assert not is_evidence_sufficient("What is the fine for cheating?", [chunk(text)]).is_sufficient


def test_a_question_that_names_nothing_is_not_answered():
    assert not is_evidence_sufficient("", [CHEATING]).is_sufficient
    assert not is_evidence_sufficient("What is it?", [CHEATING]).is_sufficient


def test_a_question_of_two_parts_needs_evidence_for_both():
    question = "What is the definition of employer and what is the punishment for cheating?"
    both = is_evidence_sufficient(question, [EMPLOYER, CHEATING])
    assert both.is_sufficient
    assert set(both.relevant_chunks) == {"MinimumWagesAct_2_1", "IPC_420_0"}
    assert not is_evidence_sufficient(question, [EMPLOYER]).is_sufficient


def test_a_question_in_two_parts_is_of_the_first_kind_it_names():
    assert classify_query_type("What happens to a thief? What is the penalty?") == "punishment"
