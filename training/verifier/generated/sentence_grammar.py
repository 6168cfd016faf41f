"""Sentences of our own about who does what to whom, each with true rewordings (active, passive, converse) and swapped roles."""

from collections.abc import Iterator
from random import Random

# Domain: pairs of parties who could each be on either side.
PARTIES = {
    "law": "employer/employee landlord/tenant buyer/seller complainant/accused plaintiff/defendant creditor/debtor lessor/lessee insurer/policyholder "
    "licensee/licensing_authority appellant/respondent trustee/beneficiary company/shareholder lender/borrower carrier/consignor principal/agent "
    "Registrar/applicant Tribunal/Board Central_Government/State_Government Commission/Authority Collector/Commissioner officer_in_charge/informant "
    "decree-holder/judgment-debtor mortgagor/mortgagee guardian/minor contractor/principal_employer manufacturer/dealer promoter/allottee auditor/director "
    "Speaker/Secretary person_deceived/person_who_deceives husband/wife witness/magistrate inspector/occupier bailor/bailee transferor/transferee "
    "donor/donee surety/principal_debtor petitioner/opposite_party returning_officer/candidate owner/operator tenant/local_authority",
    "health": "nurse/physician patient/doctor hospital/insurer pharmacist/patient clinic/laboratory controller/processor supervisor/trainee surgeon/anaesthetist "
    "caregiver/patient compliance_officer/line_manager sponsor/investigator ethics_committee/sponsor vendor/covered_entity business_associate/covered_entity "
    "data_controller/data_subject processor/supervisory_authority midwife/obstetrician employer/occupational_physician manager/auditor donor/recipient",
    "school": "teacher/student principal/teacher librarian/pupil monitor/class_teacher coach/captain head_teacher/parent examiner/candidate tutor/learner "
    "warden/resident school_board/principal king/minister merchant/farmer general/king landlord/peasant poet/patron scientist/assistant",
    "story": "boy/girl dog/cat fox/rabbit queen/knight mother/daughter driver/passenger shopkeeper/customer singer/producer mayor/governor captain/sailor",
}
NAMES = (
    "Asha Verma|Rahul Nair|Meera Joshi|Imran Khan|Priya Das|John Carter|Emily Stone|Maria Lopez|David Chen|Sunita Rao|Peter Novak|Fatima Ali|Arjun Mehta|Grace Kim|"
    "Leo Brandt|Nina Petrova|Omar Haddad|Kavita Iyer|Tom Becker|Lucy Gray|Samuel Okoro|Anna Weiss|Ravi Pillai|Helen Marsh|Diego Ruiz|Farah Siddiqui|Karl Jensen|Amina Yusuf"
).split("|")
FIRMS = "Orion Steel|Bluewater Foods|Nimbus Airlines|Kaveri Textiles|Delta Motors|Sunrise Bank|Zenith Pharma|Harbour Media|Lotus Energy|Northgate Retail|Ganga Cement|Apex Insurance|Vertex Software|Coral Shipping".split(
    "|"
)
THINGS = {
    "law": "the notice|a written statement|the security deposit|the compensation|a copy of the order|the licence fee|the outstanding rent|the title deeds|an annual return|the arrears of wages|a certificate|the record of proceedings|the goods|the advance|a receipt",
    "health": "the test results|the discharge summary|the incident report|a copy of the record|the consent form|the medicines|the audit findings|the breach notice|the referral letter|the blood samples|the invoice|the training records",
    "school": "the answer sheets|the report card|the library books|the project file|the marks list|the fee receipt|a letter of praise|the map|the lab notebook|the prize|the grain|the tax",
    "story": "a red apple|the old key|the letter|a gold coin|the map|a loaf of bread|the lantern|the blue umbrella|a birthday card|the ticket",
}
GIVE = [
    ("give", "gives", "gave", "given"),
    ("send", "sends", "sent", "sent"),
    ("return", "returns", "returned", "returned"),
    ("hand over", "hands over", "handed over", "handed over"),
    ("supply", "supplies", "supplied", "supplied"),
    ("deliver", "delivers", "delivered", "delivered"),
    ("submit", "submits", "submitted", "submitted"),
    ("pay", "pays", "paid", "paid"),
    ("forward", "forwards", "forwarded", "forwarded"),
    ("transfer", "transfers", "transferred", "transferred"),
    ("lend", "lends", "lent", "lent"),
    ("show", "shows", "showed", "shown"),
    ("sell", "sells", "sold", "sold"),
]
ACT = {
    "law": "sue/sues/sued/sued notify/notifies/notified/notified indemnify/indemnifies/indemnified/indemnified compensate/compensates/compensated/compensated appoint/appoints/appointed/appointed "
    "remove/removes/removed/removed summon/summons/summoned/summoned examine/examines/examined/examined represent/represents/represented/represented reimburse/reimburses/reimbursed/reimbursed "
    "consult/consults/consulted/consulted inform/informs/informed/informed direct/directs/directed/directed supervise/supervises/supervised/supervised evict/evicts/evicted/evicted "
    "penalise/penalises/penalised/penalised authorise/authorises/authorised/authorised warn/warns/warned/warned release/releases/released/released discharge/discharges/discharged/discharged",
    "health": "notify/notifies/notified/notified examine/examines/examined/examined treat/treats/treated/treated inform/informs/informed/informed audit/audits/audited/audited instruct/instructs/instructed/instructed "
    "monitor/monitors/monitored/monitored train/trains/trained/trained alert/alerts/alerted/alerted refer/refers/referred/referred reimburse/reimburses/reimbursed/reimbursed consult/consults/consulted/consulted",
    "school": "teach/teaches/taught/taught help/helps/helped/helped praise/praises/praised/praised guide/guides/guided/guided question/questions/questioned/questioned assess/assesses/assessed/assessed "
    "invite/invites/invited/invited advise/advises/advised/advised punish/punishes/punished/punished thank/thanks/thanked/thanked replace/replaces/replaced/replaced",
    "story": "chase/chases/chased/chased follow/follows/followed/followed save/saves/saved/saved call/calls/called/called find/finds/found/found trick/tricks/tricked/tricked visit/visits/visited/visited "
    "forgive/forgives/forgave/forgiven thank/thanks/thanked/thanked carry/carries/carried/carried scare/scares/scared/scared",
}
FIRM_ACT = "acquire/acquires/acquired/acquired sue/sues/sued/sued supply/supplies/supplied/supplied outbid/outbids/outbid/outbid overtake/overtakes/overtook/overtaken finance/finances/financed/financed audit/audits/audited/audited".split()
CONVERSE = {
    "give": "receive",
    "send": "receive",
    "supply": "obtain",
    "deliver": "receive",
    "pay": "receive",
    "lend": "borrow",
    "sell": "buy",
    "submit": "receive",
    "transfer": "receive",
    "forward": "receive",
    "hand over": "receive",
}
RECEIVE = {
    "receive": ("receives", "received"),
    "obtain": ("obtains", "obtained"),
    "borrow": ("borrows", "borrowed"),
    "buy": ("buys", "bought"),
}
ADJUNCTS = {
    "law": "within thirty days|within 14 days of the order|before the hearing|in the prescribed form|after the period expires|at the end of the term|on demand||||",
    "health": "within 72 hours|before discharge|without undue delay|after each visit|at least once a year|when the shift ends||||",
    "school": "at the end of the term|before the examination|after the lesson|every Friday|on the annual day||||",
    "story": "in the morning|after the storm|near the river|before sunset|at the market||||",
}
SCIENCE = [
    (
        "{A} eat {B}",
        ["{B} are eaten by {A}", "{A} feed on {B}", "{B} are food for {A}", "{A} prey on {B}"],
        "owls/mice foxes/rabbits frogs/insects snakes/frogs spiders/flies eagles/snakes lions/zebras seals/fish otters/sea_urchins ladybirds/aphids",
    ),
    (
        "{A} causes {B}",
        [
            "{B} is caused by {A}",
            "{A} leads to {B}",
            "{B} results from {A}",
            "{B} happens because of {A}",
            "{A} is the cause of {B}",
        ],
        "deforestation/soil_erosion smoking/lung_damage friction/heat vitamin_deficiency/weakness heavy_rain/flooding overgrazing/desertification dehydration/fatigue iron_deficiency/anaemia global_warming/sea-level_rise inflammation/pain noise/stress insomnia/irritability poverty/malnutrition",
    ),
    (
        "{A} is part of {B}",
        ["{B} includes {A}", "{A} belongs to {B}", "{B} has {A} as one of its parts", "{A} is a component of {B}"],
        "the_retina/the_eye the_nucleus/the_cell the_ventricle/the_heart the_stamen/the_flower the_alveolus/the_lung the_nephron/the_kidney the_cochlea/the_ear the_piston/the_engine the_solar_system/the_Milky_Way the_chapter/the_book the_district/the_state",
    ),
    (
        "{A} produce {B}",
        ["{B} are produced by {A}", "{B} come from {A}", "{A} make {B}", "{A} are the source of {B}"],
        "plants/seeds glands/hormones bees/wax_cells volcanoes/ash_clouds ovaries/eggs stars/photons",
    ),
    (
        "{A} is larger than {B}",
        ["{B} is smaller than {A}", "{A} is the bigger of the two, ahead of {B}", "{A} exceeds {B} in size"],
        "Jupiter/Saturn Earth/Mars the_Pacific/the_Atlantic the_liver/the_spleen Asia/Africa the_atom/its_nucleus Russia/Canada",
    ),
    (
        "{A} orbits {B}",
        ["{B} is orbited by {A}", "{A} revolves around {B}", "{A} moves in an orbit around {B}"],
        "the_Moon/the_Earth Titan/Saturn Earth/the_Sun Europa/Jupiter Phobos/Mars the_satellite/the_planet",
    ),
    (
        "{A} is converted into {B}",
        ["{B} is formed from {A}", "{A} changes into {B}", "{A} turns into {B}", "{A} becomes {B}"],
        "starch/sugar glucose/glycogen chemical_energy/electrical_energy water_vapour/liquid_water light_energy/chemical_energy nitrogen/ammonia kinetic_energy/heat milk/curd",
    ),
    (
        "{A} comes before {B}",
        ["{B} comes after {A}", "{A} precedes {B}", "{B} follows {A}"],
        "mitosis/cytokinesis the_larva/the_pupa the_Bronze_Age/the_Iron_Age evaporation/condensation the_first_reading/the_second_reading screening/diagnosis consent/treatment investigation/trial",
    ),
    (
        "{A} depends on {B}",
        ["{B} determines {A}", "{A} is dependent on {B}", "{A} is governed by {B}"],
        "the_boiling_point/the_pressure the_rate_of_reaction/the_temperature the_penalty/the_value_of_the_goods the_dose/body_weight demand/price the_yield/rainfall pitch/frequency",
    ),
    (
        "{A} carries blood to {B}",
        ["blood is carried to {B} by {A}", "{B} receives blood from {A}", "blood flows from {A} to {B}"],
        "the_renal_artery/the_kidney the_pulmonary_vein/the_left_atrium the_vena_cava/the_right_atrium the_coronary_artery/the_heart_muscle the_hepatic_portal_vein/the_liver",
    ),
    (
        "an increase in {A} raises {B}",
        ["{B} rises when {A} increases", "when {A} goes up, {B} goes up", "{B} is raised by an increase in {A}"],
        "temperature/the_reaction_rate supply/stocks income/spending salt_intake/blood_pressure light/the_rate_of_photosynthesis training/accuracy demand/prices",
    ),
    (
        "{A} defeated {B}",
        ["{B} was defeated by {A}", "{B} lost to {A}", "{A} won against {B}", "the victory went to {A} over {B}"],
        "the_Marathas/the_Mughals Rome/Carthage Athens/Sparta the_red_team/the_blue_team Babur/Ibrahim_Lodi Kerala/Goa the_challenger/the_champion",
    ),
]
Row = tuple[str, str, int, str]


