"""Folder rules for the trust of documents: the first pattern that matches a file's path gives its level."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import PurePath

from footnotary.domain.validity import TRUST_LEVELS, Trust, Validity
from footnotary.errors import UsageError


@dataclass(frozen=True, slots=True)
class TrustRule:
    """Files whose path matches `pattern` are trusted as far as `level`; `*` also matches a slash."""

    pattern: str
    level: Trust

    def matches(self, path: str) -> bool:
        whole = PurePath(path).as_posix()
        return any(fnmatchcase(whole, pattern) for pattern in (self.pattern, f"*/{self.pattern}"))


def parse_trust_options(options: Sequence[str]) -> tuple[TrustRule, ...]:
    """`official` for every file, `laws/*=official` for some; the first that matches counts. Raises `UsageError`."""
    rules: list[TrustRule] = []
    for option in options:
        pattern, _, named = option.rpartition("=")
        levels: dict[str, Trust] = {level: level for level in TRUST_LEVELS}
        level = levels.get(named.strip().lower())
        if level is None:
            raise UsageError(
                f"--trust: {named!r} is not a level of trust",
                hint=f"choose from {', '.join(TRUST_LEVELS)}, or name files, as in --trust 'laws/*=official'",
            )
        rules.append(TrustRule(pattern.strip() or "*", level))
    return tuple(rules)


def with_trust_rules(given: Validity, rules: Sequence[TrustRule], path: str) -> Validity:
    """What is given for a file, with the trust of the first rule that matches its path."""
    rule = next((rule for rule in rules if rule.matches(path)), None)
    if rule is None or "trust" in given.given:
        return given
    return replace(given, trust=rule.level, given=given.given | {"trust"})
