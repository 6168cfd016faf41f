"""What the product does, case by case, through the interfaces of its contracts only."""

import asyncio
from dataclasses import dataclass, field

import pytest

from footnotary import verify_claim
from footnotary.contracts.c3 import (
    REFUSAL_MESSAGE,
    RetrievedChunk,
    build_grounded_prompt,
    check_claim_coverage,
    classify_query_type,
    enforce_c3,
    extract_citations,
    generate_grounded_answer,
    is_evidence_sufficient,
    split_into_sentences,
    synthesize_answer,
    validate_multi_chunk_citations,
)
from footnotary.contracts.grounding import AnswerResult, GroundedGenerator, RetrievalResult, RetrievalSource
from footnotary.contracts.tutor import (
    AnswerStatus,
    CitationStyle,
    GenerationConfig,
    RAGAnswerGenerator,
    detect_hallucination,
    verify_grounding,
)


def chunk(cited, text, act=None, section=None):
    return RetrievedChunk(f"c-{cited}", cited, text, 0.9, act, section)


S420 = chunk(
    "IPC_420_0",
    "Section 420 IPC – Cheating and dishonestly inducing delivery of property. Whoever cheats and thereby dishonestly "
    "induces the person deceived to deliver any property shall be punished with imprisonment of either description "
    "for a term which may extend to seven years, and shall also be liable to fine.",
    "IPC",
    "420",
)
SHORT_420 = chunk(
    "IPC_420_0",
    "Section 420 IPC - Cheating and dishonestly inducing delivery of property. Shall be punished with imprisonment up "
    "to seven years.",
    "IPC",
    "420",
)
S415 = chunk(
    "IPC_415_0",
    "Section 415 IPC. Cheating. Whoever, by deceiving any person, fraudulently or dishonestly induces the person so "
    'deceived to deliver any property to any person is said to "cheat".',
    "IPC",
    "415",
)
S379 = chunk(
    "IPC_379_0",
    "Whoever commits theft shall be punished with imprisonment of either description for a term which may extend to "
    "three years, or with fine, or with both.",
    "IPC",
    "379",
)
EMPLOYER = chunk("MinimumWagesAct_2_1", "Employer means any person who employs workers.", "Minimum Wages Act", "2")
PAYMENT = chunk(
    "MinimumWagesAct_12_0",
    "The employer shall pay to every employee wages at a rate not less than the minimum rate fixed by notification.",
    "Minimum Wages Act",
    "12",
)
EXTENT = chunk("MinimumWagesAct_1_0", "The Minimum Wages Act extends to the whole of India.", "Minimum Wages Act", "1")
CLAIMING = chunk(
    "MinimumWagesAct_20_0",
    "To claim unpaid wages, the employee shall apply in writing to the Authority within six months.",
    "Minimum Wages Act",
    "20",
)
HELD = chunk("SupremeCourt_1_2020_0", "The Supreme Court held that mens rea is an essential ingredient of cheating.")
BREACH = chunk(
    "HIPAA_164.404_0",
    "A covered entity must notify each affected individual of a breach in no case later than 60 days after discovery.",
    "HIPAA",
    "164.404",
)
PROGRESSION = chunk(
    "Maths10_5.1_0",
    "An arithmetic progression is a list of numbers in which each term is obtained by adding a fixed number to the "
    "preceding term.",
)

# Extraction


