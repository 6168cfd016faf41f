"""Scanned pages, read with Tesseract."""
