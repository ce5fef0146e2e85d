"""The second count: hand by hand, sharing nothing with the first but the rules."""
