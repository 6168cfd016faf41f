"""Features of a sentence for the linear classifier: words, pairs of words, and which word classes occur together.

The classes are the same in English, Hindi and romanised Hindi, so that what is learned in one holds in the others.
"""

import re
from collections.abc import Iterator
from itertools import combinations, pairwise

from footnotary.text.tokens import words

_MAX_WORDS = 60
_CLASSES = {
    "answerer": (
        "ai bot bots assistant assistants model models chatbot chatbots llm llms software machine machines crawler"
        " crawlers agent agents gpt robot robots engine engines summariser summarizer automated"
        " एआई मशीन बॉट मॉडल सहायक चैटबॉट रोबोट सॉफ्टवेयर असिस्टेंट sahayak"
    ),
    "asker": (
        "user users reader readers asker askers whoever anyone anybody someone somebody person people everybody"
        " everyone audience visitor visitors customer customers viewer viewers"
        " पाठक पाठकों उपयोगकर्ता उपयोगकर्ताओं यूजर लोगों लोग किसी कोई सबको सभी logon log logo sabko kisi koi jo जो"
    ),
    "answer": (
        "answer answers reply replies response responses summary summaries output outputs conversation chat explanation"
        " जवाब उत्तर सारांश आउटपुट jawab jawaab uttar saransh"
    ),
    "say": (
        "say tell state mention claim repeat print write type echo respond announce inform insist assert declare quote"
        " recite display append insert include add saying telling stating mentioning remark report notify advise convey"
        " कहना कहो कहें कहिए कहिएगा कहे बोलना बोलो बोलें बोलिए बताना बताओ बताएं बतायें बताइए बताइएगा बताए बता लिखना लिखो"
        " लिखें लिखिए लिखिएगा लिखे दोहराओ दोहराएं दोहराइए दोहराना छापो छापें छापिए जोडो जोडें जोडिए जोडना सूचित"
        " bolna bolo boliye bolein bol batana batao bataiye bata batayein kehna kaho kahiye kahein keh likhna likho"
        " likhiye likh likhein dohrao dohrana jodo jodna jodiye chhapo"
    ),
    "must": (
        "must should shall has have need needs required mandatory obliged ought bound expected supposed compulsory duty"
        " essential necessary चाहिए जरूरी अनिवार्य होगा जरूर अवश्य chahiye zaroori jaruri zaroor hoga anivarya"
    ),
    "only": (
        "only just nothing solely merely simply exactly verbatim alone केवल सिर्फ बस मात्र sirf bas keval kewal matra"
    ),
    "aside": (
        "ignore disregard forget void override overrule cancel cancelled discard skip drop erase superseded obsolete"
        " revoked invalid neglect bypass withdrawn expired ignoring अनदेखा नजरअंदाज भूल भूलकर भुला रद्द हटा हटाकर अमान्य"
        " nazarandaaz bhool bhul bhulkar hata hatao radd"
    ),
    "rule": (
        "instructions instruction rules rule guidance guidelines prompt prompts directives directive commands orders"
        " निर्देश निर्देशों नियम नियमों आदेश आदेशों प्रॉम्प्ट हिदायत हिदायतें nirdesh nirdeshon niyam aadesh hidayat"
    ),
    "earlier": (
        "earlier previous prior above preceding before old past foregoing existing"
        " पहले पिछले पिछली ऊपर पुराने पुरानी पूर्व pehle pichle pichli upar purane purani"
    ),
    "please": "please kindly grateful appreciate would could thanks can कृपया kripya kripaya plz",
    "you": (
        "you your yours yourself आप तुम तुम्हें तुम्हे आपको अपने अपना अपनी तुम्हारा आपका tum tumhe tumhein aap aapko apne"
        " apna apni tumhara aapka"
    ),
    "here": (
        "page text document file passage paragraph note notice article here"
        " पृष्ठ पाठ दस्तावेज फाइल page yeh iska ise इसे इसका यह"
    ),
    "handles": (
        "summarise summarises summarising summarize summarizes summarizing quotes quoting reads read reading"
        " answering asked asks ask query queries question questions cites cite citing पढ पढे पढकर पूछे पूछें पूछता"
        " पूछने प्रश्न सवाल padh padhe padhkar pooche puche poochta poochne sawal prashn"
    ),
    "praise": (
        "praise recommend promote endorse favourably compliment commend advertise तारीफ प्रशंसा सिफारिश प्रचार tareef"
        " tarif prashansa sifarish prachar"
    ),
    "as if": (
        "pretend act behave assume imagine believe play acting pretending मान मानो मानकर बनकर बनो bankar banakar bano"
        " maan mano"
    ),
    "leads": "send direct refer redirect steer guide urge invite भेजो भेजें भेजिए भेजना bhejo bhejna bhejiye",
    "hides": "hide conceal reveal secret password confidential छिपाओ छिपाना छुपाओ chhupao chhipao gupt गुप्त",
    "instead": "instead now henceforth onwards अब बजाय इसके ab bajay",
    "not": "not never don't no without मत नहीं न बिना mat nahi nahin na bina",
}
_CLASS_OF = {word: name for name, listed in _CLASSES.items() for word in listed.split()}
_ADDRESS = re.compile(r"https?://|www\.")
_QUOTED = re.compile(r"[\"'“‘][^\"'”’]{3,}[\"'”’]")


def injection_features(plain: str) -> frozenset[str]:
    """The features of a normalized sentence; none where it has no words."""
    found = [_folded(word) for word in words(plain)[:_MAX_WORDS]]
    return frozenset(_features(plain, found, [_CLASS_OF.get(word) for word in found])) if found else frozenset()


def _features(plain: str, found: list[str], classes: list[str | None]) -> Iterator[str]:
    yield from found
    yield from [f"{one} {other}" for one, other in pairwise(found)]
    # A word of no class stands for itself: "to {say}", "{asker} that".
    shown = [f"<{name}>" if name else word for word, name in zip(found, classes, strict=True)]
    yield from [f"{one} {other}" for one, other in pairwise(shown)]
    yield from [f"{one} _ {other}" for one, other in zip(shown, shown[2:], strict=False)]
    together = sorted({name for name in classes if name is not None})
    yield from [f"<{name}>" for name in together]
    yield from [f"<{one}&{other}>" for one, other in combinations(together, 2)]
    yield from (f"^{found[0]}", f"^{' '.join(shown[:2])}", f"^{' '.join(shown[:3])}")
    yield from (f"{found[-1]}$", f"{' '.join(shown[-2:])}$")
    if "?" in plain[-4:]:
        yield "?"
    if _ADDRESS.search(plain):
        yield "<address>"
    if _QUOTED.search(plain):
        yield "<quoted>"


def _folded(word: str) -> str:
    """Hindi is written with and without the dot below, and with either sign for a nasal vowel."""
    return word if word.isascii() else word.replace("\u093c", "").replace("\u0901", "\u0902")
