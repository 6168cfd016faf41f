"""The application layer.

One session for every interface, used by the command line, the service, MCP and integrations.
"""
