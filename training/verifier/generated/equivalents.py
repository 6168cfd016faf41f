"""Rules of our own in two equivalent forms, and a similar form with another meaning."""

from collections.abc import Iterator
from random import Random

from training.verifier.generated.contrasts import GROUPS, Row

# Verb phrase, its -ing form, its passive participle with what it is done to.
DEEDS = [
    ("open the archive", "opening the archive", "the archive", "opened"),
    ("publish the accounts", "publishing the accounts", "the accounts", "published"),
    ("use the side entrance", "using the side entrance", "the side entrance", "used"),
    ("inspect the boiler", "inspecting the boiler", "the boiler", "inspected"),
    ("move the hearing", "moving the hearing", "the hearing", "moved"),
    ("share the report", "sharing the report", "the report", "shared"),
    ("sell the surplus", "selling the surplus", "the surplus", "sold"),
    ("disclose the address", "disclosing the address", "the address", "disclosed"),
    ("sign the muster roll", "signing the muster roll", "the muster roll", "signed"),
    ("renew the permit", "renewing the permit", "the permit", "renewed"),
    ("attend the briefing", "attending the briefing", "the briefing", "attended"),
    ("cancel the lease", "cancelling the lease", "the lease", "cancelled"),
    ("test the water", "testing the water", "the water", "tested"),
    ("destroy the samples", "destroying the samples", "the samples", "destroyed"),
    ("charge a deposit", "charging a deposit", "a deposit", "charged"),
    ("record the interview", "recording the interview", "the interview", "recorded"),
    ("wear a helmet", "wearing a helmet", "a helmet", "worn"),
    ("file an affidavit", "filing an affidavit", "an affidavit", "filed"),
    ("keep a diary", "keeping a diary", "a diary", "kept"),
    ("change the locks", "changing the locks", "the locks", "changed"),
]
ONE = "trader driver tenant nurse candidate member broker clinic factory school dealer lender hostel driver volunteer surgeon grocer pilot warden society".split()
NEEDS = [
    ("the consent of the owner", "the owner has consented"),
    ("a warrant", "there is a warrant"),
    ("the permission of the dean", "the dean permits it"),
    ("a doctor's note", "a doctor has given a note"),
    ("two witnesses", "two witnesses are present"),
    ("payment of the fee", "the fee has been paid"),
    ("the approval of the board", "the board has approved"),
    ("written notice", "notice has been given in writing"),
]
STATES = [("a guest is a minor", "a minor guest"), ("the river is in flood", "a flood"), ("a worker has been injured", "an injured worker"), ("the power has failed", "a power failure"),
          ("the seal is broken", "a broken seal"), ("the patient cannot speak", "a patient who cannot speak"), ("a fire has been reported", "a reported fire")]  # fmt: skip
