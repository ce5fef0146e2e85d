"""Solve: from a band of the house edge to the paytables that meet it."""
