"""Known answers for the derivations of muffliato-node, by Python's `cryptography` and `hashlib`.

Run `python3 node/vectors/derive.py > node/vectors/derivations.txt`; needs `pip install cryptography`.
"""

import hashlib
import struct

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


def show(name, data):
    print(f"{name} = {data.hex()}")


def fraction(numerator, denominator):
    return b"\x01" + numerator.to_bytes(16, "little") + denominator.to_bytes(16, "little")


def sizes(*numbers):
    return b"".join(struct.pack("<Q", number) for number in numbers)


run = bytes(range(16))
numbers = (3, 12)
secrets = (bytes(range(1, 33)), bytes(range(101, 133)))
keys = [X25519PrivateKey.from_private_bytes(secret) for secret in secrets]
publics = [key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw) for key in keys]
shared = keys[0].exchange(X25519PublicKey.from_public_bytes(publics[1]))
assert shared == keys[1].exchange(X25519PublicKey.from_public_bytes(publics[0]))


def derived(purpose, first, second):
    info = purpose + struct.pack("<II", numbers[first], numbers[second]) + publics[first] + publics[second]
    return HKDF(algorithm=hashes.SHA256(), length=32, salt=run, info=info).derive(shared)


mask = derived(b"muffliato 1 mask", 0, 1)
there, back = derived(b"muffliato 1 link", 0, 1), derived(b"muffliato 1 link", 1, 0)

# Karate's smallest cousin: the path 0-1-2, two rounds of three steps, masks of 5/2 sigma, fresh noise of sigma/10.
edges = sizes(3, 2, 0, 1, 1, 2)
parts = [
    b"graph" + edges,
    b"weights" + b"metropolis",
    b"plan" + fraction(1, 10) + fraction(5, 2) + edges,
    b"steps" + sizes(2, 3, 1) + b"\x00\x00",
    b"law" + b"rounded" + struct.pack("<dd", 2.0**-20, 1.5),
    b"inputs" + struct.pack("<d", 2.0) + sizes(4),
    b"run" + run,
]
fingerprint = b"".join(hashlib.sha256(part).digest() for part in parts)


def message(kind, sender, step, payload):
    return struct.pack("<HHI", 1, kind, 32 + len(payload)) + run + struct.pack("<II", sender, step) + payload


def sealed(key, kind, sender, step, payload):
    header = message(kind, sender, step, payload)[:32]
    nonce = struct.pack("<HHII", kind, 0, step, 0)
    return header + ChaCha20Poly1305(key).encrypt(nonce, payload, header)


values = struct.pack("<qqq", -1, 2**52, 7)
show("run", run)
show("secret of 3", secrets[0])
show("secret of 12", secrets[1])
show("public of 3", publics[0])
show("public of 12", publics[1])
show("mask key", mask)
show("fingerprint", fingerprint)
show("hello of 3", message(1, 3, 0, fingerprint))
show("values of 3", message(2, 3, 5, values))
show("ask of 12", message(3, 12, 5, b""))
show("hello of 3 sealed for 12", sealed(there, 1, 3, 0, fingerprint))
show("values of 3 sealed for 12", sealed(there, 2, 3, 5, values))
show("ask of 12 sealed for 3", sealed(back, 3, 12, 5, b""))
