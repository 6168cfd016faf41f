"""Hindi end to end: Hindi questions over Hindi documents of our own, in the legal and the tutor profile."""

import pytest

from footnotary.corpus import Corpus
from footnotary.domain.outcome import Answer, Refusal
from footnotary.domain.query import Scope
from footnotary.domain.verdict import Reason
from footnotary.engine import Engine
from footnotary.generate.extractive.generator import ExtractiveGenerator
from footnotary.index.embedded.store import EmbeddedStore
from footnotary.profiles.load import load_profile
from footnotary.text.definitions import defined_terms, definition_key
from footnotary.text.tokens import content_terms
from footnotary.verify.run import checks_for
from footnotary.wiring import open_corpus, open_embedder, open_engine

LIBRARY = """ग्राम पुस्तकालय अधिनियम, 2015

अध्याय १
प्रारंभिक

धारा १. संक्षिप्त नाम और विस्तार
(१) इस अधिनियम का संक्षिप्त नाम ग्राम पुस्तकालय अधिनियम, 2015 है।
(२) इसका विस्तार संपूर्ण राज्य पर है।

धारा २. परिभाषाएं
इस अधिनियम में, जब तक कि संदर्भ से अन्यथा अपेक्षित न हो,—
(क) “पाठक” से ऐसा व्यक्ति अभिप्रेत है जिसका नाम पुस्तकालय की पंजी में दर्ज है;
(ख) “पुस्तकालयाध्यक्ष” से वह अधिकारी अभिप्रेत है जिसे ग्राम सभा ने पुस्तकालय चलाने के लिए नियुक्त किया है;
(ग) “दुर्लभ ग्रंथ” से सौ वर्ष से अधिक पुराना कोई ग्रंथ अभिप्रेत है।

अध्याय २
पुस्तकों का उधार

धारा ५. पुस्तक लौटाने की अवधि
(१) प्रत्येक पाठक उधार ली गई पुस्तक चौदह दिन के भीतर लौटाएगा।
(२) पुस्तकालयाध्यक्ष लिखित आवेदन पर यह अवधि सात दिन तक बढ़ा सकेगा।
परंतु दुर्लभ ग्रंथ उधार नहीं दिया जाएगा।

धारा ६. सदस्यता शुल्क
सदस्यता का वार्षिक शुल्क ₹५० है।

अध्याय ३
दंड

धारा ४२. पुस्तक को क्षति
जो कोई पुस्तकालय की पुस्तक फाड़ेगा, वह दो सौ रुपये तक के जुर्माने से दंडित किया जाएगा।

धारा ४२०. पुस्तक की चोरी
(१) जो कोई पुस्तकालय से पुस्तक चुराएगा, वह कारावास से, जो छह मास तक का हो सकेगा, या जुर्माने से, जो ₹५,००० तक का हो सकेगा, दंडित किया जाएगा।
(२) पुस्तक की चोरी वह कार्य है जिसमें कोई व्यक्ति पुस्तकालयाध्यक्ष की अनुमति के बिना पुस्तक बाहर ले जाता है।
दृष्टांत
क, ख की पुस्तक समझकर पुस्तकालय की पुस्तक ले जाता है। क ने चोरी नहीं की है।
"""
WATER = """BOOK: जल विज्ञान
CLASS: 10
SUBJECT: विज्ञान
LANGUAGE: hi
KIND: textbook

अध्याय 3: जल चक्र

3.1 वाष्पन
परिभाषा: वाष्पन वह प्रक्रिया है जिसमें जल बिना उबले भाप बन जाता है।
सूर्य की ऊष्मा से तालाब का जल भाप बनकर ऊपर उठता है।

3.2 संघनन
जब भाप ठंडी होकर फिर जल की बूंदें बनाती है तो इस प्रक्रिया को संघनन कहते हैं।
उदाहरण 1: ठंडे गिलास की बाहरी सतह पर जमी बूंदें संघनन का उदाहरण हैं।

3.3 वर्षा
एक वर्ग मीटर भूमि पर 1 मिलीमीटर वर्षा 1 लीटर जल के बराबर होती है।
"""
ENGLISH = """ACT: Village Wells Act, 2016
KIND: act

Section 3. Register of wells.
The village council shall keep a register of its wells.

Section 9. Closing a well.
Whoever closes a well without leave shall be punished with fine which may extend to five hundred rupees.
"""
REFUSED = {
    "legal": "दिए गए दस्तावेज़ों के आधार पर मैं उत्तर नहीं दे सकता।",
    "tutor": "मुझे NCERT पाठ्यपुस्तकों के आधार पर नहीं पता।",
}


