"""The fixed sentences that explain a refusal, in each language of questions."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from footnotary.domain.query import Language


@dataclass(frozen=True, slots=True)
class RefusalTexts:
    """Sentences with the names in braces to be filled in: `question`, `parts`, `headings`, `name`.

    `described` is only for questions without a plain form ("What is the notice period?"). `unclear` has a sentence for
    each cause. `parts_found` is said of parts with passages before the missing one, `parts_left` of those after it.
    """

    no_project: str
    empty_project: str
    no_document: str
    unclear: Mapping[str, str]
    other_language: str
    incomplete_list: str
    conflicting: str
    parts_together: str
    draft_failed: str
    nothing_near: str
    parts_found: str
    parts_left: str
    described: str
    unanswered: str
    nearest: str
    joint: str

    def listed(self, names: list[str]) -> str:
        """Each in quotes: “Paid leave” and “Sick leave”."""
        return f" {self.joint} ".join(f"“{name}”" for name in names)


TEXTS: Final[Mapping[Language, RefusalTexts]] = MappingProxyType(
    {
        "en": RefusalTexts(
            no_project="There is no project {name!r} with documents.",
            empty_project="The project {name!r} has no documents yet.",
            no_document="No document has the name in “{name}”.",
            unclear={
                "unclear_reference": "It is not clear what the question refers to. Ask it as a whole question.",
                "no_subject": "The question names nothing to look for. Ask it as a whole question.",
            },
            other_language="The passages found are not in English, the language of the question.",
            incomplete_list=(
                "Your documents list this, but an item of the list looks like an instruction to the model and cannot "
                "be quoted. The list would be incomplete."
            ),
            conflicting="Your documents contradict each other on this, so no answer can be given.",
            parts_together=(
                "Your documents have passages for each part of the question, but no answer to all of them together "
                "passed the checks. Ask the parts one by one."
            ),
            draft_failed=(
                "An answer was drafted from your documents, but it did not pass the checks and was not delivered."
            ),
            nothing_near="Your documents have no passage that answers “{question}”.",
            parts_found="Your documents have passages for {parts}, but a question is answered only as a whole.",
            parts_left="A question is answered only as a whole: ask {parts} separately.",
            described="Your documents describe {headings}, but none answers “{question}”.",
            unanswered="No passage of your documents answers “{question}”.",
            nearest="The nearest are about {headings}.",
            joint="and",
        ),
        "hi": RefusalTexts(
            no_project="{name!r} नाम की कोई परियोजना दस्तावेज़ों के साथ नहीं है।",
            empty_project="परियोजना {name!r} में अभी कोई दस्तावेज़ नहीं है।",
            no_document="“{name}” में आए नाम का कोई दस्तावेज़ नहीं है।",
            unclear={
                "unclear_reference": "यह स्पष्ट नहीं है कि प्रश्न किसके बारे में है। पूरा प्रश्न पूछें।",
                "no_subject": "प्रश्न में खोजने के लिए कोई विषय नहीं है। पूरा प्रश्न पूछें।",
            },
            other_language="मिले हुए अंश हिन्दी में नहीं हैं, जो प्रश्न की भाषा है।",
            incomplete_list=(
                "आपके दस्तावेज़ों में इसकी सूची है, पर सूची का एक बिंदु मॉडल के लिए निर्देश जैसा लगता है और उद्धृत नहीं किया जा "
                "सकता। सूची अधूरी रह जाती।"
            ),
            conflicting="आपके दस्तावेज़ इस विषय पर एक-दूसरे का खंडन करते हैं, इसलिए कोई उत्तर नहीं दिया जा सकता।",
            parts_together=(
                "प्रश्न के हर भाग के लिए आपके दस्तावेज़ों में अंश हैं, पर सबका एक साथ कोई उत्तर जाँच में सफल नहीं हुआ। भागों को "
                "एक-एक करके पूछें।"
            ),
            draft_failed="आपके दस्तावेज़ों से एक उत्तर बनाया गया, पर वह जाँच में सफल नहीं हुआ और नहीं दिया गया।",
            nothing_near="आपके दस्तावेज़ों में ऐसा कोई अंश नहीं है जो “{question}” का उत्तर दे।",
            parts_found="आपके दस्तावेज़ों में {parts} के लिए अंश हैं, पर प्रश्न का उत्तर पूरा ही दिया जाता है।",
            parts_left="प्रश्न का उत्तर पूरा ही दिया जाता है: {parts} अलग से पूछें।",
            described="आपके दस्तावेज़ों में {headings} का वर्णन है, पर कोई अंश “{question}” का उत्तर नहीं देता।",
            unanswered="आपके दस्तावेज़ों का कोई अंश “{question}” का उत्तर नहीं देता।",
            nearest="सबसे निकट के अंशों का विषय: {headings}।",
            joint="और",
        ),
    }
)
