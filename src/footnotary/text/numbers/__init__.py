"""Quantities: numbers with their units and bounds."""
