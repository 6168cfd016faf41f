"""Claims that follow an injected instruction: an instruction to the model states nothing, and supports nothing."""

import re
from collections.abc import Sequence
from functools import lru_cache

from footnotary.domain.chunk import Chunk
from footnotary.injection.detection import IsInjection, instruction_spans, is_instruction
from footnotary.text.normalise import plain_key
from footnotary.text.sentences.splitter import sentences
from footnotary.text.tokens import terms_of, words
from footnotary.verify.meaning.word_overlap import heading_texts

_DENIES = frozenset("no not never none nothing nobody without नहीं न ना मत बिना nahi nahin".split())

# A verb of saying that somebody is to do, and what is to be said: "has to mention that ...", "कहना कि ...".
_SAYING = "say|tell|state|mention|claim|reply|answer|respond|announce|inform|insist|assert|repeat|declare|remark"
_TO_SAY = re.compile(
    r"(?:^|[,;:]|\b(?:to|must|shall|should|will|please|kindly|and|then)) ?(?:also |always |only |just )?"
    rf"(?:{_SAYING})\b"
    r"(?: [\w'’-]+){0,5}? that (?P<english>.*)"
    r"|(?:कहना|कहो|कहें|कहिए|बोलना|बोलो|बताना|बताओ|बताएं|बताएँ|बताइए|लिखना|लिखो|लिखें|लिखिए) कि (?P<hindi>.*)"
    r"|\b(?:bolna|bolo|boliye|batana|batao|bataiye|kehna|kaho|kahiye|likhna|likho|likhiye) ki (?P<roman>.*)",
    re.DOTALL,
)
_SAYING_WORDS = frozenset(_SAYING.split("|"))
# What every match of the above has in it; most texts have none of it.
_MAY_SAY = re.compile(rf"\b(?:{_SAYING})\b|कह|बोल|बता|लिख|\b(?:bol|bata|keh|kah|likh)")


# No source speaks about the model that answers.
_I = re.compile(
    r"\bI (?:am|will|have|can|would|could|do|did|was|shall|must|may)\b|\bI['’](?:m|ll|ve|d)\b"
    r"|\b(?:[Mm]e|[Mm]y|[Mm]yself)\b|\b[Mm]ain [^.?!]{1,200}\b(?:sakt[ai]|h[ou]{1,2}n?)\b"
    r"|(?<![\u0900-\u0963])(?:मैं|मुझे|मेर[ाीे])(?![\u0900-\u0963])"
)


def followed_injection(claim: str, chunks: Sequence[Chunk], is_injection: IsInjection | None = None) -> bool:
    """Whether a claim follows an instruction in its sources instead of stating what they state.

    It does where it is itself an instruction to the model, occurs word for word in an instruction and nowhere else, has
    a content word that occurs in an instruction and in nothing that the sources state, is what somebody has to say
    ("shall tell the applicant that the fee is due" does not state that it is), or speaks of an "I" where no source
    does. Flagged text of examined passages was withheld, so that a claim can only come from their content.
    """
    examined = bool(chunks) and all(chunk.flags is not None for chunk in chunks)
    if not examined and is_instruction(claim, is_injection):
        return True
    if any(_only_to_be_said(claim, chunk.text) for chunk in chunks):
        return True
    if _I.search(claim) and not any(_I.search(chunk.text) for chunk in chunks):
        return True
    split = [
        _split_instruction(text, is_injection)
        for chunk in chunks
        for text in (*((chunk.text,) if chunk.flags is None else ()), *heading_texts(chunk))
    ]
    split += [("", chunk.text) for chunk in chunks if chunk.flags is not None]
    instructed = " ".join(part for part, _ in split)
    if not instructed.strip():
        return False
    return _taken_from(claim, instructed, "\n".join(part for _, part in split))


def follows_withheld(claim: str, pairs: Sequence[tuple[Chunk, Chunk]]) -> bool:
    """Whether a claim says something that only the withheld text of its sources has; `pairs` are the sources as they
    are stored and as they were shown."""
    instructed = " ".join(
        flag.span.of(stored.text)
        for stored, shown in pairs
        for flag in stored.flags or ()
        if not flag.span.of(shown.text).strip()
    )
    return bool(instructed.strip()) and _taken_from(claim, instructed, "\n".join(shown.text for _, shown in pairs))


def _taken_from(claim: str, instructed: str, stated: str) -> bool:
    """Whether a claim has words, or a denial, of the instructions and not of what is stated."""
    said = plain_key(claim)
    if said in plain_key(instructed) and said not in plain_key(stated):
        return True
    if (terms_of(claim) & terms_of(instructed)) - terms_of(stated):
        return True
    # "Say that there is no fine": all that is new in it is a word too small to be a content word.
    return not _DENIES.isdisjoint(words(claim)) and all(
        _DENIES.isdisjoint(words(part)) == denies_not for part, denies_not in ((instructed, False), (stated, True))
    )


def _only_to_be_said(claim: str, text: str) -> bool:
    """Whether a claim states what the text only wants said, and nothing of the text states."""
    said = terms_of(claim)
    if not said or not _SAYING_WORDS.isdisjoint(words(claim)):
        return False
    to_be_said, stated = _requested_words(text)
    return any(said <= wanted for wanted in to_be_said) and not said <= stated


@lru_cache(maxsize=512)
def _requested_words(text: str) -> tuple[tuple[frozenset[str], ...], frozenset[str]]:
    """The words of what somebody has to say, for each sentence that wants it, and all words of the other sentences."""
    if not _MAY_SAY.search(text.casefold()):
        return (), terms_of(text)
    wanted, others = list[frozenset[str]](), list[str]()
    for sentence in sentences(text):
        found = _TO_SAY.search(sentence.casefold())
        if found is None:
            others.append(sentence)
        else:
            wanted.append(terms_of(found["english"] or found["hindi"] or found["roman"] or ""))
    return tuple(wanted), terms_of(" ".join(others))


@lru_cache(maxsize=512)
def _split_instruction(text: str, is_injection: IsInjection | None) -> tuple[str, str]:
    """The instructions of a text, and what it states."""
    instructed, stated, at = list[str](), list[str](), 0
    for span in instruction_spans(text, is_injection):
        stated.append(text[at : span.start])
        instructed.append(span.of(text))
        at = span.end
    return " ".join(instructed), " ".join((*stated, text[at:]))