@pytest.fixture(scope="module")
def ask(tmp_path_factory):
    """Asks one of the projects "hi" and "en" under a profile, which may be opened to other languages."""
    embedder = open_embedder("default")
    store = EmbeddedStore(tmp_path_factory.mktemp("home"), embedder.name, embedder.dimensions)
    corpus = Corpus(store, embedder)
    for name, text, project in (
        ("pustakalaya.txt", LIBRARY, "hi"),
        ("jal.txt", WATER, "hi"),
        ("wells.txt", ENGLISH, "en"),
    ):
        assert not corpus.ingest_text(name, text, project).failed

    def ask(question, profile="legal", project="hi", languages=None):
        policy = load_profile(profile)
        if languages:
            policy = policy.model_copy(update={"languages": policy.languages.model_copy(update=languages)})
        engine = Engine(store, embedder, ExtractiveGenerator(policy), policy, checks_for(policy))
        return engine.ask(question, Scope(project))

    yield ask
    store.close()


@pytest.mark.parametrize(
    ("question", "section", "words"),
    [
        ("पाठक किसे कहते हैं?", "२", "पंजी में दर्ज"),
        ("पुस्तकालयाध्यक्ष से क्या अभिप्रेत है?", "२", "वह अधिकारी अभिप्रेत है"),
        ("दुर्लभ ग्रंथ क्या है?", "२", "सौ वर्ष से अधिक"),
        ("पुस्तक की चोरी किसे कहते हैं?", "४२०", "वह कार्य है"),
        ("पुस्तक की चोरी का दंड क्या है?", "४२०", "छह मास"),
        ("पुस्तक लौटाने की समय सीमा क्या है?", "५", "चौदह दिन"),
        ("सदस्यता का वार्षिक शुल्क कितना है?", "६", "₹५०"),
        ("अवधि कौन बढ़ा सकेगा?", "५", "पुस्तकालयाध्यक्ष"),
        ("क्या दुर्लभ ग्रंथ उधार दिया जाएगा?", "५", "नहीं दिया जाएगा"),
        ("ग्राम पुस्तकालय अधिनियम कहाँ लागू होता है?", "१", "संपूर्ण राज्य"),
        ("धारा 420 क्या है?", "४२०", "चुराएगा"),
        ("धारा ४२० में क्या दंड है?", "४२०", "₹५,०००"),
        ("Section 420 क्या है?", "४२०", "चुराएगा"),
        ("ग्राम पुस्तकालय अधिनियम की धारा 42 क्या कहती है?", "४२", "फाड़ेगा"),
    ],
)
def test_a_hindi_question_is_answered_from_its_section(ask, question, section, words):
    outcome = ask(question)
    assert isinstance(outcome, Answer), outcome.needed
    assert words in outcome.text
    assert {citation.labels.section for citation in outcome.citations} == {section}


def test_ids_and_quotes_are_in_devanagari_and_lead_back_to_the_file(ask):
    outcome = ask("पुस्तक की चोरी का दंड क्या है?")
    (citation,) = outcome.citations
    assert citation.id == "ग्रामपुस्तकालयअधिनियम_४२०_0"
    assert citation.quote in LIBRARY
    chars, raw = citation.source_span.chars, citation.source_span.bytes
    assert LIBRARY[chars.start : chars.end] == citation.quote
    assert LIBRARY.encode()[raw.start : raw.end].decode() == citation.quote


