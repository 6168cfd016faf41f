"""Follow-up questions: "And for theft?" after "What is the punishment for cheating?".

A follow-up is rewritten only where a small set of patterns surely resolves it. Every other question is asked as typed;
where it leans on the one before, that one is searched for too. No word is put into a question that nobody said.
"""

from footnotary.gate.follow_up.resolution import follow_up, rewrite_follow_up

__all__ = ["follow_up", "rewrite_follow_up"]
