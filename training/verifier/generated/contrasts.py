"""Passages of our own that state two or three like facts side by side, with claims that keep them apart or cross them."""

from collections.abc import Iterator
from random import Random

from training.verifier.generated.sentence_grammar import FIRMS, NAMES

Row = tuple[str, str, int, str]
FIRST = [
    name.split()[0] for name in NAMES
] + "Devika Harish Lalit Mohan Esther Clara Bruno Ivan Yusuf Tara Kiran Noor Pavel Greta Hugo Salma".split()
SURNAMES = [f"{title} {name.split()[1]}" for name in NAMES for title in ("Mr.", "Ms.", "Dr.")]
YEARS = [str(year) for year in range(1894, 2025)]
MONTHS = "January February March April May June July August September October November December".split()
COUNTS = "two three four five six seven eight nine ten twelve fifteen twenty".split()
SUMS = [
    f"Rs. {n}" for n in ("150", "300", "750", "1,200", "1,500", "2,400", "5,500", "6,000", "12,000", "40,000", "75,000")
]
OFFICES = [
    f"the {kind} {place}"
    for kind in "Revenue Treasury Records Archives Forest Excise Transport Customs Fisheries Planning Estates Licensing Stores Audit".split()
    for place in ("Wing", "Cell", "Branch", "Section Office", "Desk", "Directorate")
]
COURTS = [
    f"the {kind} {of}"
    for kind in "Small Claims|Family|Tax|Mining|Patents|Maritime|Pensions|Cooperative".split("|")
    for of in ("Court", "Tribunal", "Panel")
]
PAPERS = (
    "the stamp register|the crop survey|the birth entries|the seized goods|the tender files|the wage rolls|the route permits|the lease deeds|the accident log|the vaccine stock|"
    "the visitor list|the key ledger|the cash book|the plans of the drains|the tree census"
).split("|")
COMMITTEES = [
    f"the {kind} {of}"
    for kind in "drainage library housing sports safety budget heritage canteen admissions grievance".split()
    for of in ("committee", "board", "sub-committee")
]
GROUPS = (
    "day scholars|boarders|first-year students|final-year students|apprentices|trainees|part-time staff|contract workers|pensioners|widows|ex-servicemen|foreign residents|"
    "sole traders|partnerships|listed companies|charities|co-operatives|small dealers|wholesale dealers|night-shift nurses|interns"
).split("|")
PLACES = "the planetarium|the salt works|the zoo|the observatory|the mint|the fort|the paper mill|the harbour|the botanical garden|the power station|the potteries".split(
    "|"
)
ANIMALS = "the sloth bear|the snow leopard|the marsh crocodile|the fruit bat|the river otter|the barn owl|the house gecko|the pond heron|the mugger|the honey badger|the nilgai|the gaur".split(
    "|"
)
TRAITS = "a forked tongue|webbed feet|a striped tail|a long bill|hollow bones|a pouch|a bony crest|silver fur|a white throat|rounded ears|a keeled shell|a black mask".split(
    "|"
)
ORGANS = "the upper chamber|the lower chamber|the front leg|the hind leg|the outer ring|the inner ring|the male flower|the female flower|the adult beetle|the larva|the old bridge|the new bridge".split(
    "|"
)
PARTS = "valves|joints|spots|stamens|segments|arches|bones|openings|rows of teeth|ridges".split("|")
CURES = "quinine|iodine|zinc|folic acid|insulin|fluoride|iron|calcium|thiamine|niacin|rest|boiled water|a mosquito net|a wet cloth".split(
    "|"
)
ILLS = "goitre|beriberi|pellagra|malaria|cholera|tooth decay|anaemia|neural tube defects|heat stroke|rickets|night blindness|diarrhoea|typhoid".split(
    "|"
)
WORKS = "the long jump|the debate|the chess final|the photography prize|the poetry medal|the hundred metres|the science fair|the singing contest|the high jump|the spelling bee".split(
    "|"
)
BOOKS = "The Salt Road|Nine Lamps|A Quiet Monsoon|The Tin Boat|Letters to a Mason|The Glass Orchard|Half a Map|The Ferryman's Daughter|Winter Wheat|Stone and Saffron".split(
    "|"
)
PURPOSES = "street lighting|dredging the canal|school meals|repairing wells|planting trees|flood relief|scholarships|snow clearing|bus passes|upkeep of the tombs|fire drills|pest control".split(
    "|"
)
FUNDS = [
    f"the {kind} {of}"
    for kind in "Harvest Monsoon Village Canal Heritage Orchard Bridge Sports Temple Border".split()
    for of in ("Fund", "Grant", "Levy")
]
OFFICERS = (
    "the registrar|the inspector|the surveyor|the collector|the warden|the controller|the assessor|the sheriff".split(
        "|"
    )
)
POWERS = [
    ("enter a workshop", "entering a workshop", "a workshop may be entered"),
    ("copy accounts", "copying accounts", "accounts may be copied"),
    ("seal a store", "sealing a store", "a store may be sealed"),
    ("stop a vehicle", "stopping a vehicle", "a vehicle may be stopped"),
    ("call for samples", "calling for samples", "samples may be called for"),
    ("cancel a permit", "cancelling a permit", "a permit may be cancelled"),
    ("extend the time for payment", "extending the time for payment", "the time for payment may be extended"),
    ("waive interest", "waiving interest", "interest may be waived"),
    ("question staff", "questioning staff", "staff may be questioned"),
    ("order a second survey", "ordering a second survey", "a second survey may be ordered"),
]
STEPS = "drafted signed debated amended passed notified published repealed suspended revised reprinted challenged upheld".split()
ACTS = "The charter|The bill|The ordinance|The scheme|The compact|The by-law|The order|The code of practice|The agreement|The concession".split(
    "|"
)
SITES = "The lighthouse|The dam|The reading room|The tramway|The observatory|The mill|The bridge|The hostel|The museum".split(
    "|"
)
BUILT = "designed|begun|completed|opened|closed|rebuilt|sold|restored|flooded".split("|")
LIQUIDS = "the first sample|the second sample|ether|acetone|the red liquid|the clear liquid|the alloy|pure tin|the oil|the brine".split(
    "|"
)

