"""Word lists behind the rewordings and corruptions: opposites, siblings, safe synonyms, actors, added details."""

import re


def _pairs(block: str) -> list[tuple[str, str]]:
    return [(a.strip(), b.strip()) for a, b in (line.split("|") for line in block.strip().splitlines())]


def _groups(block: str) -> list[list[str]]:
    return [[w.strip() for w in line.split("|")] for line in block.strip().splitlines()]


def _items(block: str) -> list[str]:
    return block.strip().replace("\n", "|").split("|")


# Exchanging one for the other makes a sentence say something else in any context.
OPPOSITES = _pairs("""
increase|decrease
increases|decreases
increased|decreased
increasing|decreasing
rise|fall
rises|falls
rising|falling
rose|fell
raise|lower
raised|lowered
higher|lower
highest|lowest
larger|smaller
largest|smallest
greater|smaller
longer|shorter
longest|shortest
stronger|weaker
warmer|cooler
hotter|colder
faster|slower
older|younger
oldest|youngest
earlier|later
earliest|latest
heavier|lighter
deeper|shallower
grant|refuse
granted|refused
allow|prohibit
allowed|forbidden
permitted|forbidden
accept|reject
accepted|rejected
approve|reject
approved|rejected
appoint|remove
appointed|dismissed
lawful|unlawful
legal|illegal
valid|invalid
liable|immune
eligible|ineligible
entitled|disentitled
competent|incompetent
guilty|innocent
convicted|acquitted
majority|minority
public|private
internal|external
domestic|foreign
permanent|temporary
voluntary|compulsory
optional|mandatory
mandatory|optional
compulsory|voluntary
direct|indirect
directly|indirectly
include|exclude
includes|excludes
including|excluding
included|excluded
import|export
imported|exported
sell|buy
sold|bought
borrow|lend
arrive|depart
enter|leave
entered|left
begin|end
begins|ends
began|ended
commencement|expiry
start|stop
started|stopped
open|closed
opened|closed
win|lose
won|lost
success|failure
successful|unsuccessful
positive|negative
active|inactive
present|absent
presence|absence
maximum|minimum
minor|major
senior|junior
first|last
early|late
top|bottom
upper|lower
inside|outside
above|below
north|south
northern|southern
east|west
eastern|western
left|right
male|female
father|mother
husband|wife
brother|sister
son|daughter
morning|evening
day|night
summer|winter
hot|cold
warm|cool
dry|wet
acid|base
acidic|alkaline
solid|liquid
alive|dead
old|new
rich|poor
strong|weak
easy|difficult
safe|dangerous
common|rare
often|rarely
always|never
usually|rarely
frequently|seldom
more|less
most|least
many|few
same|opposite
similar|opposite
improve|worsen
improved|worsened
expand|shrink
gain|loss
gained|lost
profit|loss
asset|liability
credit|debit
plaintiff|defendant
creditor|debtor
lessor|lessee
landlord|tenant
employer|employee
buyer|seller
purchaser|seller
transferor|transferee
donor|donee
mortgagor|mortgagee
principal|agent
insurer|policyholder
teacher|pupil
doctor|patient
cause|prevent
causes|prevents
caused|prevented
encourage|discourage
support|oppose
supported|opposed
supports|opposes
agree|refuse
agreed|refused
admit|deny
admitted|denied
confirmed|denied
effective|ineffective
sensitive|resistant
infected|uninfected
healthy|diseased
benign|malignant
symptomatic|asymptomatic
acute|chronic
oral|intravenous
renewable|non-renewable
vertebrate|invertebrate
conductor|insulator
absorb|emit
absorbs|releases
attract|repel
predator|prey
ancestor|descendant
ascending|descending
simple|rigorous
cognizable|non-cognizable
bailable|non-bailable
movable|immovable
rural|urban
civil|criminal
written|oral
retrospective|prospective
secured|unsecured
solvent|insolvent
whole|half
previous|subsequent
prior|subsequent
preceding|following
""")

