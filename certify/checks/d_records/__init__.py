"""D codes: records, their names, texts and references."""
