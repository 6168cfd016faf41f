"""The MCP server: Footnotary's tools for language models."""
