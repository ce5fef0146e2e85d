"""The main wager: every deal of an option, by house way and strategy."""
