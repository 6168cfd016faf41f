"""From a verified answer to text: markers are written by code, never passed through from a model."""