# Different things of one kind: one in place of another is another statement.
SIBLINGS = _groups("""
theft|robbery|extortion|cheating|forgery
fine|imprisonment|forfeiture
imprisonment|fine
licence|permit|registration|patent
days|weeks|months|years
day|week|month|year
hours|days|minutes
liver|kidney|lung|pancreas|spleen
heart|brain|stomach|lung
blood|urine|saliva
virus|bacterium|fungus|parasite
viruses|bacteria|fungi
bacterial|viral|fungal
diabetes|asthma|hypertension|epilepsy
fever|cough|rash|headache
tablet|injection|ointment
nurse|pharmacist|physician|dentist
hospital|school|prison|hotel
oxygen|nitrogen|hydrogen|carbon dioxide
carbon|sulfur|nitrogen
iron|copper|zinc|lead
gold|silver|bronze
protein|fat|starch
proteins|carbohydrates|lipids
mammal|reptile|amphibian|bird
mammals|reptiles|amphibians|insects
root|stem|leaf|flower
roots|stems|leaves|flowers
ocean|river|lake|desert
planet|moon|comet
Earth|Mars|Venus|Jupiter
sun|moon
rain|snow|wind
solid|gas|liquid
electron|proton|neutron
photosynthesis|respiration|fermentation
president|prime minister|governor
President|Prime Minister|Governor
minister|judge|mayor
Chairman|Secretary|Treasurer
Chairperson|Secretary|Registrar
High Court|Supreme Court|District Court
Tribunal|High Court|Commission
Magistrate|Sessions Judge|Registrar
Board|Council|Commission
Central Government|State Government|Board
court|tribunal|committee
police|army|navy
Parliament|State Legislature|Cabinet
company|partnership|trust
shareholder|creditor|auditor
director|auditor|liquidator
tax|loan|grant
wages|pension|bonus
rent|salary|interest
vessel|aircraft|train
book|film|song|painting
album|novel|film
novel|play|poem
actor|singer|painter|architect
actress|singer|dancer
film|novel|album
director|composer|writer
football|cricket|tennis|hockey
car|bus|train|bicycle
dog|cat|horse
dogs|cats|horses
mother|aunt|grandmother
father|uncle|grandfather
red|blue|green|yellow
black|white|brown
Monday|Wednesday|Friday|Sunday
Tuesday|Thursday|Saturday
breakfast|lunch|dinner
kitchen|garden|bedroom
American|British|Canadian|Australian
Indian|Chinese|Japanese
France|Germany|Italy|Spain
London|Paris|Berlin|Madrid
India|Nepal|Sri Lanka
bank|insurer|stock exchange
temperature|pressure|humidity
mass|volume|density
speed|distance|height
energy|force|momentum
earthquake|flood|drought
glaciers|forests|deserts
coal|oil|natural gas
written|electronic|oral
daily|weekly|monthly|yearly
annual|monthly|weekly
annually|monthly|weekly
weekly|monthly
kilograms|grams|tonnes
kg|g|mg
km|m|cm
kilometres|metres|miles
miles|kilometers|feet
metres|kilometres
million|billion|thousand
lakh|crore|thousand
per cent|per mille
""")

