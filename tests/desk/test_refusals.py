"""A value that one entry point refuses is refused by the other two, with the same message."""

import html
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any
from urllib.parse import urlencode

import pytest

from certify import api
from certify.cli.app import run
from certify.errors import CertifyError
from certify.filing.identities import CountersignOptions
from certify.model.request import build
from tests.commands.pair_plus import GAME
from tests.desk.conftest import ORDER, TABLE, Answer, Client, finish, send

submit: Any = partial(api.submit, GAME, "nevada", "no", unsigned=True)
SUBMIT = ("submit", GAME, "--jurisdiction", "nevada", "--out", "no", "--unsigned")


def preview(fields: Mapping[str, str], client: Client) -> Answer:
    """Send the form of a submission; follow the job that it begins, if any."""
    answer = client.post("/submit/preview", {**ORDER, "filing": "refused", **fields})
    answer = finish(client, answer) if answer.status == 303 else answer
    (client.folder / "filings" / "refused.json").unlink(missing_ok=True)
    return answer


def explain(client: Client, **asked: str) -> Answer:
    return client.get(f"/explain.json?{urlencode({'game': GAME, **asked})}")


def countersign(client: Client, **fields: str) -> Answer:
    asked = {"identity": client.signers[0], **fields}
    return send(client, "/verify/countersign", {"file": ("x.pdf", b"%PDF-1.7")}, **asked)


def import_pasted(client: Client, **fields: str) -> Answer:
    return finish(client, send(client, "/import", {}, pasted="Hand\tPays", game=GAME, **fields))


@pytest.mark.parametrize(
    ("ask", "call", "words"),
    [
        *(
            (partial(preview, {field: value}), partial(submit, **{name: given}), (option, value))
            for field, name, option, value, given in (
                ("house_way", "house_way", "--house-way", "none", "none"),
                ("as_of", "as_of", "--as-of", "tomorrow", "tomorrow"),
                ("as_of", "as_of", "--as-of", "2026-02-30", "2026-02-30"),
            )
        ),
        (
            partial(preview, {"jurisdiction": "nowhere"}),
            partial(api.submit, GAME, "nowhere", "no", unsigned=True),
            ("--jurisdiction", "nowhere"),
        ),
        *(
            (
                partial(explain, target=TABLE, hand=hand),
                partial(api.explain, TABLE, hand),
                ("explain", TABLE, hand),
            )
            for hand in ("As As 2c", "As", "Ax 2c 3c")
        ),
        (
            partial(import_pasted, basis="of"),
            partial(api.import_paytables, "x.txt", game=GAME, basis="of"),
            ("import", "x.txt", "--game", GAME, "--basis", "of"),
        ),
        (
            partial(countersign, role="judge"),
            partial(build, CountersignOptions, role="judge"),
            ("countersign", "x.pdf", "--as", "judge"),
        ),
    ],
)
def test_a_form_refuses_a_value_with_the_message_of_the_other_entry_points(
    ask: Callable[[Client], Answer],
    call: Callable[[], object],
    words: tuple[str, ...],
    office: Client,
    *,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(office.folder)
    with pytest.raises(CertifyError) as caught:
        call()
    message = caught.value.message
    answer = ask(office)
    assert answer.status in (404, 422)
    assert message in html.unescape(answer.text).replace('\\"', '"')
    assert run([*SUBMIT, *words] if words[0].startswith("-") else words) == 2
    assert f"Error: {message}\n" in capsys.readouterr().err
    assert not (office.folder / "no").exists()