@pytest.mark.parametrize(
    ("answer", "cited"),
    [
        ("Per [IPC_420_0], cheating is illegal.", {"IPC_420_0"}),
        ("See [IPC_420_0] and [MinimumWagesAct_2_1].", {"IPC_420_0", "MinimumWagesAct_2_1"}),
        ("No citations here.", set()),
        ("", set()),
        ("[IPC_420_0], and again [IPC_420_0].", {"IPC_420_0"}),
        ("Cheating is punished [IPC_420_0][IPC_415_0].", {"IPC_420_0", "IPC_415_0"}),
        ("Conspiracy is punished [IPC_120B_0]", {"IPC_120B_0"}),
        ("[SupremeCourt_1_2020_0] held so.", {"SupremeCourt_1_2020_0"}),
        ("Names are removed [HIPAA_164.514_0].", {"HIPAA_164.514_0"}),
        ("समांतर श्रेढ़ी [गणित10_5.1_0]।", {"गणित10_5.1_0"}),
        ("Cheating [IPC_420_0].\n\nTheft [IPC_379_0].", {"IPC_420_0", "IPC_379_0"}),
        ("[FAKE_ID] says so.", {"FAKE_ID"}),
        *(
            (f"Cheating is illegal {token}.", set())
            for token in (
                "[]", "[IPC_420_0", "IPC_420_0]", "[IPC 420 0]", "[IPC-420-0]", "(IPC_420_0)", "{IPC_420_0}",
                "`[IPC_420_0]`", "<!-- [IPC_420_0] -->", "[IPC_420_0](http://a.b)", "![IPC_420_0](http://a.b/c.png)",
                "［IPC_420_0］", "[IPC_\u200b420_0]", "[ IPC_420_0 ]", "[[IPC_420_0]]", "[^1]",
            )
        ),
    ],
)  # fmt: skip
def test_only_a_bracketed_id_cites(answer, cited):
    assert extract_citations(answer) == cited


# Enforcement


@pytest.mark.parametrize(
    ("answer", "chunks"),
    [
        (REFUSAL_MESSAGE, []),
        (f"  {REFUSAL_MESSAGE}\n", [S420]),
        ("According to [IPC_420_0], Section 420 deals with cheating.", [S420]),
        ("According to [IPC_420_0], Section 420 IPC deals with cheating.", [SHORT_420]),
        ("Section 420 deals with cheating. [IPC_420_0]", [S420]),
        ("[IPC_420_0]: Section 420 deals with cheating.", [S420]),
        ("Section 420 deals with cheating ([IPC_420_0]).", [S420]),
        ("Based on the evidence:\n\nSection 420 deals with cheating [IPC_420_0].", [S420]),
        ("1. Section 420 deals with cheating [IPC_420_0].\n2. Cheaters are liable to fine [IPC_420_0].", [S420]),
        ("Cheating is punishable with imprisonment of up to 7 years and a fine [IPC_420_0].", [S420]),
        ("The maximum punishment is seven years' imprisonment [IPC_420_0].", [SHORT_420]),
        ("Per [MinimumWagesAct_2_1], an employer is any person who employs workers.", [EMPLOYER]),
        ("[MinimumWagesAct_2_1] defines employer as any person who employs workers.", [EMPLOYER]),
        ("Employers must pay at least the minimum rate of wages [MinimumWagesAct_12_0].", [PAYMENT]),
        ("The Supreme Court held that mens rea is essential [SupremeCourt_1_2020_0].", [HELD]),
        ("Section 420 deals with cheating [IPC_420_0]. An employer employs workers [MinimumWagesAct_2_1].",
         [S420, EMPLOYER]),
        ("Cheating carries up to seven years [IPC_420_0], while theft carries up to three years [IPC_379_0].",
         [SHORT_420, S379]),
    ],
)  # fmt: skip
def test_an_answer_that_cites_and_holds_is_valid(answer, chunks):
    assert enforce_c3(answer, chunks) == (True, [], None)


@pytest.mark.parametrize(
    ("answer", "invalid"),
    [
        ("According to [IPC_421_0], fraud is illegal.", ["IPC_421_0"]),
        ("Cheating is illegal [FAKE_ID].", ["FAKE_ID"]),
        ("Per [IPC_420_0], cheating is punished. Per [IPC_999_0], theft is too.", ["IPC_999_0"]),
        ("Per [A_1_0] and [B_2_0], cheating is punished.", ["A_1_0", "B_2_0"]),
        ("Cheating is punished [ipc_420_0].", ["ipc_420_0"]),
        ("Cheating is punished [IРС_420_0].", ["IРС_420_0"]),
    ],
)
def test_an_id_that_was_not_retrieved_is_named(answer, invalid):
    assert enforce_c3(answer, [S420]) == (False, invalid, f"Invalid citations: {', '.join(invalid)}")


