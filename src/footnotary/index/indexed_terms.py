"""The terms a passage is indexed by: its words, and those of its heading more than once."""

from footnotary.text.definitions import defined_terms, definition_key
from footnotary.text.tokens import content_terms

# Measured (benchmarks/results/retrieval/encoders.md): counting a heading three times finds sections best, while a
# separate field with a boost loses on documents without informative titles.
HEADING_REPEATS = 3
_HEADING_SEARCH_CHARS = 40


def indexed_terms(text: str, title: str, section: str) -> list[str]:
    """The terms of a passage and of its heading, and a key for each term that the passage defines.

    A heading at the start of the text counts once already.
    """
    opens = title != "" and title in text[: len(title) + _HEADING_SEARCH_CHARS]
    heading = content_terms(f"{section} {title}") * (HEADING_REPEATS - opens)
    defined = defined_terms(text)
    if opens:  # a section whose heading is just a term usually begins with its definition
        defined |= {definition_key(content_terms(title))}
    return [*heading, *content_terms(text), *sorted(defined)]
