"""The domain types: frozen values that pass through answering and ingestion. Standard library only."""