@pytest.mark.parametrize(
    "answer",
    [
        "Section 420 IPC deals with cheating.",
        "Section 420 is commonly known as...",
        "I think it might be...",
        "Based on general knowledge...",
        "   ",
    ],
)
def test_an_answer_without_citations_is_rejected(answer):
    assert enforce_c3(answer, [S420]) == (False, [], "Answer contains no citations")


@pytest.mark.parametrize(
    "answer",
    [
        "Section 420 deals with cheating [IPC_420_0]. Theft is punished with death.",
        "Section 420 covers:\n- cheating [IPC_420_0]\n- theft of cattle",
        "चोरी अपराध है। हत्या अपराध है [IPC_420_0]।",
        f"{REFUSAL_MESSAGE} [IPC_420_0]",
        f"{REFUSAL_MESSAGE} However, cheating is punished [IPC_420_0].",
        "As we know, cheating is punished [IPC_420_0].",
        "Cheating is punished with imprisonment [IPC_420_0] [IPC-420].",
        "Cheating is punished with imprisonment ［IPC_420_0］ [IPC_420_0].",
        "\u202eCheating is punished [IPC_420_0].",
        "Cheating is punished with imprisonment which may extend to seventy years [IPC_420_0].",
        "Cheating is punished with imprisonment which may extend to seven months [IPC_420_0].",
        "Cheating shall not be punished with imprisonment [IPC_420_0].",
        "Section 421 deals with cheating [IPC_420_0].",
        "Imprisonment of at least seven years is the punishment [IPC_420_0].",
    ],
)
def test_an_answer_that_breaks_the_contract_elsewhere_is_rejected(answer):
    is_valid, invalid, reason = enforce_c3(answer, [S420])
    assert not is_valid
    assert invalid == []
    assert reason


def test_without_required_citations_those_that_are_there_must_still_be_right():
    assert enforce_c3("Section 420 IPC deals with cheating.", [S420], require_citations=False)[0]
    assert enforce_c3("Fraud is illegal [IPC_421_0].", [S420], require_citations=False)[1] == ["IPC_421_0"]


@pytest.mark.parametrize(
    "said",
    ["[IPC_420_0]", "Act: IPC", "Section: 420", "dishonestly inducing delivery", "What is cheating?", REFUSAL_MESSAGE],
)
def test_the_prompt_holds_the_evidence_the_question_and_the_refusal(said):
    assert said in build_grounded_prompt("What is cheating?", [S420])


# Kinds of questions


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        *((q, "definition") for q in (
            "What is cheating?", "WHAT IS CHEATING?", "Define employer", "Define: culpable homicide",
            "What does employer mean?", "What is the definition of theft under IPC?", "What is meant by hurt?",
            "Meaning of employer", "Who is an employer?", "What is an arithmetic progression?", "चोरी क्या है?",
            "समांतर श्रेढ़ी की परिभाषा दीजिए",
        )),
        *((q, "punishment") for q in (
            "What is the punishment for cheating?", "penalty for theft", "How is theft punished?",
            "What is the punishment under Section 420 IPC?", "What is the sentence for murder?",
            "What fine can be imposed for defamation?", "Can I go to jail for theft?", "Is cheating punishable?",
            "How many years of imprisonment for robbery?", "चोरी की सज़ा क्या है?",
            "What happens if I steal? What is the penalty?",
        )),
        *((q, "procedure") for q in (
            "How to file a complaint?", "What are the steps to fix minimum wages?", "How do I file an appeal?",
            "What is the procedure for fixing minimum wages?", "Steps to de-identify health information",
            "How to apply for a licence?", "How do you calculate overtime?",
        )),
        *((q, "scope") for q in (
            "What is the extent of the Minimum Wages Act?", "What is the applicability of the Act?",
            "To whom does the Act apply?", "Does the Act apply to agriculture?", "Who is covered by HIPAA?",
            "What is the scope of Section 420?",
        )),
        *((q, "general") for q in (
            "What is Section 420 IPC?", "What is 420 IPC?", "Section 420 IPC", "Tell me about Section 420", "",
            "What is section 2(e) of the Minimum Wages Act?", "When was the Act passed?", "Who appoints inspectors?",
            "What are the provisions related to employment and cheating?", "धारा 420 क्या है?",
        )),
    ],
)  # fmt: skip
def test_a_question_is_of_its_kind(question, kind):
    assert classify_query_type(question) == kind