# Both ways round these keep the meaning wherever they stand (checked with the word after them where one is given).
SYNONYMS = _pairs("""
commence|begin
commences|begins
commenced|began
commencement|start
purchase|buy
purchased|bought
prior to|before
subsequent to|after
in accordance with|in line with
in accordance with|according to
in the event of|in case of
in the event that|if
with respect to|regarding
in respect of|regarding
in relation to|concerning
for the purpose of|in order to carry out
for the purposes of|for
in order to|to
by means of|through
by reason of|because of
on account of|because of
due to|because of
owing to|because of
in lieu of|instead of
in addition to|besides
notwithstanding anything contained in|despite
pursuant to|under
by virtue of|under
as soon as may be|as soon as possible
forthwith|immediately
herein|in this
thereof|of it
obtain|get
obtained|got
furnish|provide
furnished|provided
furnishes|provides
assist|help
assistance|help
terminate|end
terminated|ended
require|need
requires|needs
utilise|use
utilised|used
utilize|use
endeavour|try
endeavours|tries
ascertain|find out
reside|live
resides|lives
residing|living
sufficient|enough
additional|extra
entire|whole
numerous|many
approximately|about
roughly|about
nearly|almost
near|close to
large|big
quickly|rapidly
fast|quickly
children|kids
physician|doctor
physicians|doctors
automobile|car
attorney|lawyer
film|movie
movie|film
illness|disease
error|mistake
errors|mistakes
aid|help
answer|reply
reply|answer
seek|look for
attempt|try
attempts|tries
attempted|tried
start|begin
started|began
starts|begins
finish|complete
finished|completed
end|conclude
happen|occur
happens|occurs
happened|occurred
shut|close
select|choose
selected|chosen
choose|select
permit|allow
permits|allows
permitted|allowed
prohibited|forbidden
conceal|hide
conceals|hides
construct|build
constructed|built
demonstrate|show
demonstrated|showed
demonstrates|shows
indicate|show
indicates|shows
indicated|showed
suggests|indicates
receive|get
received|got
remain|stay
remained|stayed
depart|leave
ask|request
inform|tell
informed|told
inquire|ask
inspect|examine
inspected|examined
examine|inspect
repair|fix
rapid|fast
difficult|hard
difficulty|trouble
important|significant
main|principal
annual|yearly
annually|every year
per annum|a year
per cent|percent
percent|per cent
however|but
therefore|so
also|too
while|whilst
among|amongst
until|till
upon|on
such person|that person
any person|anyone
every person|everyone
a person|someone
deemed to be|treated as
deemed|considered
deceased|dead
infant|baby
pupil|student
pupils|students
students|pupils
autumn|fall season
city|town
citizens|nationals
author|writer
created|made
killed|slain
located in|situated in
situated in|located in
known as|called
called|known as
consists of|is made up of
comprises|consists of
contain|hold
approximately|around
in the course of|during
at the time of|during
a number of|several
several|a number of
in the absence of|without
for the time being in force|currently in force
specified in|set out in
laid down in|set out in
referred to in|mentioned in
mentioned in|referred to in
provided in|set out in
duty|obligation
penalty|punishment
offence|crime
contravention|breach
contravenes|breaches
contravene|breach
null and void|void
empowered|authorised
authorised|empowered
salary|pay
remuneration|pay
premises|property
""")
_UNSAFE = {
    "city",
    "fall",
    "end",
    "fast",
    "also",
    "while",
    "herein",
    "thereof",
    "film",
    "contain",
    "aid",
    "call",
    "duty",
}
_UNSAFE |= {
    "on account of",
    "killed",
    "author",
    "shut",
    "remuneration",
    "near",
    "main",
    "finish",
    "seek",
    "however",
    "therefore",
}
_UNSAFE |= {
    "repair",
    "receive",
    "received",
    "obtained",
    "premises",
    "large",
    "deceased",
    "difficult",
    "permit",
    "answer",
    "reply",
}
_UNSAFE |= {
    "autumn",
    "require",
    "requires",
    "important",
    "penalty",
    "attempt",
    "attempts",
    "ask",
    "error",
    "start",
}
_UNSAFE |= {
    "in the event of",
    "for the purpose of",
    "for the purposes of",
    "difficulty",
    "offence",
    "purchase",
    "infant",
    "remain",
}
_UNSAFE |= {
    "deemed",
    "demonstrated",
    "indicated",
    "created",
    "at the time of",
    "until",
    "called",
    "contravention",
    "assist",
}
SAFE_SYNONYMS = [(a, b) for a, b in SYNONYMS if a not in _UNSAFE]

ACTOR_HEADS = _items("""
Central Government|State Government|appropriate Government|Government|High Court|Supreme Court|District Magistrate|Judicial Magistrate
Magistrate|District Court|Court|Appellate Tribunal|Tribunal|Commission|Board|Council|Authority|Corporation|Committee|Commissioner|Collector
Registrar|Inspector|Controller|Director General|Director-General|Director|Chairman|Chairperson|Secretary|President|Governor|Speaker|Bank|Trust
Comptroller and Auditor-General|Reserve Bank|University|Vice-Chancellor|Chancellor|Academic Council|Senate|Institute|Company|Fund|Administrator
Custodian|Receiver|Official Liquidator|Liquidator|Superintendent|Deputy Commissioner|Chief Commissioner|Arbitrator|arbitrator|Ombudsman
employer|employee|workman|worker|landlord|tenant|lessor|lessee|owner|occupier|master|manager|contractor|licensee|licensor|applicant|appellant
respondent|complainant|accused|plaintiff|defendant|petitioner|decree-holder|judgment-debtor|creditor|debtor|mortgagor|mortgagee|transferor
transferee|vendor|purchaser|buyer|seller|donor|donee|bailor|bailee|principal|agent|guarantor|surety|insurer|insured|policyholder|depositor
borrower|lender|shareholder|member|director|auditor|trustee|beneficiary|partner|promoter|liquidator|consignor|consignee|carrier|passenger
importer|exporter|manufacturer|dealer|consumer|supplier|distributor|patentee|proprietor|publisher|author|husband|wife|father|mother|guardian
minor|child|parent|heir|executor|testator|legatee|police officer|medical officer|prescribed authority|competent authority|appellate authority
adjudicating officer|assessing officer|customs officer|officer|witness|prisoner|detenu|convict|student|teacher|local authority|company
firm|society|association|nominee|subscriber|voter|candidate|returning officer|data subject|controller|processor|supervisory authority
supervisory authorities|Member State|Member States|Commission|data protection officer|recipient|representative|third party|undertaking|doctor
nurse|patient|hospital|physician|pharmacist|scientist|king|queen|boy|girl|man|woman|dog|cat|farmer|judge|mayor|president|driver|police
""")
_HEADS = "|".join(re.escape(h) for h in sorted(set(ACTOR_HEADS), key=len, reverse=True))
_MODIFIERS = (
    "registered|authorised|competent|prescribed|aggrieved|said|other|concerned|chief|executive|appellate|lead|original|new|"
    "former|young|old|little|senior|junior|public|private|foreign|designated|independent|first|second|local|subordinate|natural"
)
ACTOR = re.compile(
    rf"\b(?:(?:[Tt]he|[Aa]n?|[Aa]ny|[Ee]very|[Ee]ach|[Ss]uch|[Tt]hat|[Hh]is|[Hh]er) )(?:(?:{_MODIFIERS}) ){{0,2}}(?:{_HEADS})(?![\w'’-])(?! (?:of|General|general|or|and|in whom|to whom|Judge|officer|authority)\b)"
)

