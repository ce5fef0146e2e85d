"""The rules of play: the contents of each part of the document."""