# Sufficiency


@pytest.mark.parametrize(
    ("question", "chunks"),
    [
        ("What is the definition of employer?", [EMPLOYER]),
        ("Who is considered an employer?", [EMPLOYER]),
        ("Please define the term 'employer' as per the Minimum Wages Act", [EMPLOYER]),
        ("Define employer", [chunk("A_2_0", "Section 2 defines employer as any person who employs workers.")]),
        ("What is cheating?", [S415]),
        ("What is the legal definition of cheating?", [S415]),
        ("What is cheating as per the Indian Penal Code?", [S415]),
        ("What constitutes cheating?", [S415]),
        ("What is the punishment for cheating?", [SHORT_420]),
        ("What is the maximum punishment for theft?", [S379]),
        ("What is the punishment for theft in India?", [S379]),
        ("What punishment can be given for theft under IPC?", [S379]),
        ("Punishment u/s 379 IPC", [S379]),
        ("What is the penalty for delay?", [chunk("A_9_0", "Penalty for delay: Fine up to Rs. 10,000")]),
        ("What is Section 420 IPC?", [S420]),
        ("What is Section 420 of the Indian Penal Code?", [S420]),
        ("What does section 379 IPC provide?", [S379]),
        ("How can an employee claim unpaid wages?", [CLAIMING]),
        ("What is the procedure to claim unpaid wages?", [CLAIMING]),
        ("What is the extent of the Minimum Wages Act?", [EXTENT]),
        ("Does the Minimum Wages Act apply to the whole of India?", [EXTENT]),
        ("What are the breach notification requirements?", [BREACH]),
        ("When must individuals be notified of a breach?", [BREACH]),
        ("What did the Supreme Court say about mens rea?", [HELD]),
        ("Explain arithmetic progression", [PROGRESSION]),
        ("What are the provisions related to employers and cheating?", [SHORT_420, EMPLOYER]),
        ("What is an employer and what is the punishment for cheating?", [SHORT_420, EMPLOYER]),
    ],
)
def test_evidence_about_the_question_and_of_its_kind_is_sufficient_and_is_cited(question, chunks):
    found = is_evidence_sufficient(question, chunks)
    assert found.is_sufficient, found.reason
    answer = generate_grounded_answer(question, chunks)
    assert set(answer.cited_sources) == {c.semantic_id for c in chunks}
    assert enforce_c3(answer.answer, chunks) == (True, [], None)


@pytest.mark.parametrize(
    ("question", "chunks"),
    [
        ("What is the definition of employer?", [PAYMENT]),
        ("What is theft?", [S379]),
        (
            "What is the punishment for cheating?",
            [chunk("IPC_420_0", "Section 420 deals with cheating.", "IPC", "420")],
        ),
        ("What is the punishment for murder?", [S420, S379]),
        (
            "What is the punishment under Section 420?",
            [chunk("IPC_42_0", "Shall be punished with death.", "IPC", "42")],
        ),
        ("What is Section 42 IPC?", [S420]),
        ("What is Section 420 of the Contract Act?", [S420]),
        ("How to file a divorce petition?", [CLAIMING]),
        ("What is the scope of the Minimum Wages Act?", [PAYMENT]),
        ("What is the minimum wage in California?", [PAYMENT]),
        ("When was the Minimum Wages Act passed?", [PAYMENT]),
        ("What is a geometric progression?", [PROGRESSION]),
        ("Tell me about quantum physics", [S420, EMPLOYER]),
        ("What is the punishment for cheating?", []),
        ("What is the definition of employer?", [chunk("", "Employer means any person who employs workers.")]),
        ("What is the definition of employer?", [chunk("MinimumWagesAct_2_1", "  ")]),
        ("", [S420]),
    ],
)
def test_without_such_evidence_the_answer_is_the_refusal(question, chunks):
    found = is_evidence_sufficient(question, chunks)
    assert not found.is_sufficient
    assert found.relevant_chunks == []
    refused = synthesize_answer(question, chunks)
    assert (refused.answer, refused.cited_sources, refused.is_sufficient) == (REFUSAL_MESSAGE, [], False)


