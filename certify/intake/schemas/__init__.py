"""What the schemas ask of a record, and what is said where it does not hold."""