# Added at the end of a sentence these say more than the passage does.
DETAILS = _items("""
within thirty days|within 15 days|within six months|in writing|by registered post|in Maharashtra|in the State of Kerala|in Delhi
free of charge|on payment of a fee|with the approval of the Central Government|in consultation with the High Court|every three months
once a year|at least twice a year|on the recommendation of a committee|after a public hearing|without prior notice|with immediate effect
at the cost of the applicant|in the presence of two witnesses|for a period of five years|up to a limit of Rs. 50,000|in electronic form only
under the supervision of the court|before the end of the financial year|on any working day|in the prescribed colour|in two local newspapers
in both English and Hindi|only on Mondays|within 48 hours|by a majority of two-thirds|subject to a penalty of ten thousand rupees
by a majority of three to one
""")
OPEN_DETAILS = _items("""
in the northern region|in 1998|in 2011|last winter|according to a government survey|in most European countries|for the first time in a decade
among children under five|in patients over 65|with few side effects|at a cost of about $2 million|with the help of volunteers
in a laboratory in Geneva|mainly at night|especially in winter|at room temperature|in the absence of sunlight|at high altitude
in almost every case|after two years of talks|despite strong opposition|for the third time|with support from local businesses|by email
on the advice of a doctor|twice a day after meals|for at least ten minutes|under high pressure|to the surprise of many|at the request of the police
""")
SAID_TAILS = _items("""
and no appeal lies from such a decision|and the decision is final|and a copy must be kept for eight years|and the fee is not refundable
and this applies to foreign companies as well|and the matter is then reported to Parliament|and the rest is paid from public funds
and repeated breaches double the penalty|which experts regard as a turning point|which was later confirmed by other researchers
and the number has doubled since then|and it remains the only one of its kind|which has since been copied elsewhere
and most people were unaware of it|which explains why costs went up|and this has led to several complaints|and children are exempt
and the result was published in a journal|and the effect lasts for several weeks|which makes it unsafe for pregnant women
""")
CONDITIONS = _items("""
if the applicant so requests|if the court so directs|unless the parties agree otherwise|except on public holidays|only if a fee has been paid
unless an appeal is pending|only with the consent of the owner|except in the case of a minor|if the weather permits|only after a second test
unless the value is below five thousand rupees|except in rural areas|only where both sides agree|if there is a risk to health
""")

MONTHS = "January February March April May June July August September October November December".split()
NUMBER_WORDS = dict(
    zip(
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen".split(),
        range(1, 16),
        strict=True,
    )
)
NUMBER_WORDS |= dict(zip("sixteen seventeen eighteen nineteen twenty".split(), range(16, 21), strict=True))
NUMBER_WORDS |= {
    "thirty": 30,
    "forty": 40,
    "forty-five": 45,
    "fifty": 50,
    "sixty": 60,
    "seventy": 70,
    "eighty": 80,
    "ninety": 90,
}
NUMBER_WORDS |= {"twenty-one": 21, "twenty-four": 24, "twenty-five": 25, "forty-eight": 48, "seventy-five": 75}
WORD_OF = {v: k for k, v in NUMBER_WORDS.items()}
ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
FRACTIONS = [
    "one-half",
    "one-third",
    "two-thirds",
    "three-fourths",
    "one-fourth",
    "one-fifth",
    "one-tenth",
    "three-fifths",
]

OPEN_CONDITIONS = _items("""
if the weather permits|only after a second test|except in rural areas|only in winter|unless it rains|except on Sundays|if enough money is raised|only in young adults
unless the temperature falls below zero|except in coastal areas|only under laboratory conditions|if at least two people agree|except during the war|only for the first few weeks
""")
