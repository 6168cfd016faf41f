"""Claims in Hindi against sources in Hindi: figures, denials, duties and parties, in either kind of digits."""

import pytest

from footnotary import verify_claim

THEFT = (
    "जो कोई पुस्तक चुराएगा, वह कारावास से, जो छह मास तक का हो सकेगा, और जुर्माने से, जो ₹५,००० तक का हो सकेगा, दंडित किया जाएगा।"
)
LOAN = (
    "प्रत्येक पाठक उधार ली गई पुस्तक चौदह दिन के भीतर लौटाएगा। पुस्तकालयाध्यक्ष यह अवधि सात दिन तक बढ़ा सकेगा। "
    "दुर्लभ ग्रंथ उधार नहीं दिया जाएगा।"
)
WAGES = "नियोजक धारा ५४ के अधीन प्रत्येक कर्मचारी को १५ अगस्त २०२० से पहले मजदूरी का संदाय करेगा, परंतु शिक्षु को नहीं।"


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        (THEFT, "पुस्तक चुराने वाला छह मास तक के कारावास से दंडित किया जाएगा।"),
        (THEFT, "पुस्तक चुराने वाला 6 मास तक के कारावास से दंडित किया जाएगा।"),
        (LOAN, "प्रत्येक पाठक पुस्तक 14 दिन के भीतर लौटाएगा।"),
        (LOAN, "प्रत्येक पाठक पुस्तक १४ दिन के भीतर लौटाएगा।"),
        (LOAN, "दुर्लभ ग्रंथ उधार नहीं दिया जाएगा।"),
        (LOAN, "पुस्तकालयाध्यक्ष यह अवधि सात दिन तक बढ़ा सकता है।"),
        (WAGES, "नियोजक धारा 54 के अधीन प्रत्येक कर्मचारी को १५ अगस्त २०२० से पहले मजदूरी का संदाय करेगा, परंतु शिक्षु को नहीं।"),
        ("शुल्क का २० प्रतिशत लौटाया जाएगा।", "शुल्क का 20% लौटाया जाएगा।"),
        ("डेढ़ लाख रुपये का अनुदान मिलेगा।", "1,50,000 रुपये का अनुदान मिलेगा।"),
        ("जाँच से पहले आवेदन और आवेदन के बाद शुल्क दिया जाएगा।", "आवेदन के बाद शुल्क दिया जाएगा।"),
        ("जाँच के पूर्व आवेदन दिया जाएगा।", "आवेदन जाँच से पहले दिया जाएगा।"),
        ("ढाई वर्ष का कारावास होगा।", "2.5 वर्ष का कारावास होगा।"),
    ],
)  # fmt: skip
def test_what_the_source_says_is_supported_however_its_figures_are_written(source, claim):
    assert verify_claim(claim, [source], profile="legal").supported


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        ("समिति में पच्चीस सदस्य होंगे।", "समिति में 25 सदस्य होंगे।"),
        ("शुल्क ढाई सौ रुपये है।", "शुल्क 250 रुपये है।"),
        ("शुल्क 250 रुपये है।", "शुल्क ढाई सौ रुपये है।"),
    ],
)
@pytest.mark.trained
def test_a_short_claim_may_write_in_digits_what_its_source_has_in_words_where_a_verifier_cannot_read_it(source, claim):
    assert verify_claim(claim, [source], profile="default").supported


@pytest.mark.parametrize(
    ("source", "claim", "reason"),
    [
        (THEFT, "पुस्तक चुराने वाला सात मास तक के कारावास से दंडित किया जाएगा।", "number_unsupported"),
        (THEFT, "पुस्तक चुराने वाला छह वर्ष तक के कारावास से दंडित किया जाएगा।", "number_unsupported"),
        (THEFT, "पुस्तक चुराने वाला ₹५०,००० तक के जुर्माने से दंडित किया जाएगा।", "number_unsupported"),
        (THEFT, "पुस्तक चुराने वाला पाँच लाख रुपये तक के जुर्माने से दंडित किया जाएगा।", "number_unsupported"),
        (THEFT, "जो कोई पुस्तक चुराएगा, वह दंडित नहीं किया जाएगा।", "term_substituted"),
        (LOAN, "प्रत्येक पाठक पुस्तक चौदह दिन के भीतर नहीं लौटाएगा।", "term_substituted"),
        (LOAN, "दुर्लभ ग्रंथ उधार दिया जाएगा।", "term_substituted"),
        (LOAN, "पाठक पुस्तक चौदह दिन के भीतर लौटा सकेगा।", "term_substituted"),
        (WAGES, "नियोजक कर्मचारी को 15 अगस्त 2021 से पहले मजदूरी का संदाय करेगा।", "date_unsupported"),
        (WAGES, "नियोजक धारा 45 के अधीन प्रत्येक कर्मचारी को मजदूरी का संदाय करेगा।", "section_unsupported"),
        ("अपील ३० दिन के भीतर की जाएगी।", "अपील ३० दिन के भीतर की जा सकेगी।", "term_substituted"),
        ("आवेदन लिखित में किया जाना चाहिए।", "आवेदन लिखित में किया जा सकता है।", "term_substituted"),
        ("आवेदन जाँच से पहले दिया जाएगा।", "आवेदन जाँच के बाद दिया जाएगा।", "term_substituted"),
        ("शुल्क परीक्षा के पश्चात् लौटाया जाएगा।", "शुल्क परीक्षा से पूर्व लौटाया जाएगा।", "term_substituted"),
        ("समिति में पच्चीस सदस्य होंगे।", "समिति में 35 सदस्य होंगे।", "number_unsupported"),
        ("सभी सदस्य मत दे सकते हैं।", "कुछ सदस्य मत दे सकते हैं।", "term_substituted"),
        ("शुल्क का २० प्रतिशत लौटाया जाएगा।", "शुल्क का 30% लौटाया जाएगा।", "number_unsupported"),
    ],
)
def test_what_the_source_does_not_say_is_refused_with_its_reason(source, claim, reason):
    verdict = verify_claim(claim, [source], profile="legal")
    assert not verdict.supported
    assert reason in {found.value for found in verdict.reasons}


@pytest.mark.parametrize(
    "claim",
    ["पुस्तकालय का शुल्क गरीब छात्रों से जबरन वसूला जाता है।", "पुस्तकालय का शुल्क दस रुपये है और निदेशक इसे अपने घर ले जाते हैं।"],
)
def test_what_no_model_can_read_has_to_share_most_of_its_words(claim):
    source = "पुस्तकालय का वार्षिक शुल्क दस रुपये है। शुल्क जनवरी में देना होता है।"

    class Reads:
        name, fusion_weights, languages = "reads", None, ("en",)

        def support(self, pairs):
            pytest.fail("it was shown what it cannot read")

    assert not verify_claim(claim, [source], verifier=Reads()).supported
    assert verify_claim("पुस्तकालय का शुल्क दस रुपये है।", [source], verifier=Reads()).supported
