"""Who may call: API keys, and how a request proves that it has one."""
