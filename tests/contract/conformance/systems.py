"""Systems to be tested by the suite: one that repeats its model, one that always refuses."""

import json
import re
import urllib.request
from contextlib import nullcontext

from footnotary.conform.case import TargetReply

REFUSAL = "No."


class Parrot:
    """Delivers whatever its model says, with the sources that the markers name."""

    name = "parrot"
    streams = True
    has_tenants = True

    def __init__(self, base_url):
        self.base_url = base_url

    def ask(self, turn, project):
        prompt = "\n".join(f"[{n}] {passage.text}" for n, passage in enumerate(turn.passages, 1)) + turn.question
        body = json.dumps({"model": "m", "messages": [{"role": "user", "content": prompt}]}).encode()
        with urllib.request.urlopen(f"{self.base_url}/chat/completions", body) as response:
            text = json.load(response)["choices"][0]["message"]["content"]
        numbers = [int(n) for n in re.findall(r"\[(\d+)\]", text)]
        return TargetReply(text, tuple(turn.passages[n - 1].id for n in numbers if 0 < n <= len(turn.passages)))


class Mute:
    name = "mute"
    streams = False
    has_tenants = False

    def ask(self, turn, project):
        return TargetReply(REFUSAL, (), True)


def parrot(base_url):
    return nullcontext(Parrot(base_url))
