"""From structural units to chunks with semantic ids."""
