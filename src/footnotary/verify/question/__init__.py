"""Whether a draft answers the question that was asked."""
