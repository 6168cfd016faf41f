"""Markers with ids of other systems, such as UUIDs or file names: written as ids that a marker can name."""

import re
from collections.abc import Sequence

from footnotary.domain.identity import is_semantic_id

_FILLERS = "XYZQWVKJ"


def with_aliases(answer: str, ids: Sequence[str]) -> tuple[str, dict[str, str]]:
    """The answer with an alias in each `[id]` and `[SOURCE: id]` that no marker could be otherwise, and ids by alias.

    Only exact ids of passages are replaced. An alias has the length of its id, so that places in the answer stay what
    they are. Ids with a bracket, a comma or a semicolon are left: in brackets they could be read in two ways.
    """
    aliases: dict[str, str] = {}
    for each in ids:
        if each in aliases or is_semantic_id(each) or re.search(r"[\[\],;\n]", each) or each not in answer:
            continue
        taken = {*ids, *aliases.values()}
        tried = ("".join(c if c.isascii() and c.isalnum() else filler for c in each) for filler in _FILLERS)
        alias = next((one for one in tried if one not in taken and is_semantic_id(one) and one not in answer), None)
        if alias is not None:
            aliases[each] = alias
    if not aliases:
        return answer, {}
    longest_first = "|".join(re.escape(each) for each in sorted(aliases, key=len, reverse=True))
    marker = re.compile(rf"(?<=\[)((?:SOURCE:[ \t]*)?)({longest_first})(?=\])")
    renamed = marker.sub(lambda found: found[1] + aliases[found[2]], answer)
    return renamed, {alias: each for each, alias in aliases.items()}