NUMBERS = [
    ("two", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("eight", 8),
    ("nine", 9),
    ("twelve", 12),
    ("fifteen", 15),
    ("eighteen", 18),
    ("thirty", 30),
    ("sixty", 60),
]
THINGS = "windows|guards|lifeboats|copies|signatures|exits|beds|teachers|lamps|vehicles|samples|trees".split("|")
SHARES = [
    ("a quarter", "25 per cent"),
    ("half", "50 per cent"),
    ("a fifth", "20 per cent"),
    ("a tenth", "10 per cent"),
    ("three quarters", "75 per cent"),
    ("two fifths", "40 per cent"),
]
WHOLES = "the levy|the harvest|the estate|the seats|the budget|the shares|the profit|the water|the rent".split("|")
EVENTS = "the inspection|the sale|the accident|the award|the meeting|the birth|the complaint|the transfer".split("|")
MEASURES = [
    ("older", "newer", "years"),
    ("longer", "shorter", "metres"),
    ("heavier", "lighter", "tonnes"),
    ("taller", "shorter", "metres"),
    ("deeper", "shallower", "metres"),
]
GOODS = "lorries|ladders|crates|pipes|boats|wells|walls|trailers|cables|ropes".split("|")
OPPOSITES = [("locked", "unlocked"), ("paid", "unpaid"), ("signed", "unsigned"), ("covered", "uncovered"), ("sealed", "unsealed"), ("occupied", "vacant"), ("public", "private"),
             ("heated", "unheated"), ("taxed", "tax-free"), ("armed", "unarmed"), ("lit", "dark"), ("open", "shut")]  # fmt: skip
KEPT = (
    "the gate|the post|the invoice|the well|the hall|the envelope|the annex|the corridor|the store|the counter".split(
        "|"
    )
)
TURNS = [("tightens", "loosens", "the limits on overtime"), ("shortens", "lengthens", "the notice period"), ("widens", "narrows", "the right of appeal"), ("raises", "lowers", "the age of entry"),
         ("eases", "stiffens", "the test for new drivers"), ("speeds up", "slows down", "the payment of claims")]  # fmt: skip
SAME_TURN = {"tightens": "makes stricter", "loosens": "makes less strict", "shortens": "cuts", "lengthens": "extends", "widens": "broadens", "narrows": "restricts", "raises": "puts up",
             "lowers": "brings down", "eases": "makes easier", "stiffens": "makes harder", "speeds up": "makes quicker", "slows down": "delays"}  # fmt: skip
DONE = [
    ("ban", "banned", "a ban on"),
    ("close", "closed", "the closing of"),
    ("merge", "merged", "the merging of"),
    ("privatise", "privatised", "the privatising of"),
    ("license", "licensed", "the licensing of"),
]
DONE_TO = (
    "plastic sheets|the two depots|night markets|ferry crossings|the old wards|street stalls|the post rooms".split("|")
)
BODIES = "The ministry|The council|The university|The commission|The railway|The board".split("|")
SOFT = ["are advised to", "are encouraged to", "are recommended to", "are invited to"]
HARD = ["are obliged to", "are required to", "must", "have to"]


def equivalent_rows(count: int, rng: Random, filler: list[str]) -> Iterator[Row]:
    """(passage, claim, label, kind): each maker gives a rule, paraphrases, and claims that say something else."""
    makers = [
        _only_with,
        _every,
        _may,
        _without,
        _at_least,
        _shares,
        _within,
        _measures,
        _opposites,
        _turns,
        _proposed,
        _advised,
        _some,
        _even_if,
        _up_to,
        _only_those,
    ]
    made = 0
    while made < count:
        maker = rng.choice(makers)
        passage, same, other = maker(rng)
        if rng.random() < 0.3:
            around = rng.sample(filler, rng.randint(1, 3))
            around.insert(rng.randint(0, len(around)), passage)
            passage = " ".join(around)
        yield passage, _first(rng.choice(same)), 1, f"equivalent:{maker.__name__[1:]}"
        yield passage, _first(rng.choice(other)), 0, f"equivalent:{maker.__name__[1:]}"
        made += 2


Said = tuple[str, list[str], list[str]]


def _first(text: str) -> str:
    return text[0].upper() + text[1:]


def _only_with(rng: Random) -> Said:
    (deed, doing, thing, done), (need, met) = rng.choice(DEEDS), rng.choice(NEEDS)
    who = rng.choice(ONE)
    said = [
        f"{_first(thing)} may be {done} only with {need}.",
        f"A {who} may {deed} only if {met}.",
        f"No {who} may {deed} without {need}.",
        f"A {who} must not {deed} unless {met}.",
    ]
    same = [
        f"without {need}, {thing} must not be {done}.",
        f"unless {met}, {doing} is forbidden.",
        f"{doing} requires {need}.",
        f"{thing} may not be {done} unless {met}.",
        f"{need} is needed before {thing} may be {done}.",
    ]
    other = [
        f"{thing} may be {done} without {need}.",
        f"{need} is not needed for {doing}.",
        f"if {met}, {thing} must be {done}.",
        f"{thing} may be {done} even if {need} is missing.",
        f"{thing} may be {done} at any time.",
    ]
    return rng.choice(said), same, other


def _every(rng: Random) -> Said:
    (deed, doing, _, _), who = rng.choice(DEEDS), rng.choice(ONE)
    said = [
        f"Every {who} must {deed}.",
        f"Each {who} is required to {deed}.",
        f"All {who}s have to {deed}.",
        f"No {who} is exempt from {doing}.",
    ]
    same = [
        f"no {who} is excused from {doing}.",
        f"{doing} is compulsory for each {who}.",
        f"a {who} who does not {deed} breaks the rule.",
        f"there is no {who} who need not {deed}.",
        f"any {who} has to {deed}.",
    ]
    other = [
        f"some {who}s need not {deed}.",
        f"a {who} may choose whether to {deed}.",
        f"not every {who} has to {deed}.",
        f"{doing} is optional for a {who}.",
        f"no {who} has to {deed}.",
    ]
    return rng.choice(said), same, other


def _may(rng: Random) -> Said:
    (deed, doing, _, _), who = rng.choice(DEEDS), rng.choice(ONE)
    said = [
        f"A {who} may {deed}.",
        f"A {who} is free to {deed}.",
        f"It is open to a {who} to {deed}.",
        f"{_first(doing)} is left to the choice of the {who}.",
    ]
    same = [
        f"{doing} is optional for a {who}.",
        f"a {who} is allowed to {deed}.",
        f"a {who} is permitted to {deed}.",
        f"a {who} does no wrong by {doing}.",
    ]
    other = [
        f"a {who} must {deed}.",
        f"{doing} is compulsory for a {who}.",
        f"a {who} is not allowed to {deed}.",
        f"a {who} has no choice but to {deed}.",
        f"{doing} is forbidden to a {who}.",
    ]
    return rng.choice(said), same, other


def _without(rng: Random) -> Said:
    first, second = rng.sample(DEEDS, 2)
    who = rng.choice(ONE)
    when = rng.choice(["in an emergency", "at night", "during a strike", "in the last week", "on holidays"])
    said = [
        f"The {who} may {first[0]} without {second[1]} {when}.",
        f"{_first(when)} the {who} need not {second[0]} before {first[1]}.",
    ]
    same = [
        f"{when}, the {who} need not {second[0]} before {first[1]}.",
        f"{when} the {who} can {first[0]} without {second[1]}.",
        f"{second[1]} is not needed {when} for the {who} to {first[0]}.",
    ]
    other = [
        f"{when}, the {who} must {second[0]} before {first[1]}.",
        f"{when} the {who} cannot {first[0]} without {second[1]}.",
        f"{second[1]} comes before {first[1]} even {when}.",
    ]
    return rng.choice(said), same, other


def _at_least(rng: Random) -> Said:
    word, number = rng.choice(NUMBERS)
    who, things = rng.choice(ONE), rng.choice(THINGS)
    shown = rng.choice([word, str(number)])
    least = [
        f"A {who} must have at least {word} {things}.",
        f"A {who} needs {shown} or more {things}.",
        f"A {who} must not have fewer than {shown} {things}.",
    ]
    most = [
        f"A {who} may have at most {word} {things}.",
        f"A {who} may have {shown} or fewer {things}.",
        f"A {who} must not have more than {shown} {things}.",
    ]
    if rng.random() < 0.5:
        return (
            rng.choice(least),
            [s.replace("A ", "a ", 1) for s in least],
            [
                *most,
                f"a {who} must have more than {word} {things}.",
                f"a {who} with fewer than {word} {things} keeps the rule.",
            ],
        )
    return (
        rng.choice(most),
        [s.replace("A ", "a ", 1) for s in most],
        [*least, f"a {who} must have {word} {things} at the least.", f"a {who} may have more than {word} {things}."],
    )


def _shares(rng: Random) -> Said:
    (one, cent), (two, other_cent) = rng.sample(SHARES, 2)
    whole, group = rng.choice(WHOLES), rng.choice(GROUPS)
    a, b = (one, cent) if rng.random() < 0.5 else (cent, one)
    forms = [
        f"{{}} of {whole} goes to {group}.",
        f"{group} receive {{}} of {whole}.",
        f"{{}} of {whole} is set aside for {group}.",
    ]
    return (
        _first(rng.choice(forms).format(a)),
        [f.format(b) for f in forms],
        [f.format(c) for f in forms for c in (two, other_cent)],
    )


def _within(rng: Random) -> Said:
    word, number = rng.choice(NUMBERS)
    (deed, _, thing, done), event, unit = (
        rng.choice(DEEDS),
        rng.choice(EVENTS),
        rng.choice(["days", "weeks", "months", "hours"]),
    )
    who = rng.choice(ONE)
    said = [
        f"The {who} must {deed} within {word} {unit} of {event}.",
        f"{_first(thing)} must be {done} no later than {number} {unit} after {event}.",
        f"After {event} the {who} has {word} {unit} to {deed}.",
    ]
    same = [
        f"{thing} must be {done} at the latest {number} {unit} after {event}.",
        f"the {who} has at most {word} {unit} from {event} to {deed}.",
        f"the time to {deed} ends {number} {unit} after {event}.",
    ]
    other = [
        f"the {who} must wait at least {word} {unit} after {event} to {deed}.",
        f"{thing} must be {done} no sooner than {number} {unit} after {event}.",
        f"{thing} must be {done} within {word} {unit} before {event}.",
        f"{thing} may be {done} only when {word} {unit} have passed since {event}.",
    ]
    return rng.choice(said), same, other


def _measures(rng: Random) -> Said:
    (more, less, unit), goods, (word, number) = rng.choice(MEASURES), rng.choice(GOODS), rng.choice(NUMBERS)
    fate = rng.choice(["are withdrawn", "need a permit", "pay double", "are checked each month", "must be marked"])
    forms = [f"{goods} {{}} than {word} {unit} {fate}.", f"where {goods} are {{}} than {number} {unit}, they {fate}."]
    also = (
        f"{goods} of more than {number} {unit} {fate}."
        if more in ("longer", "heavier", "older")
        else forms[1].format(more)
    )
    return (
        _first(rng.choice(forms).format(more)),
        [*(f.format(more) for f in forms), also],
        [f.format(less) for f in forms],
    )


def _opposites(rng: Random) -> Said:
    (a, b), thing, when = (
        rng.choice(OPPOSITES),
        rng.choice(KEPT),
        rng.choice(["at weekends", "in term time", "after six o'clock", "during repairs", "in winter"]),
    )
    if rng.random() < 0.5:
        a, b = b, a
    return (
        _first(f"{thing} stays {a} {when}."),
        [f"{when} {thing} is {a}.", f"{when}, {thing} is not {b}.", f"{thing} is kept {a} {when}."],
        [f"{thing} stays {b} {when}.", f"{when} {thing} is {b}.", f"{thing} is not {a} {when}."],
    )


def _turns(rng: Random) -> Said:
    one, two, what = rng.choice(TURNS)
    if rng.random() < 0.5:
        one, two = two, one
    thing = rng.choice(["the new order", "the amendment", "the draft", "the circular", "the reform"])
    return (
        _first(f"{thing} {one} {what}."),
        [f"{thing} {SAME_TURN[one]} {what}.", f"{what} is what {thing} {one}."],
        [f"{thing} {two} {what}.", f"{thing} {SAME_TURN[two]} {what}."],
    )


def _proposed(rng: Random) -> Said:
    (verb, past, noun), what, body = rng.choice(DONE), rng.choice(DONE_TO), rng.choice(BODIES)
    said = [
        f"{body} proposed {noun} {what}.",
        f"{body} plans to {verb} {what}.",
        f"{body} is considering {noun} {what}.",
        f"{body} was asked to {verb} {what}.",
    ]
    chosen = rng.choice(said)
    same = {
        0: [f"{noun} {what} was proposed by {body[0].lower()}{body[1:]}.", f"{body} has suggested {noun} {what}."],
        1: [f"{body} intends to {verb} {what}."],
        2: [f"{body} is thinking about {noun} {what}."],
        3: [f"there was a request that {body[0].lower()}{body[1:]} {verb} {what}."],
    }
    return (
        chosen,
        same[said.index(chosen)],
        [
            f"{body} {past} {what}.",
            f"{body} has {past} {what}.",
            f"{body} refused to {verb} {what}.",
            f"{what} were {past} by {body[0].lower()}{body[1:]}.",
        ],
    )


def _advised(rng: Random) -> Said:
    deed, group = rng.choice(DEEDS)[0], rng.choice(GROUPS)
    soft, hard = SOFT, HARD
    if rng.random() < 0.5:
        soft, hard = hard, soft
    chosen = rng.choice(soft)
    return (
        _first(f"{group} {chosen} {deed}."),
        [f"{group} {other} {deed}." for other in soft if other != chosen],
        [f"{group} {other} {deed}." for other in hard],
    )


def _some(rng: Random) -> Said:
    group, deed = rng.choice(GROUPS), rng.choice(DEEDS)[0]
    few = rng.choice(["Many", "Some", "Several", "Most", "A few"])
    return (
        f"{few} {group} do not {deed}.",
        [f"not all {group} {deed}.", f"there are {group} who do not {deed}."],
        [f"no {group} {deed}.", f"none of the {group} {deed}.", f"all {group} {deed}.", f"{group} never {deed}."],
    )


def _even_if(rng: Random) -> Said:
    (deed, doing, thing, done), (state, noun) = rng.choice(DEEDS), rng.choice(STATES)
    who = rng.choice(ONE)
    said = [
        f"A {who} may {deed} if {state}.",
        f"Where {state}, the {who} may {deed}.",
        f"In case of {noun}, the {who} may {deed}.",
    ]
    same = [
        f"{noun} gives a {who} a ground for {doing}.",
        f"{thing} may be {done} by the {who} where {state}.",
        f"when {state}, {doing} is open to the {who}.",
    ]
    other = [
        f"a {who} may {deed} for any reason.",
        f"a {who} may {deed} whether or not {state}.",
        f"the {who} may {deed} even if it is not so that {state}.",
        f"the {who} must not {deed} if {state}.",
        f"the {who} may {deed} unless {state}.",
    ]
    return rng.choice(said), same, other


def _up_to(rng: Random) -> Said:
    sums = [f"Rs. {n}" for n in ("2 lakh", "4 lakh", "900", "18,000", "7,500", "60,000")]
    limit, thing = rng.choice(sums), rng.choice(["income", "a gift", "a bill", "a loan", "a claim", "a purchase"])
    fate = rng.choice(
        ["is free of duty", "needs no voucher", "is settled by the clerk", "is not reported", "is exempt"]
    )
    low = [
        f"{thing} up to {limit} {fate}.",
        f"{thing} of not more than {limit} {fate}.",
        f"where it does not exceed {limit}, {thing} {fate}.",
    ]
    high = [
        f"{thing} above {limit} {fate}.",
        f"{thing} of more than {limit} {fate}.",
        f"where it exceeds {limit}, {thing} {fate}.",
    ]
    if rng.random() < 0.4:
        low, high = high, low
    return _first(rng.choice(low)), low, high


def _only_those(rng: Random) -> Said:
    """What is said of some is not said of all."""
    groups = ["workshops", "hostels", "dairies", "ferries", "clinics", "mines", "printers", "kennels", "bakeries"]
    mark = rng.choice(
        [
            "that employ minors",
            "near a school",
            "registered abroad",
            "with more than fifty staff",
            "built before 1970",
            "open at night",
            "that store fuel",
        ]
    )
    who, deed = rng.choice(groups), rng.choice(DEEDS)[0]
    said = f"{_first(who)} {mark} must {deed}."
    return (
        said,
        [f"{who} {mark} have to {deed}.", f"to {deed} is a duty of {who} {mark}."],
        [
            f"all {who} must {deed}.",
            f"{who} must {deed}, wherever and whatever they are.",
            f"any of the {who} must {deed}.",
            f"{who} not {mark} must {deed}.".replace("not that", "that do not").replace("not with", "without"),
        ],
    )
