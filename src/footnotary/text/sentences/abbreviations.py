"""Words that end in a full stop without ending a sentence, as lawyers, teachers and clerks write them."""

from footnotary.text.stopwords import STOP_WORDS

# All sets but COURTS are in lower case and without the final stop.

# A name follows: never the end.
TITLES = frozenset(
    """
    dr mr mrs ms mx prof hon st sh shri smt km kum adv gen col capt lt maj sgt cdr rev fr messrs m/s
    डॉ श्री श्रीमती प्रो कु पं स्व सुश्री
    """.split()
)

# Something else always follows: never the end.
LINKING = frozenset("v vs e.g i.e eg ie viz cf c.f a.k.a approx ca incl excl resp".split())

# A number, a letter or a bracket follows: the end only before what can begin a sentence.
REFERRING = frozenset(
    """
    sec secs s ss sub-sec sub-s art arts cl cls ch chs chap chaps fig figs eq eqs eqn no nos p pp para paras pt pts
    vol vols ex exs exh reg regs r rr ord sch schs tab ref refs ann annex app col cols l ll n nn ed eds q qs ques prob
    rs re inr usd dt ser sr.no s.no reg.no crl civ misc appl pet w.p c.a slp
    रु सं क्र पृ अ धा उप
    """.split()
)

# At the end or inside of a sentence: the end only before what can begin a sentence.
ENDING_OR_NOT = frozenset(
    """
    co cos ltd inc corp pvt llp llc plc bros assn intl natl univ dept govt admn admin bd comm commr commn dist div
    jr sr ors anr al ibid id supra infra j jj cj acj jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed
    thu thur thurs fri ph.d cir supp ct cas rep regd estd est min max temp tel ext ave rd mt ft bldg addl asst dy jt
    secy supdt insp esq retd hrs yrs lbs oz etc cent subs ins vict geo w.e.f
    """.split()
)

ALL = TITLES | LINKING | REFERRING | ENDING_OR_NOT

# Law reports are named for their court: "AIR 1999 Bom. 45". Only with the capital, only before a number.
COURTS = frozenset("All Bom Cal Mad Del Ker Kar Guj Raj Pat Ori Mys Nag Lah Punj Hary Gau Jab Jhar Utt Chh Pun".split())

# Names of Latin letters in Devanagari, for initials such as "ए. के. गोपालन".
HINDI_INITIALS = frozenset("ए बी सी डी ई एफ जी एच आई जे के एल एम एन ओ पी क्यू आर एस टी यू वी डब्ल्यू एक्स वाई जेड".split())

# What begins a sentence when the stop before it could be an abbreviation's.
STARTERS = STOP_WORDS | frozenset(
    """
    section whoever whosoever wherever whenever accordingly additionally moreover furthermore consequently
    nevertheless nonetheless according provided explanation illustration exception illustrations held note first
    firstly second secondly third thirdly finally lastly next similarly likewise conversely instead meanwhile
    nothing everyone anyone someone people see let find show prove
    """.split()
)
