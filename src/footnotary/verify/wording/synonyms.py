"""Which words mean the same in law, health and school prose.

Words are written as `text.tokens.words` gives them, phrases with hyphens. The tables are closed and short on purpose:
a word that stands in none of them is compared by its stem alone, and nothing is concluded from its absence.
"""

from functools import lru_cache

from footnotary.text.tokens import stem

# One concept a line, irregular forms included; regular forms follow from the stem. The first word names the concept.
_SAME = """
imprison imprisonment prison jail gaol incarceration incarcerate prisoner behind-bars detention lock-up
punish punishment punishable penalise penalize penalty sentence penal
person people individual someone somebody anyone anybody everyone everybody whoever whosoever those human
get got obtain receive receipt acquire
give gave given provide supply furnish hand
deliver delivery hand-over
begin began begun start commence commencement initiate onset
end finish complete completion conclude
buy bought purchase
sell sold sale
pay paid payment payable repay repaid repayment repayable settle owe
inform tell told notify notification intimate
show shown demonstrate
make made
keep kept maintain retain preserve store hold held
help assist assistance aid
happen occur occurrence take-place
cancel cancellation revoke revocation rescind
terminate termination
erase erasure delete deletion
change alter alteration modify modification amend amendment revise revision update
permit permission allow authorise authorisation authorize authorization consent approve approval approved sanction
need necessary require requirement
write written writing wrote in-writing
oral orally spoken verbal verbally
child children kid
pupil student schoolchild learner
teacher schoolteacher instructor
worker workman workmen labourer
employee staff
doctor physician
medicine drug medication
dwelling house home residence
money sum amount
cost price charge expense
wage salary remuneration
refund reimburse reimbursement
mean define definition denote signify
include comprise consist contain
part portion
enter entry entrance
leave left vacate quit
live reside
large big great greater
small little lesser
rapid fast faster fastest quick quickly speedy rapidly
slow slower slowest slowly
soon immediate immediately promptly instantly straight-away at-once forthwith
kill slay
steal stole stolen theft thief
hurt injure injury harm
deceive deception deceit
own ownership
let lease
inspect examine inspection
exam examination
law legal
lawyer advocate counsel attorney
offence offense crime
offender perpetrator wrongdoer
increase grow grew growth rise rose
decrease shrink fall fell diminish decline-in
same equal identical alike constant equally
different differ differing
whole entire entirely full fully total
annual annually year-by-year yearly
area region locality territory
place put lay laid
send sent
ask request
answer reply respond response
document paper
choose choice chosen chose opt
refuse refusal reject rejection deny denial
accept acceptance
bear borne bore
lose lost loss
win won
sign signature
prove proof proven
hear heard hearing
try tried trial
know knew known knowledge
intend intent intention intentional intentionally wilful wilfully willful willfully deliberate deliberately
identify identity
disclose disclosure reveal
hide hidden conceal concealment
relative kin family-member
comply compliance
bind bound
liable liability responsible responsibility answerable
guilty guilt
free gratis free-of-charge without-charge at-no-cost
impose imposition
absorb take-in
release give-off
expand expansion
agree agreement
conduct conductor
invest investment
work job labour labor
apply application applicable
sick ill illness
die died dead death
teach taught tuition tutor
fraud fraudulent fraudulently defraud
rule regulation
suit lawsuit sue
find found
fix set
fit fitness
mark marks
health healthcare
explain explanation
expire expiry
absent absence
present presence
satisfy satisfaction
dismiss dismissal
pass past
withdraw withdrawal withdrew withdrawn
collect collection
double twice
renew renewal
doubt doubts
treat treatment
operate operation surgery
recover recovery
"""

# Words that a stemmer would throw together with others: those who act with what they do, "difference" with "different".
_APART = frozenset(
    "employer employee borrower lender insurer offender manufacturer owner carrier supervisor dealer"
    " seller buyer occupier worker holder driver manager trustee licensee mortgagee donee authority"
    " provider applicant visitor officer defendant accused claimant respondent plaintiff complainant"
    " prosecutor registrar governor government tribunal servant tenant agent state company commission"
    " executor executant administrator controller processor importer exporter promoter collector commissioner speaker"
    " leader sponsor maker broker drawer drawee payer payee subscriber objector director guarantor creditor debtor"
    " bailor bailee passenger endorser publisher informant adjudicator liquidator"
    " difference insurance informal universal general".split()
)


@lru_cache(maxsize=1)
def _concepts() -> dict[str, str]:
    table: dict[str, str] = {}
    for line in _SAME.strip().splitlines():
        names = line.split()
        for word in names:
            table.setdefault(word, names[0])
            table.setdefault(stem(word), names[0])
    return table


@lru_cache(maxsize=1 << 14)
def concept(word: str) -> str:
    """The name under which `word` and the words that mean the same are compared; its stem if it stands alone."""
    table = _concepts()
    if (agent := f"{word[:-3]}y" if word.endswith("ies") else word.rstrip("'").removesuffix("s")) in _APART:
        return table.get(agent, agent)
    if word.endswith(("tre", "tres")):
        word = word.replace("tre", "ter")  # centre, metres
    if word.endswith("ily") and len(word) > 5:
        word = f"{word[:-3]}y"  # the stem of "voluntarily" is not that of "voluntary"
    return table.get(word) or table.get(stem(word)) or stem(word)