# Sentences


@pytest.mark.parametrize(
    "parts",
    [
        (),
        ("No full stop",),
        ("Is it?", "Yes!", "It is."),
        ("Sec. 420 applies.", "So does Sec. 415."),
        ("The fine is Rs. 10,000.", "It is due at once."),
        ("In Ashok v. Meera the appeal failed.", "Costs followed."),
        ("Order No. 12 of 2020 was issued.", "It was repealed."),
        ("The value is 3.14 metres.", "It fits."),
        ("Under s. 420 of the I.P.C. the penalty is severe.", "It is seven years."),
        ("Dr. B. R. Ambedkar drafted it.", "It was adopted in 1949."),
        ("Under § 164.514(b), names are removed.", "So are dates."),
        ("This is 45 C.F.R. 164.514.", "It governs de-identification."),
        ("Fruit, vegetables, etc. are exempt.", "Meat is not."),
        ("M/s. Ashok Traders sued.", "They lost."),
        ("It is due by 5 p.m. on Monday.", "Late filing is barred."),
        ('He said, "Pay me."', "She refused."),
        ("Clause (a) applies.", "Clause (b) does not."),
        ("चोरी एक अपराध है।", "इसकी सज़ा तीन वर्ष है।"),
        ("Cheating is illegal [IPC_420_0].", "Theft is illegal [IPC_379_0]."),
        ("Cheating is illegal. [IPC_420_0]", "Theft is illegal. [IPC_379_0]"),
        ("An AP is a sequence [Source 1].", "It has a difference [SOURCE: abc-2]."),
    ],
)
def test_a_text_is_cut_into_its_sentences(parts):
    assert split_into_sentences(" ".join(parts)) == list(parts)


@pytest.mark.parametrize("line", ["- Item {}", "{}. An item.", "({}) an item;", "* Item {}"])
def test_list_items_are_sentences_of_their_own(line):
    items = [line.format(n) for n in (1, 2, 3)]
    assert split_into_sentences("\n".join(items)) == items


# Coverage and complete citation


@pytest.mark.parametrize(
    ("sentence", "covered_by"),
    [
        ("According to [IPC_420_0], cheating is punishable.", ["IPC_420_0"]),
        ("According to [IPC_420_0], cheating is illegal.", ["IPC_420_0"]),
        ("Employer means any person who employs workers [MinimumWagesAct_2_1].", ["MinimumWagesAct_2_1"]),
        ("Per [IPC_420_0] and [MinimumWagesAct_2_1], cheating and employers are regulated.",
         ["IPC_420_0", "MinimumWagesAct_2_1"]),
        ("Based on the evidence...", []),
        ("Based on the provided documents:", []),
        ("Cheating is punished with imprisonment.", None),
        ("Based on the evidence, murder is punished with death.", None),
        ("Cheating is punished with imprisonment [IPC_421_0].", None),
        ("Quantum entanglement violates local realism in Bell experiments [IPC_420_0].", None),
        ("", None),
    ],
)  # fmt: skip
def test_a_sentence_is_covered_by_what_it_cites(sentence, covered_by):
    found = check_claim_coverage(sentence, [S420, EMPLOYER])
    assert (found.sentence, found.is_covered) == (sentence, covered_by is not None)
    assert found.covering_chunks == (covered_by or [])
    assert found.reason


TEN = "alpha beta gamma delta epsilon zeta eta theta iota kappa"


