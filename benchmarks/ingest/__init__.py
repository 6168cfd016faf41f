"""What real documents give: text against ground truth, offsets against the originals, and time."""
