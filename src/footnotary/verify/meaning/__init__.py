"""Whether the cited sentences support a claim: overlap, model and score fusion."""