def _cap(text: str) -> str:
    return text[0].upper() + text[1:]


def _the(name: str) -> str:
    return name if (name[0].isupper() and name in NAMES) or name in FIRMS else f"the {name}"


def _modal(modal: str, rng: Random) -> str:
    return rng.choice(
        {
            "shall": ["must", "shall", "is required to", "has to"],
            "may": ["may", "can", "is permitted to", "is allowed to"],
            "must": ["must", "shall", "is obliged to"],
            "may not": ["may not", "must not", "is not permitted to"],
        }[modal]
    )


def _tail(adjunct: str) -> str:
    return f" {adjunct}." if adjunct else "."


def _say(verb: tuple[str, ...], modal: str, rng: Random) -> str:
    """A finite verb phrase: with a modal, or past when there is none."""
    return f"{_modal(modal, rng)} {verb[0]}" if modal else verb[2]


def _be(modal: str, plural: bool) -> str:
    if not modal:
        return "were" if plural else "was"
    return f"{'must' if modal in ('shall', 'must') else 'may' if modal == 'may' else 'must not'} be"


def act_forms(a: str, b: str, verb: tuple[str, ...], modal: str, adjunct: str, rng: Random) -> list[str]:
    """Ways to say that a does something to b."""
    forms = [
        f"{_the(a)} {_say(verb, modal, rng)} {_the(b)}{_tail(adjunct)}",
        f"{_the(b)} {_be(modal, False)} {verb[3]} by {_the(a)}{_tail(adjunct)}",
        f"it is {_the(a)} who {_say(verb, modal, rng)} {_the(b)}{_tail(adjunct)}"
        if modal
        else f"it was {_the(a)} who {verb[2]} {_the(b)}{_tail(adjunct)}",
    ]
    if adjunct:
        forms.append(f"{adjunct}, {_the(a)} {_say(verb, modal, rng)} {_the(b)}.")
        forms.append(f"{adjunct}, {_the(b)} {_be(modal, False)} {verb[3]} by {_the(a)}.")
    return [_cap(f) for f in forms]