@pytest.mark.parametrize(
    ("sentence", "texts", "min_overlap", "is_covered"),
    [
        (f"{TEN} [X_0_0].", ["alpha beta gamma"], 0.3, True),
        (f"{TEN} [X_0_0].", ["alpha beta"], 0.3, False),
        (f"{TEN} [X_0_0].", ["alpha beta gamma"], 0.5, False),
        (f"{TEN} [X_0_0].", ["alpha"], 0.1, True),
        (f"{TEN} lambda sigma omega rho [X_0_0] [X_1_0].", ["alpha beta", "gamma"], 0.3, True),
        (f"{TEN} lambda sigma omega rho [X_0_0].", ["alpha beta gamma", "delta"], 0.3, False),
    ],
)
def test_the_overlap_asked_for_is_inclusive_and_lower_for_several_sources(sentence, texts, min_overlap, is_covered):
    chunks = [chunk(f"X_{n}_0", text) for n, text in enumerate(texts)]
    assert check_claim_coverage(sentence, chunks, min_overlap).is_covered == is_covered


@pytest.mark.parametrize(
    ("answer", "missing"),
    [
        ("According to [IPC_420_0], cheating is illegal. Additionally, [MinimumWagesAct_2_1] defines employer as any "
         "person who employs workers.", []),
        ("According to [IPC_420_0], cheating is illegal. Employer means any person who employs workers.",
         ["MinimumWagesAct_2_1"]),
        ("Cheating shall be punished with imprisonment which may extend to seven years, and employer means any person "
         "who employs workers [IPC_420_0].", ["MinimumWagesAct_2_1"]),
        ("Cheating shall be punished with imprisonment which may extend to seven years, and employer means any person "
         "who employs workers [IPC_420_0] [MinimumWagesAct_2_1].", []),
        ("Section 420 deals with cheating [IPC_420_0].", []),
        (REFUSAL_MESSAGE, []),
    ],
)  # fmt: skip
def test_every_source_that_is_used_must_be_cited(answer, missing):
    assert validate_multi_chunk_citations(answer, [S420, EMPLOYER])[:2] == (not missing, missing)


def test_a_second_copy_of_a_source_asks_for_no_citation():
    copy = chunk("IPC_420_1", S420.text, "IPC", "420")
    assert validate_multi_chunk_citations("Section 420 deals with cheating [IPC_420_0].", [S420, copy])[:2] == (
        True,
        [],
    )


# A list in the source


def test_every_line_of_a_delivered_list_is_cited_and_covered():
    listed = chunk(
        "IPC_120A_0",
        "Criminal conspiracy means an agreement between two or more persons to do either of the following:\n"
        "(a) an illegal act; or\n(b) a legal act by illegal means.",
        "IPC",
        "120A",
    )
    made = synthesize_answer("What is criminal conspiracy?", [listed])
    assert "(b) a legal act by illegal means [IPC_120A_0]." in made.answer
    assert enforce_c3(made.answer, [listed]) == (True, [], None)
    assert all(coverage.is_covered for coverage in made.claim_coverage)


# One claim against one passage


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("The fine is one lakh rupees.", "The fine is Rs. 1,00,000."),
        ("The fine is ₹500.", "The fine is five hundred rupees."),
        ("The term is two years.", "The term is 24 months."),
        ("Twenty-five percent is owed.", "25% is owed."),
        ("The limit is 7 (seven) days.", "The limit is seven days."),
        ("The act is dated 26 January 1950.", "The act is dated January 26, 1950."),
        ("Imprisonment may extend to two years.", "Imprisonment for a term not exceeding two years."),
        ("Theft is punishable with imprisonment of up to 3 years, or fine, or both.", S379.text),
        ("The employer shall keep a register.", "Every employer shall keep a register of wages."),
        ("जुर्माना पाँच सौ रुपये है।", "जुर्माना 500 रुपये है।"),
    ],
)
def test_the_same_said_otherwise_is_supported(claim, passage):
    assert verify_claim(claim, passage).supported


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("The fine is Rs. 10,000.", "The fine is Rs. 1,00,000."),
        ("The penalty is $500.", "The penalty is Rs. 500."),
        ("Notice must be given within sixty days.", "Notice must be given within sixty hours."),
        ("The act is dated 26 January 1951.", "The act is dated 26 January 1950."),
        ("Section 2(f) defines employer.", "Section 2(e) defines employer."),
        ("At least 5 members attend.", "At most 5 members attend."),
        ("Theft is punished with imprisonment of at least three years.", S379.text),
        ("Whoever commits theft shall be punished with imprisonment for three years and with fine.", S379.text),
        ("The employer may keep a register.", "Every employer shall keep a register."),
        ("The court may not grant bail.", "The court may grant bail."),
        ("All employees are covered.", "Some employees are covered."),
        ("The tenant shall pay the landlord.", "The landlord shall pay the tenant."),
        ("The seller shall deliver the goods.", "The seller shall deliver the goods unless the buyer has defaulted."),
        ("The State Government appoints the board.", "The Central Government appoints the board."),
        ('The Act says "every worker is entitled to double pay".', "The Act says every worker gets ordinary pay."),
        ("चोरी दंडनीय नहीं है।", "चोरी दंडनीय है।"),
        ("Bananas are yellow.", S379.text),
        ("", S379.text),
    ],
)
def test_something_else_is_not_supported(claim, passage):
    verdict = verify_claim(claim, passage)
    assert not verdict.supported
    assert verdict.reasons


