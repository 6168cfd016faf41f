"""Policy as data: thresholds, presentation and refusal texts."""
