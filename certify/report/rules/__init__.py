"""The rules of play: what each part of the document prints."""
