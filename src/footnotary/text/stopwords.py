"""Function words in English and Hindi.

All words are written as `tokens.words` gives them: folded, with straight apostrophes. `STOP_WORDS` is what
`tokens.content_terms` leaves out; the named sets are for checks that look at exactly these words.
"""

NEGATIONS = frozenset(
    """
    no not never nor neither none nobody nothing nowhere without cannot can't couldn't didn't doesn't don't hadn't
    hasn't haven't isn't aren't wasn't weren't mustn't needn't shan't shouldn't won't wouldn't
    नहीं नही न ना मत बिना बगैर
    """.split()
)

MODALS = frozenset(
    """
    may might must shall should can could will would ought need
    सकता सकती सकते सकेगा सकेगी सकेंगे सकें चाहिए चाहिये होगा होगी होंगे होंगी
    """.split()
)

QUANTIFIERS = frozenset(
    """
    all any every each some both either most many much few several only solely exclusively always sometimes often
    सभी सब हर प्रत्येक कुछ कोई दोनों अधिकांश कई केवल सिर्फ हमेशा सदैव
    """.split()
)

QUESTION_WORDS = frozenset(
    """
    what which who whom whose when where why how
    क्या कौन कौनसा कौनसी कौनसे किस किसे किसने किसका किसकी किसके किन किन्हें कब कहाँ कहां कैसे कैसा कैसी क्यों कितना कितनी कितने
    """.split()
)

_ENGLISH = frozenset(
    """
    a an the this that these those such same
    i me my mine myself we our ours ourselves you your yours yourself he him his himself she her hers herself
    it its itself they them their theirs themselves oneself
    am is are was were be been being do does did doing done have has had having
    i'm i've i'd i'll you're you've you'd you'll he'd he'll she'd she'll it'd it'll we're we've we'd we'll
    they're they've they'd they'll that'll there'd there'll let
    of in on at by for from to into onto upon with within under over above below between among through during before
    after against about around as per via out off up down
    and or but if then else than so because while whereas although though unless until since whether however
    therefore thus hence thereof therein thereto thereby hereby herein hereof hereto
    there here now also too very just even yet still again further more other another own once
    eg ie etc viz please
    """.split()
)

_HINDI = frozenset(
    """
    का की के को से में पर तक ने और या एवं तथा व भी ही तो कि जो जिस जिसे जिसका जिसकी जिसके जिसने जिसमें जिससे
    जिन जिन्हें जिनका जिनकी जिनके यह वह ये वे इस उस इन उन इसे उसे इसका इसकी इसके इसमें इससे उसका उसकी उसके
    उसमें उससे इनका इनकी इनके उनका उनकी उनके उन्हें इन्हें इन्होंने उन्होंने मैं मुझे मेरा मेरी मेरे हम हमें
    हमारा हमारी हमारे आप आपका आपकी आपके तुम अपना अपनी अपने स्वयं है हैं हो हूँ हूं था थी थे होता होती होते
    होना होने हुआ हुई हुए हुये रहा रही रहे गया गई गए गयी गये जाता जाती जाते जाना जाए जाये जाएगा जाएगी जाएंगे
    जा कर करना करने करता करती करते करेगा करेगी करेंगे किया किए किये करके करें करे दिया दी दिए दिये लिया ली लिए लिये द्वारा वाला वाली
    वाले यदि अगर तब जब जहाँ जहां जैसे जैसा जैसी वैसे ऐसा ऐसी ऐसे इसलिए क्योंकि लेकिन किंतु किन्तु परंतु परन्तु
    बल्कि फिर अब यहाँ यहां वहाँ वहां साथ बाद पहले ओर बारे कृपया बताइए बताओ बताएं बताएँ
    """.split()
)

# "will" stays a content word: in law it is also a testament, and a question about one must find it.
STOP_WORDS = (_ENGLISH | _HINDI | QUESTION_WORDS | NEGATIONS | MODALS | QUANTIFIERS) - {"will", "need"}

# Words of Hindi grammar as people type them in Latin letters; those that are also English words are left out.
ROMANISED_HINDI = frozenset(
    """
    kya kyu kyun kyon kaise kaisa kaisi kab kahan kaun kaunsa kaunsi kitna kitni kitne kis kisi kise kisne kiska
    ka ke ki ko se ne mein hai hain ho hota hoti hote hoga hogi honge hona tha thi nahi nahin nhi aur ya agar toh
    yeh woh wo iska iski iske uska uski uske inka unka jab tab jo jiska liye wala wali wale koi kuch sab bhi lekin
    karna karne karta karti karte karo kare karen kiya gaya gayi sakta sakti sakte chahiye batao bataiye bataye
    batayen samjhao samjhaiye matlab mujhe mera meri mere hum hamara aap aapka apna apni apne tum raha rahi rahe
    milta milti milegi milega lagta lagti lagegi lagega
    """.split()
)
