"""The commands that run an installation: health, maintenance, servers, API keys."""
