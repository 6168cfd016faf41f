"""Paths of what others mount into the service's application."""

MCP_PATH = "/mcp"