# A relation: whose the facts are, what they say, and sentences that state one; the first may be shortened next to another.
RELATIONS: list[tuple[list[str], list[str], list[str]]] = [
    (OFFICES, PAPERS, ["{s} keeps {o}", "{o} can be seen at {s}", "{s} has custody of {o}", "{o} lies with {s}", "one finds {o} at {s}", "custody of {o} is with {s}"]),
    (COURTS, [f"{a} cases" for a in "rent wage water tenancy copyright salvage boundary custody licence".split()], ["{s} hears {o}", "{o} go to {s}", "{o} are heard by {s}", "{o} are a matter for {s}"]),
    (SURNAMES, COMMITTEES, ["{s} chairs {o}", "{o} is chaired by {s}", "{o} has {s} in the chair", "{s} heads {o}", "the chair of {o} is {s}"]),
    (FIRST, WORKS, ["{s} won {o}", "{o} was won by {s}", "the winner of {o} was {s}", "{o} went to {s}", "{s} came first in {o}"]),
    (NAMES, BOOKS, ["{s} wrote {o}", "{o} was written by {s}", "{o} is the work of {s}", "the author of {o} is {s}"]),
    (FIRMS, [f"the {a} contract" for a in "paint cement catering laundry scaffolding printing glass uniform".split()], ["{s} got {o}", "{o} went to {s}", "{o} was awarded to {s}", "{s} was given {o}"]),
    (CURES, ILLS, ["{s} prevents {o}", "{o} is prevented by {s}", "{s} guards against {o}", "against {o}, {s} helps", "protection from {o} comes from {s}"]),
    (ANIMALS, TRAITS, ["{s} has {o}", "{o} is found in {s}", "{s} is known for {o}", "a mark of {s} is {o}"]),
    (FUNDS, PURPOSES, ["{s} pays for {o}", "{o} is paid for out of {s}", "{s} bears the cost of {o}", "money for {o} comes from {s}"]),
    (GROUPS, SUMS, ["{s} pay {o}", "{o} is charged to {s}", "the fee for {s} is {o}", "{s} are charged {o}", "for {s} it costs {o}"]),
    (GROUPS, [f"form {x}" for x in "A B C D E F G 2 3 4 7 9 11 12-A 14-B".split()], ["{s} file {o}", "{o} is filed by {s}", "{o} is for {s}", "the form for {s} is {o}".replace("form for", "paper for")]),
    (GROUPS, [f"{n} days" for n in COUNTS], ["{s} have {o} to reply", "{o} to reply are given to {s}", "the time for {s} to reply is {o}", "{s} must reply within {o}"]),
    (GROUPS, [f"on {d}" for d in "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()], ["{s} report {o}", "the day for {s} falls {o}", "it is {o} that {s} report"]),
    ([f"class {n}" for n in range(3, 13)], PLACES, ["{s} visits {o}", "{o} is visited by {s}", "{s} goes to {o}", "the trip of {s} is to {o}", "{o} is where {s} goes"]),
    ([f"route {n}" for n in range(2, 40)], [f"the {a} terminus" for a in "river market airport north hospital fort college".split()], ["{s} ends at {o}", "{o} is served by {s}", "to reach {o} one takes {s}", "{o} is the end of {s}"]),
    ([f"the {a} lamp" for a in "red green amber blue white violet".split()], ["a jam", "low oil", "an open door", "overheating", "a full tank", "a lost signal"], ["{s} means {o}", "{o} is shown by {s}", "{s} warns of {o}", "for {o} there is {s}"]),
    (LIQUIDS, [f"{n} degrees" for n in (34, 56, 61, 78, 97, 110, 140, 231)], ["{s} boils at {o}", "the boiling point of {s} is {o}", "{o} is where {s} boils", "at {o} {s} boils"]),
    (FIRST, [f"{x} years old" for x in range(7, 70)], ["{s} is {o}", "the age given for {s} is {o}"]),
    (FIRST, "the drums|chemistry|Tamil|carpentry|the flute|geography|first aid|French|book-keeping".split("|"), ["{s} teaches {o}", "{o} is taught by {s}", "the teacher of {o} is {s}", "lessons in {o} are given by {s}"]),
    (["the river Mahi", "the river Tons", "the old canal", "the Sona stream", "the eastern ditch", "the mill race"], ["the lake", "the sea at Karwa", "the marsh", "the reservoir", "the Betwa"], ["{s} flows into {o}", "{o} is fed by {s}", "{s} ends in {o}", "the water of {s} reaches {o}"]),
]  # fmt: skip
JOINS = [
    "{a} and {b}.",
    "{a}; {b}.",
    "{a}. {B}.",
    "{a}, while {b}.",
    "While {a}, {b}.",
    "{a}, whereas {b}.",
    "{a}, but {b}.",
    "{a}. By contrast, {b}.",
    "{a}, and {b}.",
]


def contrast_rows(count: int, rng: Random, filler: list[str]) -> Iterator[Row]:
    """(passage, claim, label, kind): as many claims that hold as claims that cross two facts of the passage."""
    makers = [(_listed, 12), (_powers, 4), (_dates, 4), (_amounts, 3), (_parts, 2), (_trips, 2), (_ends, 2)]
    made = 0
    while made < count:
        maker = rng.choices([m for m, _ in makers], [w for _, w in makers])[0]
        passage, claims, kind = maker(rng)
        if rng.random() < 0.3:
            around = rng.sample(filler, rng.randint(1, 3))
            around.insert(rng.randint(0, len(around)), passage)
            passage = " ".join(around)
        for claim, label in claims:
            yield passage, claim, label, kind
            made += 1


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def _listed(rng: Random) -> tuple[str, list[tuple[str, int]], str]:
    subjects, objects, forms = rng.choice(RELATIONS)
    size = 3 if rng.random() < 0.3 else 2
    who, what = rng.sample(subjects, size), rng.sample(objects, size)
    form = forms[0] if rng.random() < 0.6 else rng.choice(forms)
    facts = [form.format(s=s, o=o) for s, o in zip(who, what, strict=True)]
    if form == forms[0] and rng.random() < 0.3 and size == 2:
        verb = form.removeprefix("{s}").removesuffix("{o}").strip()
        passage = (
            f"{_capital(facts[0])}, {who[1]} {what[1]}." if verb != "is" else f"{_capital(facts[0])} and {facts[1]}."
        )
    elif size == 3:
        passage = rng.choice(["{}; {}; and {}.", "{}, {} and {}.", "{}. {}. {}."]).format(*facts)
        passage = ". ".join(_capital(part) for part in passage.split(". "))
    else:
        passage = _capital(rng.choice(JOINS).format(a=facts[0], b=facts[1], B=_capital(facts[1])))
    i, j = rng.sample(range(size), 2)
    said = [_capital(rng.choice(forms).format(s=who[i], o=o)) + "." for o in (what[i], what[j])]
    claims = [(said[0], 1), (said[1], 0)]
    if rng.random() < 0.25:
        one, two = rng.choice(forms), rng.choice(forms)
        right = f"{_capital(one.format(s=who[i], o=what[i]))} and {two.format(s=who[j], o=what[j])}."
        wrong = f"{_capital(one.format(s=who[i], o=what[j]))} and {two.format(s=who[j], o=what[i])}."
        claims += [(right, 1), (wrong, 0)]
    return passage, claims, "contrast_listed"


def _powers(rng: Random) -> tuple[str, list[tuple[str, int]], str]:
    """Two provisions, each with a power of its own."""
    word = rng.choice(["section", "article", "rule", "clause", "regulation", "paragraph"])
    first = rng.randint(2, 140)
    numbers = [str(first), str(first + rng.choice([1, 1, 2, 5]))]
    officer = rng.choice(OFFICERS)
    powers = rng.sample(POWERS, 2)
    opening = rng.choice(
        [
            "{W} {n} lets {o} {p}",
            "{W} {n} empowers {o} to {p}",
            "Under {w} {n} {o} may {p}",
            "{W} {n} deals with {g}",
            "By {w} {n} {q}",
        ]
    )
    facts = [
        opening.format(W=_capital(word), w=word, n=n, o=officer, p=p, g=g, q=q)
        for n, (p, g, q) in zip(numbers, powers, strict=True)
    ]
    if opening.startswith(("{W} {n} lets", "{W} {n} empowers")) and rng.random() < 0.4:
        verb = "lets him" if "lets" in opening else "empowers him to"
        facts[1] = f"{_capital(word)} {numbers[1]} {verb} {powers[1][0]}"
    low = facts[1][0].lower() + facts[1][1:]
    passage = rng.choice(
        [f"{facts[0]}; {low}.", f"{facts[0]} and {low}.", f"{facts[0]}. {facts[1]}.", f"{facts[0]}, while {low}."]
    )
    forms = [
        f"Under {word} {{n}} {officer} may {{p}}.",
        f"{_capital(word)} {{n}} allows {{g}}.",
        f"{_capital(word)} {{n}} is about {{g}}.",
        f"By {word} {{n}}, {{q}}.",
        f"The power for {{g}} is in {word} {{n}}.",
    ]
    i = rng.randint(0, 1)
    form = rng.choice(forms)
    claims = [(form.format(n=n, p=powers[i][0], g=powers[i][1], q=powers[i][2]), int(n == numbers[i])) for n in numbers]
    return passage, claims, "contrast_provisions"


def _dates(rng: Random) -> tuple[str, list[tuple[str, int]], str]:
    """One thing, two events, a time for each."""
    things, events = rng.choice([(ACTS, STEPS), (SITES, BUILT)])
    thing = rng.choice(things)
    one, two = rng.sample(events, 2)
    a, b = rng.sample(YEARS, 2) if rng.random() < 0.7 else rng.sample(MONTHS, 2)
    passage = rng.choice([
        f"{thing} was {one} in {a} and {two} in {b}.",
        f"{thing} was {one} in {a}. It was {two} in {b}.",
        f"{thing}, {one} in {a}, was {two} in {b}.",
        f"{thing} was {one} in {a} but only {two} in {b}.",
        f"In {a} {thing[0].lower()}{thing[1:]} was {one}; in {b} it was {two}.",
    ])  # fmt: skip
    event, right, wrong = rng.choice([(one, a, b), (two, b, a)])
    form = rng.choice(
        [
            f"{thing} was {event} in {{}}.",
            f"It was in {{}} that {thing[0].lower()}{thing[1:]} was {event}.",
            f"{{}} is when {thing[0].lower()}{thing[1:]} was {event}.",
        ]
    )
    return passage, [(form.format(right), 1), (form.format(wrong), 0)], "contrast_dates"


def _amounts(rng: Random) -> tuple[str, list[tuple[str, int]], str]:
    """A first and a second time, a high and a low season: an amount for each."""
    pairs = [("a first breach", "a second breach"), ("a late return", "a false return"), ("a single room", "a double room"), ("the day ticket", "the season ticket"),
             ("an adult", "a minor"), ("the summer term", "the winter term"), ("a new licence", "a renewal"), ("a lorry", "a handcart")]  # fmt: skip
    one, two = rng.choice(pairs)
    a, b = rng.sample(SUMS, 2)
    passage = _capital(
        rng.choice(
            [
                f"{one} costs {a} and {two} {b}.",
                f"{one} costs {a}, {two} {b}.",
                f"{a} is due for {one}; for {two} it is {b}.",
                f"for {one} the charge is {a}, for {two} {b}.",
            ]
        )
    )
    thing, right, wrong = rng.choice([(one, a, b), (two, b, a)])
    form = _capital(
        rng.choice(
            [
                f"{thing} costs {{}}.",
                f"for {thing}, {{}} has to be paid.",
                f"the charge for {thing} is {{}}.",
                f"one pays {{}} for {thing}.",
            ]
        )
    )
    return passage, [(form.format(right), 1), (form.format(wrong), 0)], "contrast_amounts"


def _parts(rng: Random) -> tuple[str, list[tuple[str, int]], str]:
    one, two = rng.sample(ORGANS, 2)
    a, b = rng.sample(COUNTS, 2)
    part = rng.choice(PARTS)
    passage = _capital(
        rng.choice(
            [
                f"{one} has {a} {part} and {two} has {b}.",
                f"{one} has {a} {part}, {two} {b}.",
                f"there are {a} {part} in {one} and {b} in {two}.",
                f"{one} has {a} {part}; {two} has {b} of them.",
            ]
        )
    )
    thing, right, wrong = rng.choice([(one, a, b), (two, b, a)])
    form = _capital(
        rng.choice(
            [
                f"{thing} has {{}} {part}.",
                f"there are {{}} {part} in {thing}.",
                f"the number of {part} in {thing} is {{}}.",
            ]
        )
    )
    return passage, [(form.format(right), 1), (form.format(wrong), 0)], "contrast_counts"


def _trips(rng: Random) -> tuple[str, list[tuple[str, int]], str]:
    """Three things said of each of two: any one of them may be crossed."""
    who = [f"group {n}" for n in rng.sample(range(1, 9), 2)] if rng.random() < 0.5 else rng.sample(GROUPS, 2)
    verb = "visits" if who[0].startswith("group") else "visit"
    where, when = rng.sample(PLACES, 2), rng.sample(MONTHS, 2)
    join = rng.choice(["; ", ". ", ", while ", " and "])
    second = f"{who[1]} {verb} {where[1]} in {when[1]}"
    passage = f"{_capital(who[0])} {verb} {where[0]} in {when[0]}{join}{_capital(second) if join == '. ' else second}."
    i = rng.randint(0, 1)
    form = rng.choice(
        ["{w} {v} {p} in {m}.", "In {m} {w} {v} {p}.", "The trip of {w} to {p} is in {m}.", "{w} {v} {p}."]
    )
    crossed = [{"p": where[1 - i]}] if "{m}" not in form else [{"p": where[1 - i]}, {"m": when[1 - i]}]
    own = {"w": who[i], "p": where[i], "m": when[i], "v": verb}
    return (
        passage,
        [(_capital(form.format(**own)), 1), (_capital(form.format(**own | rng.choice(crossed))), 0)],
        "contrast_trips",
    )


def _ends(rng: Random) -> tuple[str, list[tuple[str, int]], str]:
    """Which is most and which is least so."""
    one, two = rng.sample(
        rng.choice(
            [
                FIRST,
                FIRMS,
                ["Neera", "Palgarh", "Dunmore", "Ostrava Hill", "Kilburn", "Sirpur"],
                [n[4:] for n in ANIMALS],
            ]
        ),
        2,
    )
    most, least = rng.choice(
        [
            ("oldest", "youngest"),
            ("largest", "smallest"),
            ("nearest to the coast", "farthest from the coast"),
            ("quickest", "slowest"),
            ("heaviest", "lightest"),
            ("cheapest", "dearest"),
            ("earliest", "latest"),
        ]
    )
    if rng.random() < 0.5:
        most, least = least, most
    passage = rng.choice(
        [
            f"{_capital(one)} is the {most} and {two} is the {least}.",
            f"{_capital(one)} is the {most}, {two} the {least}.",
            f"Of those listed, {one} is the {most} and {two} the {least}.",
        ]
    )
    form = _capital(rng.choice([f"{one} is the {{}}.", f"the {{}} is {one}.", f"the {{}} of all is {one}."]))
    return passage, [(form.format(most), 1), (form.format(least), 0)], "contrast_ends"
