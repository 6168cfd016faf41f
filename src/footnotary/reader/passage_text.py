"""A chunk as a reader sees it: its headings in one form for all kinds of documents."""

from collections.abc import Sequence

from footnotary.domain.chunk import Chunk
from footnotary.ports import PassageText
from footnotary.text.tokens import words

_SEPARATOR = " > "


def passage_text(chunk: Chunk, part: str | None = None) -> PassageText:
    """The passage, or a part of it, with its headings, outermost first: law or book, chapters, own title.

    A heading that another one contains, or that begins the text itself, is not repeated.
    """
    text = chunk.text if part is None else part
    labels = chunk.labels
    path = chunk.section or (labels.chapter_title,)
    named = [" ".join(part.split()) for part in (labels.act or labels.code, *path, labels.title) if part]
    return PassageText(_SEPARATOR.join(_said_once(named, text)), text)


def _said_once(headings: Sequence[str], text: str) -> list[str]:
    keys = {heading: _key(heading) for heading in headings}
    beginning = _key(text[: 2 * max((len(heading) for heading in headings), default=0)])
    return [
        heading
        for heading, key in keys.items()
        if key.strip()
        and not beginning.startswith(key)
        and not any(key in other and (key != other or place < heading) for place, other in keys.items())
    ]


def _key(text: str) -> str:
    return f" {' '.join(words(text.casefold()))} "
