"""Question answering end to end: false answers, wrong refusals and cited passages on many kinds of questions."""
