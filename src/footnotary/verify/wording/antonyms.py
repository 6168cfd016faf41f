"""Which words mean the opposite, deny another, or are its rivals in law, health and school prose.

The tables are closed, and written as `lexicon` writes its own.
"""

from functools import lru_cache

from footnotary.verify.wording.synonyms import concept

# A word that carries its own "not", and the word it negates.
_UN = """
void valid / invalid valid / invalidity validity / unlawful lawful / illegal legal / illegality legality
dishonest honest / dishonesty honesty / incompetent competent / impossible possible / unable able
inability ability / ineligible eligible / improper proper / incomplete complete / incorrect correct
inaccurate accurate / immature mature / insufficient sufficient / inadmissible admissible
involuntary voluntary / irregular regular / irrelevant relevant / irrevocable revocable / immaterial material
immovable movable / inapplicable applicable / impermissible permissible / infrequent frequent / insane sane
inactive active / insecure secure / inequality equality / invisible visible / unequal equal
independent dependent / impartial partial / impartiality partiality / exclude include / innocent guilty
innocence guilt / exclusion inclusion / disapprove approve / disapproval approval / disagree agree
illegitimate legitimate / dissatisfy satisfy / disqualify qualify / disallow allow / disobey obey
dissimilar similar / dislike like / disloyal loyal / absent present / absence presence / optional mandatory
imperfect perfect / insolvent solvent / informal formal / indirect direct / intolerable tolerable
nonrefundable refundable / noncompliance compliance / inoperative operative / ineffective effective
inconsistent consistent / incapable capable / indivisible divisible / infinite finite / inelastic elastic
"""
# "un-" makes most others; these begin with the letters and carry no "not".
_NO_UN = frozenset(
    "under union unit unite united unity university uniform unique unison universe universal unless until"
    " unto unveil unveiled unfold unleash unearth uncover understand understood undertake undertaken"
    " undertaking undergo undergoes undergone underlying uncle".split()
)

# Opposites: either word for the other changes what is said.
_OPPOSITE = """
increase decrease / first last / simple rigorous / convict acquit / conviction acquittal / grant refuse
accept refuse / positive negative / rapid slow / large small / expand contract / rich poor
clean dirty / separate shared / separate joint / jointly separately / public private / civil criminal / good bad
best worst / early late / earlier later / earliest latest / hot cold / sealed open / urban agricultural
urban rural / even odd / left right / north south / east west / upper lower / top bottom / internal external
arithmetic geometric / sum product / difference product / multiply divide / add subtract / numerator denominator
freeze boil / freeze melt / absorb release / acid base / conduct insulator / former future / same different
disclose hide / erase keep / win lose / gain lose / profit lose / gain loss / benefit detriment
advantage disadvantage / strong weak / strict lenient / high low / highest lowest / day night / summer winter
oral write / temporary permanent / perishable durable / primary secondary / renew cancel / begin end
enter leave / arrive depart / import export / appoint dismiss / appoint remove / ascend descend
domestic foreign / male female / men women / husband wife / son daughter / father mother / birth die
know accidental / knowingly accidentally / intend accidental / intend negligent / express implied
attack defend / attack defence / easy hard / easy difficult / easier harder / succeed fail / pass fail
asset liability / prior subsequent / precede follow / previous next / heavier lighter / longer shorter
long short / higher lower / large lesser / majority minority / full partial / promote demote / reward punish
admit expel / admit deny / create destroy / encrypt decrypt / consent object / support oppose / true false
present absent / adult minor / adult child / adult infant / wide narrow / deep shallow / light dark
clockwise anticlockwise / concave convex / diverge converge / attract repel / solvent solute / reactant product
evaporate condense / inhale exhale / artery vein / exothermic endothermic / oxidise reduce / kinetic potential
predator prey / whole part / cognizable noncognizable / bailable nonbailable / major minor / senior junior
ordinary registered / minimum ordinary / cash kind / copy original / own another / once repeatedly
careful negligent / careful rash / careful careless / inclusive exclusive / toward away / towards away
genuine forged / genuine fake / valid expired / open closed / legal criminal / compulsory voluntary
recommend discourage / encourage discourage / promote discourage / voluntary accidental / alive die / living die
add multiply / subtract multiply / add divide / lock unlock / increase reduce / rise fall / raise lower / above below
inside outside / export import / senior junior / elect nominate / perennial seasonal / wet dry / moist dry
retrospective prospective / guilty innocent / hire dismiss / hire fire / deposit withdraw / expedite delay
lend borrow / owe own / freeze thaw / ancestor descendant / majority minority / horizontal vertical
soluble insoluble / organic inorganic / liquid solid / melt solidify / accelerate decelerate / closer farther
near far / stronger weaker / hard soft / thick thin / empty full / appear disappear
"""

