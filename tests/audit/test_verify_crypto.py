"""The verifier's own Ed25519 and trees, against the RFCs' vectors and against others' code."""

import hashlib
import random

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from hypothesis import example, given, settings
from hypothesis import strategies as st
from proofbundle import merkle as foreign

from audit import verify_export as verifier

from ..support import exports, proof, reference

# RFC 8032, 7.1: secret key, public key, message, signature.
RFC_8032 = {
    "1": (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24"
        "655141438e7a100b",
    ),
    "2": (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aee"
        "b00d291612bb0c00",
    ),
    "3": (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28d"
        "c027beceea1ec40a",
    ),
    "SHA(abc)": (
        "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
        "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e"
        "2a9ac94fa54ca49f",
        "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17a"
        "d9bef1177331a704",
    ),
}
# Points of small order (y, sign in the last bit) in their canonical encodings, and some that are not canonical.
SMALL_ORDER = [
    "0100000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0000000000000000000000000000000000000000000000000000000000000080",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
]
NOT_CANONICAL = [
    "0100000000000000000000000000000000000000000000000000000000000080",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
]
# The leaves of certificate-transparency's own tests of its Merkle tree, and the roots of the first 1, 2, ... of them.
LEAVES = [
    bytes.fromhex(text)
    for text in ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")
]
ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
MOST = 40


@pytest.mark.parametrize(("seed", "public", "message", "signature"), RFC_8032.values(), ids=RFC_8032)
def test_ed25519_gives_the_vectors_of_rfc_8032(seed, public, message, signature):
    seed, public, message, signature = map(bytes.fromhex, (seed, public, message, signature))
    assert verifier.public_key(seed) == public
    assert verifier.sign(seed, message) == signature
    assert verifier.verify_signature(public, message, signature)
    assert not verifier.verify_signature(public, message + b"!", signature)


@given(seed=st.binary(min_size=32, max_size=32), message=st.binary(max_size=200))
@settings(max_examples=proof.examples(100))
def test_what_either_signs_is_the_same_and_the_other_accepts_it(seed, message):
    other = Ed25519PrivateKey.from_private_bytes(seed)
    signature = verifier.sign(seed, message)
    assert other.sign(message) == signature
    assert exports.public_bytes(other) == verifier.public_key(seed)
    assert verifier.verify_signature(verifier.public_key(seed), message, signature)


SEED = bytes(range(32))
PUBLIC = verifier.public_key(SEED)
SIGNED = verifier.sign(SEED, b"a checkpoint")


@given(place=st.integers(0, 63), change=st.integers(1, 255), more=st.integers(0, 3))
@example(place=63, change=0, more=1)
@settings(max_examples=proof.examples(60))
def test_both_refuse_and_accept_the_same_signatures(place, change, more):
    """Changed bytes, and S + L, which is the same number to a program that forgets to look."""
    s = int.from_bytes(SIGNED[32:], "little") + more * verifier.L
    made = bytearray(SIGNED[:32] + s.to_bytes(32, "little"))
    made[place] ^= change
    try:
        Ed25519PublicKey.from_public_bytes(PUBLIC).verify(bytes(made), b"a checkpoint")
        accepted = True
    except InvalidSignature:
        accepted = False
    assert verifier.verify_signature(PUBLIC, b"a checkpoint", bytes(made)) == accepted == (bytes(made) == SIGNED)


@given(public=st.binary(min_size=32, max_size=32), signature=st.binary(min_size=64, max_size=64))
@settings(max_examples=proof.examples(30))
def test_random_keys_and_signatures_are_refused(public, signature):
    assert not verifier.verify_signature(public, b"", signature)


@pytest.mark.parametrize("public", SMALL_ORDER + NOT_CANONICAL)
def test_a_key_that_anybody_could_sign_for_is_refused(public):
    """By a key of small order some signature fits any message: R = A's multiple, S = 0."""
    public = bytes.fromhex(public)
    assert verifier.minus(public) is None
    assert (verifier.decoded(public) is None) == (public.hex() in NOT_CANONICAL)
    for signature in (public + bytes(32), bytes([1]) + bytes(63)):
        assert not any(verifier.verify_signature(public, bytes([message]), signature) for message in range(16))


