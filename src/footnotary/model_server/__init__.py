"""The HTTP client of model servers that speak OpenAI's interface: drafts, expansion and the reader share it."""