def give_forms(a: str, b: str, thing: str, verb: tuple[str, ...], modal: str, adjunct: str, rng: Random) -> list[str]:
    """Ways to say that a gives a thing to b."""
    split = verb[0].split()
    plural = thing.endswith("s") and not thing.endswith("ss")
    forms = [
        f"{_the(a)} {_say(verb, modal, rng)} {thing} to {_the(b)}{_tail(adjunct)}",
        f"{thing} {_be(modal, plural)} {verb[3]} to {_the(b)} by {_the(a)}{_tail(adjunct)}",
        f"{thing} {_be(modal, plural)} {verb[3]} by {_the(a)} to {_the(b)}{_tail(adjunct)}",
    ]
    if len(split) == 1 and verb[0] in ("give", "send", "pay", "lend", "show", "sell"):
        forms.append(f"{_the(a)} {_say(verb, modal, rng)} {_the(b)} {thing}{_tail(adjunct)}")
    if not modal and verb[0] in CONVERSE:
        forms.append(f"{_the(b)} {RECEIVE[CONVERSE[verb[0]]][1]} {thing} from {_the(a)}{_tail(adjunct)}")
    if adjunct:
        forms.append(f"{adjunct}, {_the(a)} {_say(verb, modal, rng)} {thing} to {_the(b)}.")
    return [_cap(f) for f in forms]


