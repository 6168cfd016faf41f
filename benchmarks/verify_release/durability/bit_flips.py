"""E5: one bit of the database is flipped; reads are unchanged, or the damage is reported."""

import random
import shutil
import tempfile
from dataclasses import fields
from pathlib import Path

from benchmarks.verify_release.tally import Tally
from footnotary.errors import FootnotaryError
from footnotary.index.embedded.store import EmbeddedStore
from footnotary.testing.sample_documents import EMBEDDER, penal_code, wages_act


def run_attempts(count: int, seed: int, seeded_bug: bool) -> Tally:
    tally, rng = Tally(), random.Random(seed)
    if seeded_bug:  # a check that checks nothing
        EmbeddedStore.check = lambda *_, **__: []
    with tempfile.TemporaryDirectory() as kept:
        store = _opened(Path(kept) / "tenant")
        penal_code().put_into(store)
        wages_act().put_into(store)
        expected = _read(store)
        store.close()
        original = (Path(kept) / "tenant" / "truth.db").read_bytes()
        written = [at for at, byte in enumerate(original) if byte]  # most of the rest is unused space
        for _ in range(count):
            tally.attempts += 1
            copy = Path(kept) / "copy"
            shutil.copytree(Path(kept) / "tenant", copy)
            data = bytearray(original)
            at = rng.choice(written)
            data[at] ^= 1 << rng.randrange(8)
            (copy / "truth.db").write_bytes(data)
            outcome = _classify(copy, expected)
            tally.count(outcome)
            if outcome.startswith("unnoticed"):
                tally.fault(f"a bit of byte {at}: {outcome}")
            shutil.rmtree(copy)
    return tally


def _classify(folder: Path, expected: tuple[list, ...]) -> str:
    try:
        store = _opened(folder)
        try:
            if store.check(deep=True):
                return "reported"
            return _difference(_read(store), expected)
        finally:
            store.close()
    except FootnotaryError:
        return "refused"
    except Exception as error:  # any other error is a bug
        return f"unnoticed: {type(error).__name__}"


def _difference(found: tuple[list, ...], expected: tuple[list, ...]) -> str:
    """Which part differs, if any."""
    for name, ours, theirs in zip(("documents", "texts", "passages"), found, expected, strict=True):
        if len(ours) != len(theirs):
            return f"unnoticed: a different number of {name}"
        for one, other in zip(ours, theirs, strict=True):
            if one != other:
                parts = (
                    [field.name for field in fields(one) if getattr(one, field.name) != getattr(other, field.name)]
                    if name != "texts"
                    else []
                )
                return f"unnoticed: {name} {' '.join(parts)}".strip()
    return "harmless"


def _opened(folder: Path) -> EmbeddedStore:
    return EmbeddedStore(folder, EMBEDDER.name, EMBEDDER.dimensions)


def _read(store: EmbeddedStore) -> tuple[list, ...]:
    """Everything an answer could be made from."""
    documents = store.documents("law")
    ids = sorted(id_ for document in documents for id_ in store.passage_ids("law", document.id))
    texts = [store.document_text("law", document.id) for document in documents]
    return list(documents), texts, list(store.chunks("law", ids))
