"""Synthesis from several chunks: sentences, their coverage, the citation of everything used, and the whole."""

import pytest

from footnotary.contracts.c3 import (
    REFUSAL_MESSAGE,
    RetrievedChunk,
    check_claim_coverage,
    enforce_c3,
    split_into_sentences,
    synthesize_answer,
    validate_multi_chunk_citations,
)

S420 = RetrievedChunk(
    "abc",
    "IPC_420_0",
    "Section 420 IPC deals with cheating and dishonestly inducing delivery of property. Whoever cheats shall be "
    "punished with imprisonment for a term which may extend to seven years.",
    0.95,
    "IPC",
    "420",
)
S2 = RetrievedChunk(
    "def",
    "MinimumWagesAct_2_1",
    "Employer means any person who employs one or more employees in any scheduled employment.",
    0.85,
    "Minimum Wages Act",
    "2",
)
S3 = RetrievedChunk(
    "ghi",
    "MinimumWagesAct_3_2",
    "The appropriate government shall fix minimum rates of wages for scheduled employments.",
    0.75,
    "Minimum Wages Act",
    "3",
)
CHUNKS = [S420, S2, S3]


# Sentences.


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("This is a single sentence.", ["This is a single sentence."]),
        ("First one. Second one! Third one?", ["First one.", "Second one!", "Third one?"]),
        ("", []),
        ("  \n ", []),
        ("No stop at the end", ["No stop at the end"]),
        ("See Sec. 420 of the Code. It is so.", ["See Sec. 420 of the Code.", "It is so."]),
        ("A fine of Rs. 10,000 is due. Pay it.", ["A fine of Rs. 10,000 is due.", "Pay it."]),
        ("यह एक वाक्य है। यह दूसरा है।", ["यह एक वाक्य है।", "यह दूसरा है।"]),
    ],
)
def test_split_into_sentences(text, expected):
    assert split_into_sentences(text) == expected


def test_split_into_sentences_with_citations():
    text = "According to [IPC_420_0], cheating is illegal. Also, [MinimumWagesAct_2_1] defines employer."
    first, second = split_into_sentences(text)
    assert "[IPC_420_0]" in first
    assert "[MinimumWagesAct_2_1]" in second


def test_a_marker_behind_the_full_stop_stays_with_its_sentence():
    assert split_into_sentences("Cheating is illegal. [IPC_420_0] Wages are due. [MinimumWagesAct_3_2]") == [
        "Cheating is illegal. [IPC_420_0]",
        "Wages are due. [MinimumWagesAct_3_2]",
    ]


# Coverage.


def test_claim_coverage_with_valid_citation():
    coverage = check_claim_coverage("According to [IPC_420_0], Section 420 IPC deals with cheating.", CHUNKS)
    assert coverage.is_covered
    assert coverage.covering_chunks == ["IPC_420_0"]
    assert "cited chunks" in coverage.reason


def test_claim_coverage_multiple_citations():
    sentence = "Per [IPC_420_0] and [MinimumWagesAct_2_1], both cheating and employment are regulated."
    coverage = check_claim_coverage(sentence, CHUNKS)
    assert coverage.is_covered
    assert coverage.covering_chunks == ["IPC_420_0", "MinimumWagesAct_2_1"]


def test_a_cited_chunk_that_shares_nothing_covers_nothing():
    sentence = "Section 420 IPC deals with cheating [IPC_420_0][MinimumWagesAct_3_2]."
    assert check_claim_coverage(sentence, CHUNKS).covering_chunks == ["IPC_420_0"]


@pytest.mark.parametrize(
    "sentence",
    [
        "Based on the evidence provided, the following applies.",
        "I cannot answer this question.",
        "The evidence does not contain information about this.",
        "In summary:",
    ],
)
def test_claim_coverage_meta_statement(sentence):
    coverage = check_claim_coverage(sentence, CHUNKS)
    assert coverage.is_covered
    assert coverage.covering_chunks == []
    assert "meta-statement" in coverage.reason.lower()


@pytest.mark.parametrize(
    "sentence",
    [
        "Section 420 IPC deals with cheating.",
        "Based on the evidence, cheating is a crime.",
        "According to the documents, employers pay wages.",
    ],
)
def test_claim_coverage_no_citation(sentence):
    coverage = check_claim_coverage(sentence, CHUNKS)
    assert not coverage.is_covered
    assert "no citations" in coverage.reason.lower()