# The same event from its two ends: one for the other is an exchange only where the parties stay in their places.
_CONVERSE = """
give get / pay get / buy sell / lend borrow / send get / teach learn / let rent
"""

# Rivals: different members of one kind, of which a claim may not name one for another.
_RIVALS = """
imprison fine probation banishment whipping community-service forfeiture die reprimand deportation
wage bonus pension gratuity allowance overtime dividend commission rent interest tax fee
steal murder robbery cheat forgery extortion defamation rioting kidnapping assault trespass mischief bribery arson
heart liver kidney lung brain stomach
oxygen nitrogen hydrogen carbon helium
photosynthesis respiration digestion transpiration
annual monthly weekly daily quarterly
licence insurance passport prescription loan
child adult elder
sound light heat
refund discount replacement
written telephone
solid liquid gas
criminal civil
citizen foreigner
"""


def _entries(table: str) -> list[list[str]]:
    return [entry.split() for line in table.strip().splitlines() for entry in line.split(" / ")]


@lru_cache(maxsize=1)
def _negated() -> dict[str, str]:
    # Forms are spelled out: by its stem "informal" would be "inform".
    return {form: base for word, base in _entries(_UN) for form in _forms(word)}


def _forms(word: str) -> tuple[str, ...]:
    root = word.removesuffix("e")
    last = (f"{word[:-1]}ies", f"{word[:-1]}ied") if word.endswith("y") else ()
    adverb = f"{word[:-1]}y" if word.endswith("le") else f"{word}ly"
    return (word, adverb, f"{word}s", f"{root}ed", f"{root}ing", *last)


@lru_cache(maxsize=1 << 14)
def without_prefix(word: str) -> str | None:
    """The word that `word` says not to be the case: "lawful" for "unlawful"; None where it carries no "not"."""
    base = _negated().get(word)
    if base is not None:
        return base
    if word.startswith("non-"):
        return word.removeprefix("non-")
    if word.startswith("un") and len(word) > 5 and word not in _NO_UN and not word.startswith(("under", "uni")):
        return word.removeprefix("un")
    return None


@lru_cache(maxsize=1)
def _opposites() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for one, other in _entries(_OPPOSITE):
        table.setdefault(concept(one), set()).add(concept(other))
        table.setdefault(concept(other), set()).add(concept(one))
    return {key: frozenset(values) for key, values in table.items()}


@lru_cache(maxsize=1)
def _rivals() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for kind in _entries(_RIVALS):
        keys = {concept(word) for word in kind}
        for key in keys:
            table.setdefault(key, set()).update(keys - {key})
    return {key: frozenset(values) for key, values in table.items()}


@lru_cache(maxsize=1)
def _converses() -> frozenset[frozenset[str]]:
    return frozenset(frozenset(concept(word) for word in pair) for pair in _entries(_CONVERSE))


def are_converse(one: str, other: str) -> bool:
    """Whether two concepts name one event from its two ends: giving and getting."""
    return frozenset((one, other)) in _converses()


def opposites(key: str) -> frozenset[str]:
    """The concepts that mean the opposite of the concept `key`."""
    return _opposites().get(key, frozenset())


def rivals(key: str) -> frozenset[str]:
    """The other concepts of the kind that `key` belongs to, where a claim naming one excludes the others."""
    return _rivals().get(key, frozenset())
