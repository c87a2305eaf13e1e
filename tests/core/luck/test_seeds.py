"""Chance from a seed: the same for ever, the same everywhere, and uniform."""

from __future__ import annotations
from collections import Counter
from hashlib import blake2b

import pytest

from navalkit.core.game import Draw
from navalkit.core.seeds import MAX_SEED, Stream, commitment, fresh_seed, permutation


def test_the_stream_is_blake2b_of_seed_slot_and_block() -> None:
    """A second, plain reading of the definition."""
    stream = Stream(12345, "a slot")
    got = [stream.integers(2**63) for _ in range(20)]
    key = (12345).to_bytes(8, "little") + b"a slot"
    digest = b"".join(blake2b(key + block.to_bytes(8, "little")).digest() for block in range(3))
    words = [int.from_bytes(digest[8 * i : 8 * i + 8], "little") for i in range(20)]
    assert got == [word % 2**63 for word in words]


def test_known_answers_never_change() -> None:
    """Old links promise the same sea: a change here breaks them."""
    die = Stream(1, "die 0")
    assert [die.integers(6) for _ in range(12)] == [1, 3, 0, 0, 4, 0, 0, 4, 4, 3, 5, 4]
    assert permutation(42, "cards", 52)[:12] == (51, 7, 42, 47, 18, 1, 27, 21, 3, 37, 14, 34)
    assert Stream(2**63 - 1, "big 0").integers(10**30) == 97134807159061804785808214316
    assert Draw({"a": 1, "b": 2, "c": 3}, slot="salvo", index=2).pick(7) == "c"


@pytest.mark.parametrize("high", [1, 2, 6, 7, 52, 1000, 2**64, 2**64 + 1, 10**30])
def test_integers_lie_in_range(high: int) -> None:
    stream = Stream(3, "range")
    assert all(0 <= stream.integers(high) < high for _ in range(200))


def test_dice_are_uniform() -> None:
    stream = Stream(5, "uniform")
    n = 60_000
    counts = Counter(stream.integers(6) for _ in range(n))
    chi_squared = sum((counts[face] - n / 6) ** 2 / (n / 6) for face in range(6))
    assert (
        chi_squared < 20.5
    )  # 5 degrees of freedom: a fair die stays below in 999 of 1,000 runs; this run is fixed


def test_all_permutations_are_equally_likely() -> None:
    n = 24_000
    counts = Counter(permutation(seed, "cards", 4) for seed in range(n))
    assert len(counts) == 24
    chi_squared = sum((count - n / 24) ** 2 / (n / 24) for count in counts.values())
    assert chi_squared < 49.7  # 23 degrees of freedom, 1 in 1,000


def test_a_permutation_holds_every_number_once() -> None:
    assert sorted(permutation(9, "cards", 54)) == list(range(54))


def test_slots_and_seeds_are_independent() -> None:
    draws = {
        (seed, slot): Stream(seed, slot).integers(2**64) for seed in range(50) for slot in ("a", "b", "a 1")
    }
    assert len(set(draws.values())) == len(draws)


def test_a_deck_keeps_its_cards_in_their_places_whatever_was_turned_before() -> None:
    deck = [f"card {i}" for i in range(10)]
    whole = [Draw({card: 1 for card in deck}, slot="cards", deck=deck, index=i).pick(11) for i in range(10)]
    assert sorted(whole) == deck
    left = [card for card in deck if card != whole[0]]
    assert Draw({card: 1 for card in left}, slot="cards", deck=deck, index=7).pick(11) == whole[7]


def test_a_card_that_is_gone_already_is_replaced_by_another_possible_one() -> None:
    deck = ["a", "b", "c"]
    place = permutation(1, "cards", 3).index(0)
    picked = Draw({"b": 1, "c": 1}, slot="cards", deck=deck, index=place).pick(1)
    assert picked in ("b", "c")


def test_fresh_seeds_are_short_and_differ() -> None:
    seeds = {fresh_seed() for _ in range(100)}
    assert len(seeds) > 90 and all(0 <= seed < 10**9 for seed in seeds)


def test_seeds_of_128_bits_have_streams_of_their_own() -> None:
    key = (5).to_bytes(8, "little") + b"\xff" + (3).to_bytes(8, "little") + b"slot"
    word = int.from_bytes(blake2b(key + bytes(8)).digest()[:8], "little")
    assert Stream(3 << 64 | 5, "slot").integers(2**63) == word % 2**63
    firsts = {Stream(seed, "slot").integers(2**64) for bits in range(129) for seed in ((1 << bits) - 1,)}
    assert len(firsts) == 129


def test_secret_seeds_fill_128_bits() -> None:
    seeds = [fresh_seed(secret=True) for _ in range(200)]
    assert all(0 <= seed <= MAX_SEED for seed in seeds) and max(seeds) >= 2**126 and len(set(seeds)) == 200


def test_a_commitment_binds_seed_and_parts() -> None:
    """The known answer never changes: players have it on paper."""
    assert commitment(7, "toy", "1", "[]") == "845331befb72fdd3006ebda3be418b46beb647e7"
    given = {commitment(7, "toy"), commitment(8, "toy"), commitment(7, "to", "y"), commitment(7), commitment(77, "toy")}
    assert len(given) == 5 and all(len(text) == 40 for text in given)
