"""The chat generator: prompt, transport to an OpenAI-compatible server, and the reply parser."""
