"""`make prove`: every promise tried at length, each harness first shown to catch a bug that is planted for it."""
