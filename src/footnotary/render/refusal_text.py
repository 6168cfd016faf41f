"""Refusals in plain sentences for people. The recorded texts keep their wording, so that bundles replay to the byte."""

import re

# A recorded text, the sentence people read, and the same with the score and the threshold.
_TEXTS = (
    (r"a passage about what is asked", "a passage that answers the question", None),
    (
        r"the best passage scores ([\d.]+), ([\d.]+) asked",
        "no passage is close enough to the question",
        r"best passage score \1 is below the threshold \2",
    ),
    (
        r"what was found answers with probability ([\d.]+), ([\d.]+) asked",
        "the passages found do not answer the question",
        r"answer probability \1 is below the threshold \2",
    ),
    (r"(\d+) usable sources, (\d+) asked", r"usable sources found: \1, required: \2", None),
    (
        r"the draft answers with probability ([\d.]+), ([\d.]+) asked",
        "the drafted answer does not answer the question",
        r"the draft's answer probability \1 is below the threshold \2",
    ),
    (
        r"the draft answers (.{1,500}?) with probability ([\d.]+), ([\d.]+) asked",
        r"the drafted answer does not answer \1",
        r"the draft's answer probability for \1, \2, is below the threshold \3",
    ),
    (r"what was found is not in", "the passages found are not in", None),
)


def refusal_sentence(text: str) -> str:
    """What is missing or why, as a sentence: without scores."""
    for recorded, sentence, _ in _TEXTS:
        text = re.sub(recorded, sentence, text)
    return text


def refusal_detail(text: str) -> str:
    """The detail of a verdict, with scores and thresholds."""
    for recorded, sentence, detail in _TEXTS:
        text = re.sub(recorded, detail or sentence, text)
    return text
