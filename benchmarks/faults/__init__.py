"""Long runs of faults and attacks; the tests run a little of each."""