# The compliance contract

PHI = RetrievalSource(
    source_id="abc-123", content_snippet="PHI identifiers include names, dates and telephone numbers.", score=0.9
)
NOTICE = RetrievalSource(source_id="def-456", content_snippet=BREACH.text, score=0.8)
NOT_ENOUGH = "I don't have enough information from the indexed documents to answer."


@dataclass
class Stub:
    reply: str
    asked: list = field(default_factory=list)

    async def generate(self, query, context):
        self.asked.append((query, context))
        return self.reply


def generated(reply, *sources, question="What are PHI identifiers?", min_sources=1):
    model = Stub(reply)
    result = RetrievalResult(sources=list(sources), query_analysis={}, is_sufficient=True)
    answer = asyncio.run(GroundedGenerator(llm=model, min_sources=min_sources).generate_grounded(question, result))
    return answer, model.asked


def test_a_cited_reply_is_delivered_and_its_model_was_asked_once_with_labelled_sources():
    answer, asked = generated("PHI identifiers include names and dates [SOURCE: abc-123].", PHI, NOTICE)
    assert (answer.citations, answer.refusal_reason, answer.is_refusal) == (["abc-123"], None, False)
    assert answer.answer_text == "PHI identifiers include names and dates [SOURCE: abc-123]."
    ((_, context),) = asked
    assert "[SOURCE: abc-123]" in context
    assert "[SOURCE: def-456]" in context


@pytest.mark.parametrize(
    "reply",
    [
        "PHI identifiers include names and dates.",
        "PHI identifiers include names [SOURCE: nope-1].",
        "PHI identifiers include names [SOURCE: abc-123]. They include dates [SOURCE: nope-1].",
        "PHI identifiers do not include names [SOURCE: abc-123].",
        "There are 18 PHI identifiers [SOURCE: abc-123].",
        NOT_ENOUGH,
        NOT_ENOUGH.replace("'", "’"),
        f"{NOT_ENOUGH} But names count [SOURCE: abc-123].",
        "",
    ],
)
def test_a_reply_that_fails_is_replaced_by_the_exact_refusal(reply):
    answer, _ = generated(reply, PHI)
    assert (answer.answer_text, answer.citations, answer.is_refusal) == (NOT_ENOUGH, [], True)


@pytest.mark.parametrize(("sources", "min_sources"), [([], 1), ([], 0), ([PHI], 2), ([PHI, PHI], 2)])
def test_too_few_sources_refuse_before_the_model_is_asked(sources, min_sources):
    answer, asked = generated("Names [SOURCE: abc-123].", *sources, min_sources=min_sources)
    assert answer == AnswerResult.refusal("insufficient_sources")
    assert asked == []


# The tutor

