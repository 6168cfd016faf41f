"""Whether the cited sentences support a claim: premise selection, overlap, model and score fusion."""
