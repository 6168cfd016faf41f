"""Check: a bound of the source ("up to", "at least") has the same bound in the claim."""

from footnotary.text.numbers.quantities import NumberMention, number_mentions
from footnotary.verify.exact.mismatch import Mismatch
from footnotary.verify.exact.number_matching import bounds_agree, matches

_LOWER, _UPPER = frozenset({"at_least", "more_than"}), frozenset({"at_most", "less_than"})


def comparators_disagree(claim: str, premise: str) -> Mismatch | None:
    """The figure that the claim bounds differently from the source, or None.

    "Up to seven years" is neither "seven years" nor "at least seven years", and "more than 500" is not "500 or
    more"; "within 60 days" is "no later than 60 days". Figures that the source does not have are left to another check.
    """
    for figure in number_mentions(claim):
        found = matches(figure, premise) if figure.kind != "ordinal" else ()
        if found and not any(bounds_agree(figure, other) for other in found):
            return Mismatch(_bound_text(figure, claim), _bound_text(found[0], premise))
    return None


def bounds_reversed(claim: str, premise: str) -> Mismatch | None:
    """The figure that is a lower bound on one side and an upper bound on the other, or None."""
    for figure in number_mentions(claim):
        found = matches(figure, premise) if figure.kind != "ordinal" else ()
        if found and all({figure.comparator, other.comparator} & side for other in found for side in (_LOWER, _UPPER)):
            return Mismatch(_bound_text(figure, claim), _bound_text(found[0], premise))
    return None


def _bound_text(figure: NumberMention, text: str) -> str:
    amount = " ".join(figure.span.of(text).split())
    bound = "exactly" if figure.comparator == "exact" else figure.comparator.replace("_", " ")
    return amount if figure.high is not None else f"{bound} {amount}"
