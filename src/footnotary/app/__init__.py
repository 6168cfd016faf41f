"""The application layer: one session for every front, used by the command line, the service, MCP and integrations."""
