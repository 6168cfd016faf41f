"""What an exact check finds in a claim that its source does not say."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mismatch:
    """The words of the claim that are not supported, and what the source says instead, as far as that is known.

    `sentence` explains it to people where the two alone would not.
    """

    claim_says: str = ""
    source_says: str = ""
    sentence: str = ""

    @property
    def detail(self) -> str:
        if self.sentence:
            return self.sentence
        there = f'the source "{self.source_says}"' if self.source_says else "which the source does not"
        return f'the claim says "{self.claim_says}", {there}'

    @property
    def values(self) -> dict[str, str]:
        found = {"claim_says": self.claim_says, "source_says": self.source_says}
        return {name: said for name, said in found.items() if said}