def test_what_is_asked_for_as_the_law_is_not_answered_with_its_illustration(ask):
    for question in ("धारा 420 क्या है?", "पुस्तक की चोरी किसे कहते हैं?", "पुस्तक की चोरी का दंड क्या है?"):
        assert "क, ख" not in ask(question).text


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("वाष्पन क्या है?", "बिना उबले भाप"),
        ("वाष्पन की परिभाषा दीजिए।", "बिना उबले भाप"),
        ("संघनन किसे कहते हैं?", "संघनन कहते हैं"),
        ("संघनन का एक उदाहरण दीजिए।", "ठंडे गिलास"),
        ("1 मिलीमीटर वर्षा कितने जल के बराबर होती है?", "1 लीटर"),
    ],
)
def test_a_pupil_is_answered_in_hindi(ask, question, words):
    outcome = ask(question, "tutor")
    assert isinstance(outcome, Answer), outcome.needed
    assert words in outcome.text


@pytest.mark.parametrize("profile", ["legal", "tutor"])
@pytest.mark.parametrize(
    "question",
    [
        "भारत की राजधानी क्या है?",
        "प्रकाश संश्लेषण क्या है?",
        "तलाक का दंड क्या है?",
        "धारा 99 क्या है?",
        "धारा 43 में क्या दंड है?",
        "न्यायालय शुल्क कितना है?",
        "library member की परिभाषा क्या है?",
    ],
)
def test_what_the_documents_do_not_say_is_refused_in_the_exact_hindi_words(ask, question, profile):
    outcome = ask(question, profile)
    assert isinstance(outcome, Refusal)
    assert outcome.message == REFUSED[profile]


@pytest.mark.parametrize(
    ("question", "project", "message"),
    [
        ("What is section 420?", "hi", "I cannot answer based on the provided documents."),
        ("धारा 9 क्या है?", "en", REFUSED["legal"]),
    ],
)
def test_a_source_in_the_other_language_is_refused_in_the_language_of_the_question(ask, question, project, message):
    outcome = ask(question, project=project)
    assert isinstance(outcome, Refusal)
    assert (outcome.reason, outcome.message) == (Reason.LANGUAGE_MISMATCH, message)


@pytest.mark.parametrize(
    ("question", "project", "words"),
    [("What is section 420?", "hi", "चुराएगा"), ("धारा 9 क्या है?", "en", "closes a well")],
)
def test_a_profile_may_allow_sources_in_the_other_language(ask, question, project, words):
    allowed = {"cross_language": True, "answer_in_question_language": False}
    outcome = ask(question, project=project, languages=allowed)
    assert isinstance(outcome, Answer), outcome.needed
    assert words in outcome.text


def test_an_answer_in_the_other_language_needs_both_permissions(ask):
    outcome = ask("What is section 420?", languages={"cross_language": True})
    assert isinstance(outcome, Refusal)
    assert outcome.reason is Reason.LANGUAGE_MISMATCH


def test_hindi_in_latin_letters_finds_nothing_in_devanagari(ask):
    assert isinstance(ask("pustak ki chori ka dand kya hai?"), Refusal)


def test_the_demo_defines_a_progression_and_not_its_terms(tmp_path):
    named = "अनुक्रम की हर संख्या को समांतर श्रेढ़ी का पद कहते हैं।"
    defined = "समांतर श्रेढ़ी संख्याओं का ऐसा अनुक्रम है जिसमें हर पद पिछले पद से उतना ही बड़ा होता है।"
    key = definition_key(content_terms("समांतर श्रेढ़ी"))
    assert key in defined_terms(defined)
    assert key not in defined_terms(named)
    open_corpus(home=tmp_path).ingest_text("ap.md", f"# श्रेढ़ी\n\n{named}\n\n{defined}\n", "p")
    outcome = open_engine("tutor", home=tmp_path).ask("समांतर श्रेढ़ी किसे कहते हैं?", Scope("p"))
    assert isinstance(outcome, Answer)
    assert outcome.claims[0].text.startswith("समांतर श्रेढ़ी संख्याओं का")