def to_forms(a: str, b: str, modal: str, adjunct: str, which: int, rng: Random) -> list[str]:
    """Ways to say that a appeals, applies, reports, complains or answers to b."""
    verb, past, noun = [
        ("appeal", "appealed", "an appeal"),
        ("apply", "applied", "an application"),
        ("report", "reported", "a report"),
        ("complain", "complained", "a complaint"),
    ][which]
    forms = [f"{_the(a)} {_say((verb, '', past), modal, rng)} to {_the(b)}{_tail(adjunct)}"]
    if modal == "may":
        forms += [
            f"{noun} by {_the(a)} may be made to {_the(b)}{_tail(adjunct)}",
            f"{noun} to {_the(b)} may be made by {_the(a)}{_tail(adjunct)}",
            f"{_the(a)} may make {noun} to {_the(b)}{_tail(adjunct)}",
        ]
    elif modal:
        forms += [
            f"{_the(a)} must make {noun} to {_the(b)}{_tail(adjunct)}",
            f"{noun} must be made to {_the(b)} by {_the(a)}{_tail(adjunct)}",
        ]
    else:
        forms += [
            f"{_the(a)} made {noun} to {_the(b)}{_tail(adjunct)}",
            f"{_the(b)} received {noun} from {_the(a)}{_tail(adjunct)}",
        ]
    return [_cap(f) for f in forms]


