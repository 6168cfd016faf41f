"""Renders a verified answer as text: code writes the markers, they are never passed through from a model."""
