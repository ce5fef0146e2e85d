"""English for records: lists of ranks, hands, events and house ways."""
