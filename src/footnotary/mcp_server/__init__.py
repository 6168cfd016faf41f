"""The tools of Footnotary for language models that speak the Model Context Protocol."""