WRONGS = [
    tuple(w.split("/"))
    for w in (
        "deceives/deceived assaults/assaulted cheats/cheated threatens/threatened defames/defamed injures/injured exploits/exploited blackmails/blackmailed abandons/abandoned "
        "impersonates/impersonated misleads/misled harasses/harassed robs/robbed obstructs/obstructed intimidates/intimidated insults/insulted detains/detained overcharges/overcharged "
        "evicts/evicted abducts/abducted stalks/stalked coerces/coerced slanders/slandered bribes/bribed poisons/poisoned abets/abetted"
    ).split()
]
ANYONE = [
    "person",
    "child",
    "woman",
    "public servant",
    "worker",
    "passenger",
    "patient",
    "student",
    "consumer",
    "witness",
]
SANCTIONS = [
    "a fine of five thousand rupees",
    "imprisonment for up to two years",
    "a fine",
    "a fine which may extend to Rs. 10,000",
    "suspension for six months",
    "imprisonment for one year",
    "imprisonment for a term which may extend to seven years",
    "a penalty of one lakh rupees",
    "dismissal",
    "both imprisonment and a fine",
]


def liable_forms(a: str, b: str, rng: Random, amount: str) -> tuple[list[str], list[str]]:
    """Ways to say that a, who wrongs b, is punished; and ways that have b punished, or have a wronged."""
    does, done = rng.choice(WRONGS)
    one, two = _article(a), _article(b)
    if a == b:
        two = f"another {b}"
    true = [
        f"{rng.choice(['any', 'a', 'every'])} {a} who {does} {two} shall be punished with {amount}",
        f"if {one} {does} {two}, the {a} who does so is punishable with {amount}",
        f"{one} is liable to {amount} for an act by which {two} is {done}",
        f"where {two} is {done} by {one}, the {a} responsible is to be punished with {amount}",
        f"{amount} is the punishment for {one} who {does} {two}",
        f"{one} faces {amount} if {two} is {done} by that {a}",
    ]
    false = [
        f"if {one} {does} {two}, the {b} who suffers it is punishable with {amount}",
        f"where {two} is {done} by {one}, the {b} so {done} is to be punished with {amount}",
        f"the {b} {done} shall be punished with {amount}",
        f"{rng.choice(['any', 'a', 'every'])} {b} who is {done} by {one} shall be punished with {amount}",
        f"{amount} is the punishment for {_article(b)} who is {done} by {one}",
        f"{_article(b)} faces {amount} if {done} by {one}",
    ]
    if a == b == "person":
        true += [
            f"whoever {does} any {b} shall be punished with {amount}",
            f"anyone who {does} {_article(b)} is punishable with {amount}",
        ]
        false += [
            f"a person who is {done} is punishable with {amount}",
            f"anyone who is {done} shall be punished with {amount}",
        ]
    elif a != b:
        false += [
            f"{rng.choice(['any', 'a', 'every'])} {b} who {does} {one} shall be punished with {amount}",
            f"where {one} is {done} by {two}, the {b} responsible is to be punished with {amount}",
        ]
    return [_cap(f) + "." for f in true], [_cap(f) + "." for f in false]


