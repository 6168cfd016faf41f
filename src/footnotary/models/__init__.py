"""The local models: embedders, verifiers (entailment and answerability) and the prompt-injection classifier."""
