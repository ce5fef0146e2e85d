"""The signer for a private key in a file."""

from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from pyhanko.keys.internal import translate_pyca_cryptography_key_to_asn1
from pyhanko.sign.signers.pdf_cms import SimpleSigner
from pyhanko_certvalidator.registry import SimpleCertificateStore
from pyhanko_certvalidator.util import get_pyca_cryptography_hash

from certify.signatures.identity import FileKey, Identity


class FileSigner(SimpleSigner):
    """A signer with an RSA key that is open already.

    pyHanko's own opens the key twice for each signature, and OpenSSL then checks its primes.
    """

    key: FileKey

    async def async_sign_raw(
        self, data: bytes, digest_algorithm: str, dry_run: bool = False
    ) -> bytes:
        """Return the signature value of ``data``."""
        mechanism = self.get_signature_mechanism_for_digest(digest_algorithm)
        private = self.key.private
        if isinstance(private, RSAPrivateKey) and mechanism.signature_algo == "rsassa_pkcs1v15":
            return private.sign(data, PKCS1v15(), get_pyca_cryptography_hash(digest_algorithm))
        return await super().async_sign_raw(data, digest_algorithm, dry_run)


def file_signer(identity: Identity, key: FileKey) -> FileSigner:
    """Return the signer of an identity, whose private key this is."""
    store = SimpleCertificateStore()  # type: ignore[no-untyped-call]
    store.register_multiple([certificate.asn1() for certificate in identity.chain])
    signer = FileSigner(
        signing_cert=identity.certificate.asn1(),
        signing_key=translate_pyca_cryptography_key_to_asn1(key.private),
        cert_registry=store,
    )
    signer.key = key
    return signer
