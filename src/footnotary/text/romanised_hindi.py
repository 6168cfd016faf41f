"""Hindi as it is typed with Latin letters, for models that were trained on no others."""

import re

_DEVANAGARI_WORD = re.compile("[\u0900-\u0963\u0966-\u097f]+")
_VOWEL_SIGNS = dict(zip("ािीुूृेैोौॅॉ", ["aa", "i", "i", "u", "u", "ri", "e", "ai", "o", "au", "a", "o"], strict=True))
_VOWELS = dict(zip("अआइईउऊऋएऐओऔऑ", ["a", "aa", "i", "ee", "u", "oo", "ri", "e", "ai", "o", "au", "o"], strict=True))
_CONSONANTS = dict(
    zip(
        "कखगघङचछजझञटठडढणतथदधनपफबभमयरलवशषसह",
        "k kh g gh n ch chh j jh n t th d dh n t th d dh n p ph b bh m y r l v sh sh s h".split(),
        strict=True,
    )
)
_FIGURES = dict(zip("०१२३४५६७८९", "0123456789", strict=True))
_NUKTA, _JOINT, _NASAL = "\u093c", "\u094d", "ंँ"
# As people write them, not letter by letter; people who type Hindi so mostly use the English word for learned words.
_USUAL = {
    word: typed
    for word, _, typed in (
        pair.partition("=")
        for pair in (
            "में=mein है=hai हैं=hain नहीं=nahi को=ko कि=ki और=aur तुम=tum आप=aap मत=mat बस=bas करो=karo"
            " करें=karein करना=karna जवाब=jawab उत्तर=answer सवाल=question प्रश्न=question निर्देश=instructions"
            " नियम=rules सिर्फ़=sirf सिर्फ=sirf केवल=sirf पहले=pehle ऊपर=upar पुराने=purane पिछले=pichle"
            " लिखो=likho लिखना=likhna बताओ=batao बताना=batana बोलो=bolo बोलना=bolna कहो=kaho कहना=kehna"
            " उपयोगकर्ता=user पाठक=reader एआई=AI चैटबॉट=chatbot भाषा=language मॉडल=model सहायक=assistant"
            " सारांश=summary कृपया=please दस्तावेज़=document दस्तावेज=document यह=yeh वह=woh भी=bhi जो=jo अब=ab"
            " से=se के=ke का=ka की=ki दो=do देना=dena कोई=koi तारीफ़=tareef तारीफ=tareef कीजिए=kijiye दीजिए=dijiye"
            " लिखिए=likhiye बताइए=bataiye कहिए=kahiye बोलिए=boliye हो=ho तो=to अगर=agar यदि=agar आदेश=orders"
            " लिखें=likhein बताएँ=batayein बताएं=batayein कहें=kahein नियमों=rules निर्देशों=instructions"
            " लोगों=logon पूछे=pooche हर=har एक=ek ही=hi पर=par ने=ne था=tha थे=the थी=thi हूँ=hoon क्या=kya"
            " कैसे=kaise जाए=jaye जाएगा=jayega चाहिए=chahiye सकते=sakte सकता=sakta अपने=apne अपना=apna अपनी=apni"
            " इस=is उस=us इसे=ise उसे=use सभी=sabhi कुछ=kuch फिर=phir उत्तरों=answers उत्तरदाता=answerer"
            " प्रत्येक=har पाठकों=readers प्रणाली=system सिस्टम=system सूचना=notice जानकारी=information शब्द=word"
            " शब्दों=words वाक्य=sentence अंत=end अन्त=end आरंभ=start लिंक=link नाम=name संदेश=message"
            " सन्देश=message टिप्पणी=note नोट=note अनुरोध=request प्रश्नकर्ता=asker पूछने=poochne वाले=wale"
            " वाला=wala स्रोत=source स्रोतों=sources हवाला=citation उद्धरण=citation अनुवाद=translation"
            " अंग्रेज़ी=english अंग्रेजी=english हिंदी=hindi हिन्दी=hindi गोपनीय=secret धारा=section अधिनियम=act"
            " जुर्माना=fine जुर्माने=fine दंड=punishment न्यायालय=court सरकार=government व्यक्ति=person"
            " अधिकारी=officer कर्मचारी=employee ग्राहक=customer ग्राहकों=customers विद्यार्थी=student"
            " छात्र=student शिक्षक=teacher परीक्षा=exam आवेदन=application प्रपत्र=form फ़ॉर्म=form"
        ).split()
    )
}


def romanised(text: str) -> str:
    """The text with every word of Devanagari in Latin letters; all else stays as it is."""
    return _DEVANAGARI_WORD.sub(_roman, text.replace("।", "."))


def _roman(found: re.Match[str]) -> str:
    word = found.group()
    if (usual := _USUAL.get(word)) is not None:
        return usual
    out, letters = "", [letter for letter in word if letter != _NUKTA]
    for letter, after in zip(letters, [*letters[1:], ""], strict=True):
        if letter in _CONSONANTS:
            # Without a vowel sign or a joint, and unless it is the last letter, the short a is spoken.
            spoken = after in _CONSONANTS or (after != "" and after in _NASAL)
            out += _CONSONANTS[letter] + ("a" if spoken else "")
        elif letter in _NASAL:
            out += "n"
        elif letter != _JOINT:
            out += _VOWEL_SIGNS.get(letter) or _VOWELS.get(letter) or _FIGURES.get(letter) or letter
    return out
