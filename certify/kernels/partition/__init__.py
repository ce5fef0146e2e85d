"""The hands of a deck, parted into classes: by rank and flush, with their keys and splits."""