BOOK = {"subject": "Mathematics", "class_number": 10, "chapter": 5, "chapter_title": "Arithmetic Progressions"}
AP = {
    "content": "An arithmetic progression is a sequence of numbers in which each term after the first is obtained by "
    "adding a fixed number to the preceding term. This fixed number is called the common difference.",
    "confidence": 0.88,
    "metadata": {**BOOK, "page": 95},
}
NTH = {
    "content": "The nth term of an arithmetic progression is given by the formula an = a + (n-1)d.",
    "confidence": 0.82,
    "metadata": {**BOOK, "page": 97},
}
UNKNOWN = "I don't know based on NCERT textbooks."


def taught(question="What is an arithmetic progression?", chunks=(AP, NTH), **config):
    return RAGAnswerGenerator(GenerationConfig(**config)).generate(question, list(chunks), class_number=10)


def test_an_answer_of_the_tutor_is_safe_cited_and_lists_its_sources():
    result = taught()
    assert (result.status, result.is_safe(), round(result.confidence, 2)) == (AnswerStatus.SUCCESS, True, 0.85)
    assert "[Source 1]" in result.answer
    assert "Class 10, Chapter 5 (Arithmetic Progressions), Page 95" in result.answer
    assert result.to_dict()["status"] == "success"


@pytest.mark.parametrize(
    ("style", "marker"),
    [(CitationStyle.INLINE, "[Source 1]"), (CitationStyle.FOOTNOTE, "[^1]"), (CitationStyle.NUMBER, "[1]"),
     (CitationStyle.SIMPLE, "(Chapter 5, Page 95)"), (CitationStyle.FULL, "- Source 1:")],
)  # fmt: skip
def test_the_tutor_cites_in_the_style_asked_for(style, marker):
    assert marker in taught(citation_style=style).answer


@pytest.mark.parametrize(
    ("question", "chunks", "config", "status"),
    [
        ("What is an arithmetic progression?", [], {}, AnswerStatus.INSUFFICIENT_CONTEXT),
        ("Explain photosynthesis in plants", [AP, NTH], {}, AnswerStatus.INSUFFICIENT_CONTEXT),
        ("What is an arithmetic progression?", [{**AP, "confidence": 0.59}], {}, AnswerStatus.LOW_CONFIDENCE),
        ("What is an arithmetic progression?", [AP], {"min_confidence": 0.9}, AnswerStatus.LOW_CONFIDENCE),
    ],
)
def test_the_tutor_says_that_it_does_not_know(question, chunks, config, status):
    result = taught(question, chunks, **config)
    assert (result.answer, result.status, result.is_safe()) == (UNKNOWN, status, False)


def test_the_tutor_refuses_in_the_language_of_the_question():
    assert taught("प्रकाश संश्लेषण क्या है?", []).answer == "मुझे NCERT पाठ्यपुस्तकों के आधार पर नहीं पता।"


@pytest.mark.parametrize(
    ("answer", "sign"),
    [
        *((f"{phrase}, this fixed number is called the common difference [Source 1].", phrase.lower()) for phrase in (
            "As we know", "In general", "Typically", "Usually", "It is well known", "Everyone knows")),
        ("This fixed number is called the common difference.", "citation"),
        ("This fixed number is called the common difference [Source 9].", "9"),
    ],
)  # fmt: skip
def test_signs_of_invention_are_named(answer, sign):
    detected, reason = detect_hallucination(answer, [AP, NTH])
    assert detected
    assert sign in reason.lower()


@pytest.mark.parametrize("answer", ["This fixed number is called the common difference [Source 1].", UNKNOWN])
def test_a_cited_sentence_of_the_book_and_the_refusal_show_no_sign_of_invention(answer):
    assert detect_hallucination(answer, [AP, NTH]) == (False, None)


@pytest.mark.parametrize(
    ("good", "bad", "expected"),
    [(1, 0, (True, 1.0)), (7, 3, (True, 0.7)), (1, 1, (False, 0.5)), (0, 2, (False, 0.0))],
)
def test_seven_of_ten_sentences_must_be_grounded(good, bad, expected):
    sentences = ["An arithmetic progression is a sequence of numbers."] * good + [
        "Bananas grow in hot countries."
    ] * bad
    assert verify_grounding(" ".join(sentences), [AP]) == expected
