"""Words that figures need wherever they are printed."""


def other_players(players: int) -> str:
    """Return the number of the others at a table of so many players."""
    others = players - 1
    return "1 other player" if others == 1 else f"{others} other players"