def test_wrong_lengths_are_refused():
    assert not verifier.verify_signature(PUBLIC[:-1], b"a checkpoint", SIGNED)
    assert not verifier.verify_signature(PUBLIC, b"a checkpoint", SIGNED + b"\0")


def grown(leaves):
    """The root that the verifier comes to."""
    edge = verifier.Edge()
    for leaf in leaves:
        edge.push(0, verifier.leaf_hash(leaf))
    return edge.root()


def test_roots_are_those_of_rfc_6962():
    for size, root in enumerate(ROOTS, 1):
        assert grown(LEAVES[:size]).hex() == reference.root(LEAVES[:size]).hex() == root


def leaves_of(size):
    return [hashlib.sha256(str(number).encode()).digest()[: number % 32] for number in range(size)]


def test_roots_of_a_foreign_tree_and_of_the_definition_are_ours():
    for size in range(1, MOST + 1):
        leaves = leaves_of(size)
        assert grown(leaves) == reference.root(leaves) == foreign.merkle_tree_hash(leaves)


@given(cuts=st.lists(st.integers(0, MOST), min_size=1, max_size=6).map(sorted))
def test_a_tree_pushed_in_any_pieces_has_the_same_root(cuts):
    hashes = [verifier.leaf_hash(leaf) for leaf in leaves_of(cuts[-1])]
    edge = verifier.Edge()
    for first, last in zip([0, *cuts], cuts, strict=False):
        for height, node in verifier.subtrees(first, hashes[first:last]):
            edge.push(height, node)
    assert edge.size == cuts[-1]
    assert edge.root() == (reference.root(leaves_of(cuts[-1])) if cuts[-1] else None)


def damaged(proof, chance):
    """Proofs that are near to one and none."""
    yield [*proof, bytes(32)]
    if proof:
        yield proof[:-1]
        yield proof[1:]
        place = chance.randrange(len(proof))
        yield [*proof[:place], bytes(32), *proof[place + 1 :]]
    if len(set(proof)) > 1:
        yield proof[::-1]


def test_every_inclusion_proof_holds_and_no_damaged_one():
    """Of all leaves in all trees up to 40; the foreign tree's proof is the definition's."""
    chance = random.Random(1)
    for size in range(1, MOST + 1):
        leaves = leaves_of(size)
        root = reference.root(leaves)
        for index, leaf in enumerate(leaves):
            proof = reference.path(index, leaves)
            hashed = verifier.leaf_hash(leaf)
            assert proof == foreign.inclusion_proof(leaves, index)
            assert verifier.verify_inclusion(hashed, index, size, proof, root)
            assert not verifier.verify_inclusion(verifier.leaf_hash(b"other"), index, size, proof, root)
            assert not verifier.verify_inclusion(hashed, index + size, size, proof, root)
            assert verifier.verify_inclusion(root, index, size, [], root) == (size == 1)
            for wrong in damaged(proof, chance):
                assert not verifier.verify_inclusion(hashed, index, size, wrong, root)


def test_every_consistency_proof_holds_and_no_damaged_one():
    """Between all trees up to 40."""
    chance = random.Random(2)
    for size in range(1, MOST + 1):
        leaves = leaves_of(size)
        root = reference.root(leaves)
        for first in range(1, size + 1):
            proof, before = reference.proof(first, leaves), reference.root(leaves[:first])
            assert proof == foreign.consistency_proof(leaves, first)
            assert foreign.verify_consistency(first, size, proof, before, root)
            assert verifier.verify_consistency(first, size, before, root, proof)
            assert not verifier.verify_consistency(first, size, bytes(32), root, proof)
            assert not verifier.verify_consistency(first, size, before, bytes(32), proof)
            assert not verifier.verify_consistency(0, size, before, root, proof)
            assert not verifier.verify_consistency(size + 1, size, before, root, proof)
            for wrong in damaged(proof, chance):
                assert not verifier.verify_consistency(first, size, before, root, wrong)
