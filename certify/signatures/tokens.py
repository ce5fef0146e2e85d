"""PKCS#11 tokens: smart cards, hardware security modules, SoftHSM2."""

from collections.abc import Iterator
from contextlib import contextmanager

import pkcs11
from pkcs11 import Attribute, KeyType, ObjectClass
from pyhanko.config.pkcs11 import TokenCriteria
from pyhanko.sign.pkcs11 import open_pkcs11_session

from certify.errors import NotConfigured
from certify.formatting import plain_reason
from certify.signatures.certificate import Certificate
from certify.signatures.identity import TokenKey


@contextmanager
def open_session(key: TokenKey) -> Iterator[pkcs11.Session]:
    """Open a session on the token, and close it afterwards.

    Raises:
        NotConfigured: the module cannot be loaded, or the token or the PIN is wrong.
    """
    try:
        session = open_pkcs11_session(
            str(key.module), token_criteria=TokenCriteria(label=key.token), user_pin=key.pin
        )
    except pkcs11.exceptions.PinIncorrect as error:
        raise NotConfigured(
            f"The PIN of the token {key.token!r} is wrong.",
            remedy="Check the PIN; most tokens lock themselves after a few wrong ones.",
        ) from error
    except (pkcs11.PKCS11Error, RuntimeError, OSError) as error:
        raise NotConfigured(
            f"The token {key.token!r} cannot be opened through {key.module}: "
            f"{plain_reason(error)}.",
            remedy="Check the path of the PKCS#11 module, the token's label, and that "
            "the token is connected.",
        ) from error
    try:
        yield session
    finally:
        session.close()


def read_certificates(key: TokenKey) -> tuple[Certificate, tuple[Certificate, ...]]:
    """Return the certificate that carries the key's label, and the others on the token.

    Raises:
        NotConfigured: the token cannot be opened, or holds no such certificate or no such key.
    """
    with open_session(key) as session:
        own: list[Certificate] = []
        others: list[Certificate] = []
        for item in session.get_objects({Attribute.CLASS: ObjectClass.CERTIFICATE}):
            mine = item[Attribute.LABEL] == key.label
            (own if mine else others).append(Certificate.from_der(item[Attribute.VALUE]))
        keys = list(
            session.get_objects(
                {
                    Attribute.CLASS: ObjectClass.PRIVATE_KEY,
                    Attribute.LABEL: key.label,
                    Attribute.KEY_TYPE: KeyType.RSA,
                }
            )
        )
    if len(own) != 1 or len(keys) != 1:
        raise NotConfigured(
            f"The token {key.token!r} does not contain exactly one RSA key and "
            f"one certificate labeled {key.label!r}.",
            remedy="List the token's objects with pkcs11-tool, and name the label of the key.",
        )
    return own[0], tuple(others)
