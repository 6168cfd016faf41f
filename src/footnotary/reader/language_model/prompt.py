"""What the language model is asked: evidence first, then a claim or a question; the next token is Yes or No.

The same messages go to every server. Evidence precedes the claim or question, so that a server's prefix cache reads it
once for several claims.
"""

from __future__ import annotations

from collections.abc import Sequence

from footnotary.text.normalise import squeeze

SYSTEM = "You check text against evidence. Answer Yes or No."
YES, NO = "Yes", "No"


def evidence_text(passages: Sequence[tuple[str, str]]) -> str:
    """Passages of (heading, text), separated by an empty line; a heading is on its own line above its text."""
    return "\n\n".join(f"{squeeze(heading)}\n{text.strip()}" if heading else text.strip() for heading, text in passages)


def support_request(evidence: str, claim: str) -> str:
    """The user's message that asks whether all of `claim` follows from `evidence`."""
    return _harmless(f"Evidence:\n{evidence}\n\nClaim: {squeeze(claim)}\nIs the whole claim supported by the evidence?")


def answer_request(evidence: str, question: str) -> str:
    """The user's message that asks whether `evidence` holds the answer to `question`."""
    return _harmless(
        f"Evidence:\n{evidence}\n\nQuestion: {squeeze(question)}\nIs the question answered by the evidence?"
    )


def messages(request: str) -> list[dict[str, str]]:
    """The conversation for a server's chat interface."""
    return [{"role": "system", "content": SYSTEM}, {"role": "user", "content": request}]


def chat_text(request: str) -> str:
    """The same conversation as Qwen2.5's template writes it, up to where the model answers."""
    return f"<|im_start|>system\n{SYSTEM}<|im_end|>\n<|im_start|>user\n{request}<|im_end|>\n<|im_start|>assistant\n"


def _harmless(text: str) -> str:
    """Servers interpret turn markers anywhere: in a document they would end the user's turn."""
    return text.replace("<|", "< |")
