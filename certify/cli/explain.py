"""``certify explain``: what a hand is, how it is set, what it is paid, and why."""

import typer

from certify.cli.output import FORMAT, Format, print_json, say, section_text


def explain(
    target: str = typer.Argument(help="GAME, GAME/WAGER, GAME/WAGER/PAYTABLE, or a JSON file."),
    hand: str = typer.Argument(help='Cards as rank and suit, Jk the joker: "As Td 2c Jk …".'),
    dealer: str = typer.Option(None, help="The dealer's cards, written the same way."),
    house_way: str = typer.Option(None, help="The house way; the game's own by default."),
    output: Format = FORMAT,
) -> int:
    """Explain what a hand is and is paid under a target, how it is set, and by which rules."""
    from certify.pipeline.explain import FORMS, explained_json
    from certify.pipeline.explain import explain as run
    from certify.report.explanation_view import explanation

    explained = run(target, hand, dealer=dealer, house_way=house_way)
    if output is Format.JSON:
        print_json(explained_json(explained), FORMS)
    else:
        asked = [explanation(record) for record in explained.records]
        if explained.setting is not None:
            asked = [explanation(explained.setting, explained.game)]
        say("\n\n".join(map(section_text, asked)))
    return 0
