"""Lists of which an item is withheld as an injected instruction: the rest of such a list is not the whole list."""

from collections.abc import Iterator

from footnotary.domain.chunk import Chunk
from footnotary.domain.identity import Span
from footnotary.text.sentences.negated_lists import item_mark
from footnotary.text.sentences.splitter import sentence_spans
from footnotary.text.tokens import terms_of

# An item is given by an answer that has this share of its content words.
_GIVEN = 2 / 3


def leaves_out_item(answer: str, stored: Chunk, shown: Chunk, *, whole: bool) -> bool:
    """Whether an answer gives a list of a passage without an item that was withheld from it.

    It gives the list if it has two of the items that were shown, or, where the question asks for the `whole`, one.
    """
    said = terms_of(answer)
    for items in _lists(stored.text):
        hidden = [item for item in items if _is_withheld(item, stored, shown)]
        if hidden:
            terms = [terms_of(item.of(shown.text)) for item in items if item not in hidden]
            given = sum(len(own & said) >= _GIVEN * len(own) for own in terms if own)
            if given >= (1 if whole else 2):
                return True
    return False


def _is_withheld(item: Span, stored: Chunk, shown: Chunk) -> bool:
    """Whether a sentence of an item, or the whole of it, was overwritten."""
    return any(flag.span.overlaps(item) and not flag.span.of(shown.text).strip() for flag in stored.flags or ())


def _lists(text: str) -> Iterator[list[Span]]:
    """The items of each list of a text: from the first marked one to the next paragraph that is none."""
    spans = sentence_spans(text)
    items: list[Span] = []
    for before, span in zip([None, *spans], spans, strict=False):
        if item_mark(span.of(text)):
            if not items and before is not None and "\n" not in text[before.end : span.start]:
                items.append(before)  # "Steps: 1. Open it. 2. Close it." has its first item in the first sentence
            items.append(span)
        elif items and _begins_paragraph(span, text):
            yield items
            items = []
        elif items:
            items[-1] = Span(items[-1].start, span.end)
    if items:
        yield items


def _begins_paragraph(span: Span, text: str) -> bool:
    return "\n\n" in text[max(0, span.start - 4) : span.start].replace(" ", "")
