"""What each check adds to the verdict on a claim, measured by leaving it out."""