def _article(noun: str) -> str:
    return ("an " if noun[0].lower() in "aeiou" else "a ") + noun


def _parties(domain: str, rng: Random) -> tuple[str, str]:
    if domain == "story" and rng.random() < 0.6:
        a, b = rng.sample(NAMES, 2)
        return a, b
    if domain == "law" and rng.random() < 0.12:
        a, b = rng.sample(FIRMS, 2)
        return a, b
    a, b = rng.choice(PARTIES[domain].split()).replace("_", " ").split("/")
    return (a, b) if rng.random() < 0.5 else (b, a)


def _scene(domain: str, rng: Random) -> tuple[list[str], list[str], str]:
    """True forms, swapped forms and the kind, of one made-up event or rule."""
    a, b = _parties(domain, rng)
    adjunct = rng.choice(ADJUNCTS[domain].split("|"))
    modal = (
        rng.choice(["shall", "may", "must", "may not"])
        if domain in ("law", "health")
        else rng.choice(["", "", "must", "may"])
    )
    roll = rng.random()
    if roll < 0.4:
        verbs = FIRM_ACT if a in FIRMS else ACT[domain].split()
        verb = tuple(rng.choice(verbs).split("/"))
        return act_forms(a, b, verb, modal, adjunct, rng), act_forms(b, a, verb, modal, adjunct, rng), "role_act"
    if roll < 0.72:
        verb = rng.choice(GIVE)
        thing = rng.choice(THINGS[domain].split("|"))
        return (
            give_forms(a, b, thing, verb, modal, adjunct, rng),
            give_forms(b, a, thing, verb, modal, adjunct, rng),
            "role_give",
        )
    if roll < 0.86 or domain in ("school", "story"):
        which = rng.randrange(4)
        if domain == "story":
            which = rng.choice([2, 3])
        modal = "may" if modal == "may not" else modal
        return to_forms(a, b, modal, adjunct, which, rng), to_forms(b, a, modal, adjunct, which, rng), "role_to"
    if a in FIRMS or a[0].isupper() or b[0].isupper():
        return _scene(domain, rng)
    amount = rng.choice(SANCTIONS)
    if rng.random() < 0.4:
        a = b = rng.choice(ANYONE)
    return *liable_forms(a, b, rng, amount), "role_liable"


def _science(rng: Random) -> tuple[list[str], list[str], str]:
    plain, others, pairs = rng.choice(SCIENCE)
    a, b = rng.choice(pairs.split()).replace("_", " ").split("/")
    if rng.random() < 0.25:
        a, b = b, a

    def fill(form: str, x: str, y: str) -> str:
        return _cap(form.replace("{A}", x).replace("{B}", y)) + "."

    forms = [plain, *others]
    return [fill(f, a, b) for f in forms], [fill(f, b, a) for f in forms], "role_science"


def role_rows(count: int, rng: Random, filler: list[str]) -> Iterator[Row]:
    """(premise, claim, label, kind): a scene in one form, claimed in another form, right or with its roles swapped."""
    made = 0
    while made < count:
        domain = rng.choices(["law", "health", "school", "story", "science"], [5, 3, 2, 2, 3])[0]
        scenes = [
            _science(rng) if domain == "science" else _scene(domain, rng) for _ in range(rng.choice([1, 1, 2, 3]))
        ]
        true, false, kind = scenes[0]
        said = rng.choice(true)
        sentences = [said] + [rng.choice(t) for t, _, _ in scenes[1:] if not set(t) & set(false)]
        if rng.random() < 0.3:
            sentences.append(rng.choice(filler))
        rng.shuffle(sentences)
        premise = " ".join(sentences)
        good = [f for f in true if f != said] or true
        bad = [f for f in false if f not in sentences]
        yield premise, rng.choice(good), 1, kind
        yield premise, rng.choice(bad), 0, kind
        made += 2
        if rng.random() < 0.3:
            yield premise, rng.choice(bad), 0, kind
            made += 1
