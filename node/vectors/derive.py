"""Known answers for the derivations of muffliato-node, by Python's `cryptography` and `hashlib`.

Run `python3 node/vectors/derive.py > node/vectors/derivations.txt`; needs `pip install cryptography`.
"""

import hashlib
import hmac
import struct
from fractions import Fraction
from math import floor

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms
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


def derived(purpose, first, second, rest=b""):
    info = purpose + struct.pack("<II", numbers[first], numbers[second]) + publics[first] + publics[second] + rest
    return HKDF(algorithm=hashes.SHA256(), length=32, salt=run, info=info).derive(shared)


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

mask = derived(b"muffliato 1 mask", 0, 1)
mask_of_run = hashlib.sha256(b"muffliato 1 masks of" + mask + fingerprint).digest()
greeting = derived(b"muffliato 1 hello", 0, 1)
there, back = (derived(b"muffliato 1 link", *ends, fingerprint) for ends in ((0, 1), (1, 0)))


def message(kind, sender, step, payload):
    return struct.pack("<HHI", 1, kind, 32 + len(payload)) + run + struct.pack("<II", sender, step) + payload


def sealed(key, kind, sender, step, payload):
    header = message(kind, sender, step, payload)[:32]
    nonce = struct.pack("<HHII", kind, 0, step, 0)
    return header + ChaCha20Poly1305(key).encrypt(nonce, payload, header)


# Those present have a run of their own. Without node 2, weights of thirds: 1 and 2 have none for each other.
left = sizes(3, 1, 0, 1)
thirds = b"".join(number.to_bytes(16, "little") for number in (3, 2, 2, 3, 1, 1))
parts[:3] = [b"graph" + left, b"weights" + b"custom" + thirds, b"plan" + fraction(1, 10) + fraction(5, 2) + left]
digests = b"".join(hashlib.sha256(part).digest() for part in parts[:6])
present = hashlib.sha256(b"muffliato 1 present" + run + digests).digest()[:16]


def words(key, step):
    """ChaCha20 with the step as its 64-bit stream, as words of 64 bits."""
    zeros = Cipher(algorithms.ChaCha20(key, struct.pack("<QQ", 0, step)), mode=None).encryptor()
    while True:
        yield from struct.unpack("<8Q", zeros.update(bytes(64)))


class Uniform:
    """A number in (0, 1) whose words are drawn when they are asked for."""

    def __init__(self, source):
        self.source, self.words = source, []

    def word(self, place):
        while len(self.words) <= place:
            self.words.append(next(self.source))
        return self.words[place]

    def is_below(self, other):
        place = 0
        while True:
            own, others = self.word(place), other.word(place)
            if own != others:
                return own < others
            place += 1


def chain(source, first, passes):
    """Whether an even number of falling uniform numbers, from below `first`, pass."""
    even, last = True, first
    while True:
        drawn = Uniform(source)
        if not drawn.is_below(last) or not passes():
            return even
        even, last = not even, drawn


def half(source):
    """Algorithm H of Karney 2016: true with probability e^-1/2."""
    last = Uniform(source)
    return last.word(0) >= 2**63 or not chain(source, last, lambda: True)


def kept(source, k, x):
    """Algorithm B: true with probability e^(-x(2k+x)/(2k+2))."""

    def passes():
        bits = (2 * k + 1).bit_length()
        choice = next(word for word in (next(source) >> (64 - bits) for _ in iter(int, 1)) if word < 2 * k + 2)
        return choice > 1 or choice == 1 and Uniform(source).is_below(x)

    return chain(source, x, passes)


def rounded(source, deviation):
    """Algorithm N, rounded to an integer: a normal variable of this deviation."""
    while True:
        k = 0
        while half(source):
            k += 1
        if not all(half(source) for _ in range(k * (k - 1))):
            continue
        x = Uniform(source)
        if all(kept(source, k, x) for _ in range(k + 1)):
            break
    ends = [floor(deviation * (k + Fraction(x.word(0) + end, 2**64)) + Fraction(1, 2)) for end in (0, 1)]
    assert ends[0] == ends[1]  # a tie has a probability below 2^-40
    return ends[0] if next(source) >= 2**63 else -ends[0]


source = words(mask_of_run, 6)
masks = [rounded(source, Fraction(5, 2) * Fraction(3, 2) * 2**20) for _ in range(40)]

values = struct.pack("<qqq", -1, 2**52, 7)
show("run", run)
show("secret of 3", secrets[0])
show("secret of 12", secrets[1])
show("public of 3", publics[0])
show("public of 12", publics[1])
show("mask key", mask)
show("mask key of the fingerprint", mask_of_run)
show("masks of step 6 in steps", struct.pack("<40q", *masks))
show("fingerprint", fingerprint)
show("run of those present", present)
show("hello of 3", message(1, 3, 0, fingerprint))
show("values of 3", message(2, 3, 5, values))
show("ask of 12", message(3, 12, 5, b""))
hello = message(1, 3, 0, fingerprint)
show("hello of 3 sealed for 12", hello + hmac.digest(greeting, hello, "sha256")[:16])
show("values of 3 sealed for 12", sealed(there, 2, 3, 5, values))
show("ask of 12 sealed for 3", sealed(back, 3, 12, 5, b""))
