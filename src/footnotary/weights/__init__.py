"""The weights that ship with the product, one folder each, with a model card next to them."""