def test_claim_coverage_insufficient_overlap():
    coverage = check_claim_coverage("According to [IPC_420_0], the sky is blue.", CHUNKS)
    assert not coverage.is_covered
    assert coverage.covering_chunks == []
    assert "insufficient" in coverage.reason.lower()


@pytest.mark.parametrize(
    "sentence", ["According to [FAKE_ID], cheating is a crime.", "Cheating [IPC_420_0] [FAKE_ID]."]
)
def test_claim_coverage_hallucinated_citation(sentence):
    assert not check_claim_coverage(sentence, CHUNKS).is_covered


@pytest.mark.parametrize(
    "sentence", ["", "   ", "[IPC_420_0, MinimumWagesAct_2_1] cheating", "Cheating ［IPC_420_0］."]
)
def test_claim_coverage_of_nothing_or_of_malformed_citations(sentence):
    assert not check_claim_coverage(sentence, CHUNKS).is_covered


def _lettered(cited: str, words: str) -> RetrievedChunk:
    return RetrievedChunk(cited, cited, words)


def test_thirty_percent_is_enough_and_less_is_not():
    source = _lettered("Doc_1_0", "apricot banana cherry")
    ten = "apricot banana cherry damson elderberry fig grape hazelnut iris juniper"
    assert check_claim_coverage(f"{ten} [Doc_1_0].", [source]).is_covered
    assert not check_claim_coverage(f"{ten} kumquat [Doc_1_0].", [source]).is_covered


def test_with_several_citations_twenty_one_percent_is_enough():
    sources = [_lettered("Doc_1_0", "apricot"), _lettered("Doc_2_0", "banana cherry")]
    fourteen = "apricot banana cherry damson elderberry fig grape hazelnut iris juniper kumquat lemon mango nectarine"
    assert check_claim_coverage(f"{fourteen} [Doc_1_0][Doc_2_0].", sources).is_covered
    assert not check_claim_coverage(f"{fourteen} olive [Doc_1_0][Doc_2_0].", sources).is_covered
    assert not check_claim_coverage(f"{fourteen} [Doc_2_0].", sources).is_covered


def test_claim_coverage_high_overlap_threshold():
    sentence = "According to [IPC_420_0], cheating is illegal."
    assert check_claim_coverage(sentence, CHUNKS).is_covered
    assert not check_claim_coverage(sentence, CHUNKS, min_overlap=0.8).is_covered


# All sources used are cited.


def test_multi_chunk_citations_single_chunk():
    answer = "According to [IPC_420_0], Section 420 IPC deals with cheating."
    is_valid, missing, reason = validate_multi_chunk_citations(answer, CHUNKS)
    assert (is_valid, missing) == (True, [])
    assert "properly cited" in reason


def test_multi_chunk_citations_multiple_chunks():
    answer = (
        "According to [IPC_420_0], cheating is punishable. Additionally, [MinimumWagesAct_2_1] defines employer as "
        "any person who employs workers."
    )
    assert validate_multi_chunk_citations(answer, CHUNKS)[:2] == (True, [])


def test_multi_chunk_citations_partial_citation():
    answer = "According to [IPC_420_0], cheating is illegal. Employer means any person who employs workers."
    is_valid, missing, reason = validate_multi_chunk_citations(answer, CHUNKS)
    assert (is_valid, missing) == (False, ["MinimumWagesAct_2_1"])
    assert "MinimumWagesAct_2_1" in reason


def test_multi_chunk_citations_missing_citation():
    answer = "Whoever cheats is punished with imprisonment for seven years."
    assert validate_multi_chunk_citations(answer, CHUNKS)[:2] == (False, ["IPC_420_0"])


def test_a_sentence_that_draws_on_two_chunks_cites_both():
    answer = (
        "Whoever cheats shall be punished with imprisonment, and the appropriate government shall fix minimum rates "
        "of wages [IPC_420_0]."
    )
    assert validate_multi_chunk_citations(answer, CHUNKS)[:2] == (False, ["MinimumWagesAct_3_2"])


def test_duplicate_evidence_forces_no_second_citation():
    twin = RetrievedChunk("x", "IPC_420_7", S420.text, 0.9, "IPC", "420")
    answer = "Whoever cheats shall be punished with imprisonment [IPC_420_0]."
    assert validate_multi_chunk_citations(answer, [*CHUNKS, twin])[0]


