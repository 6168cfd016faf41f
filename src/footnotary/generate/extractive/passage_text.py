"""A chunk as a reader sees it."""

from footnotary.domain.chunk import Chunk
from footnotary.ports import PassageText


def passage_text(chunk: Chunk) -> PassageText:
    """The chunk's headings, outermost first, and its text."""
    labels = chunk.labels
    headings = (labels.act, labels.chapter_title, *chunk.section, labels.title)
    return PassageText(" > ".join(dict.fromkeys(heading for heading in headings if heading)), chunk.text)