def test_a_made_up_citation_is_no_citation():
    assert not validate_multi_chunk_citations("Cheating is a crime [FAKE_ID].", CHUNKS)[0]


def test_a_refusal_uses_no_source():
    assert validate_multi_chunk_citations(REFUSAL_MESSAGE, CHUNKS)[:2] == (True, [])


# The whole.


def test_synthesize_answer_sufficient_evidence():
    result = synthesize_answer("What is Section 420 IPC?", CHUNKS, use_mock=True)
    assert result.is_sufficient
    assert result.is_grounded
    assert result.query_type == "general"
    assert result.retrieved_semantic_ids == ["IPC_420_0", "MinimumWagesAct_2_1", "MinimumWagesAct_3_2"]
    assert result.uncovered_claims == []
    assert result.claim_coverage
    assert all(coverage.is_covered for coverage in result.claim_coverage)
    assert enforce_c3(result.answer, CHUNKS) == (True, [], None)
    assert validate_multi_chunk_citations(result.answer, CHUNKS)[0]


def test_synthesize_answer_insufficient_evidence():
    result = synthesize_answer("What is Section 420 IPC?", [])
    assert not result.is_sufficient
    assert result.answer == REFUSAL_MESSAGE
    assert result.is_grounded
    assert result.sufficiency_reason
    assert result.cited_sources == []


def test_synthesize_answer_definition_query():
    result = synthesize_answer("What is the definition of employer?", CHUNKS)
    assert result.is_sufficient
    assert result.query_type == result.evidence_sufficiency.query_type == "definition"
    assert result.cited_sources == ["MinimumWagesAct_2_1"]


def test_synthesize_answer_punishment_query():
    result = synthesize_answer("What is the punishment for cheating?", CHUNKS)
    assert result.query_type == "punishment"
    assert "seven years [IPC_420_0]" in result.answer


def test_synthesize_answer_multi_chunk_synthesis():
    question = "What is the definition of employer and what is the punishment for cheating?"
    result = synthesize_answer(question, CHUNKS)
    assert set(result.cited_sources) == {"IPC_420_0", "MinimumWagesAct_2_1"}


def test_synthesis_is_deterministic():
    question = "What is the punishment for cheating?"
    assert synthesize_answer(question, CHUNKS) == synthesize_answer(question, CHUNKS)


def test_synthesize_refuses_without_definitional_language():
    bare = RetrievedChunk("x", "Test_1_0", "The employer must pay minimum wages to workers.", 0.9, "Test Act", "1")
    result = synthesize_answer("What is the definition of employer?", [bare])
    assert (result.is_sufficient, result.answer) == (False, REFUSAL_MESSAGE)
    assert (result.refusal_reason or "").startswith("insufficient_evidence")


def test_synthesize_refuses_punishment_without_penalty():
    bare = RetrievedChunk("x", "IPC_420_0", "Section 420 IPC deals with cheating and fraud.", 0.9, "IPC", "420")
    result = synthesize_answer("What is the punishment for Section 420?", [bare])
    assert (result.is_sufficient, result.answer) == (False, REFUSAL_MESSAGE)


def test_synthesize_answer_empty_query():
    assert synthesize_answer("", CHUNKS).answer == REFUSAL_MESSAGE


def test_a_rejected_draft_is_accounted_for_and_not_shown(monkeypatch):
    from footnotary.compat import c3_generation
    from footnotary.domain.draft import Claim
    from footnotary.testing.scripted_models import Says

    lie = Claim("Whoever cheats shall be punished with imprisonment up to seventy years.", ("IPC_420_0",))
    monkeypatch.setattr(c3_generation, "_chat", lambda model: Says(lie))
    result = synthesize_answer("What is the punishment for cheating?", CHUNKS, use_mock=False)
    assert result.answer == REFUSAL_MESSAGE
    assert (result.is_sufficient, result.is_grounded) == (True, False)
    assert result.uncovered_claims == [lie.text]
    assert result.claim_coverage == []


@pytest.mark.parametrize("answer", ["", "  ", "Based on the evidence:", "Bananas are yellow."])
def test_an_answer_that_cites_nothing_does_not_cite_all_it_uses(answer):
    is_valid, missing, reason = validate_multi_chunk_citations(answer, CHUNKS)
    assert (is_valid, missing, reason) == (False, [], "Answer contains no citations")
