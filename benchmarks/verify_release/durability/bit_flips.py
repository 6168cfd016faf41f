"""E5: one bit of the database is flipped. What is read is as it was, or it is said that it is not."""

import random
import shutil
import tempfile
from dataclasses import fields
from pathlib import Path

from benchmarks.verify_release.tally import Tally
from footnotary.errors import FootnotaryError
from footnotary.index.embedded.store import EmbeddedStore
from footnotary.testing.sample_documents import EMBEDDER, penal_code, wages_act


def tried(count: int, seed: int, planted: bool) -> Tally:
    tally, chance = Tally(), random.Random(seed)
    if planted:  # a check that looks at nothing
        EmbeddedStore.check = lambda *_, **__: []
    with tempfile.TemporaryDirectory() as kept:
        store = _opened(Path(kept) / "tenant")
        penal_code().put_into(store)
        wages_act().put_into(store)
        expected = _read(store)
        store.close()
        original = (Path(kept) / "tenant" / "truth.db").read_bytes()
        written = [at for at, byte in enumerate(original) if byte]  # most of the rest is room that nobody reads
        for _ in range(count):
            tally.tried += 1
            copy = Path(kept) / "copy"
            shutil.copytree(Path(kept) / "tenant", copy)
            data = bytearray(original)
            at = chance.choice(written)
            data[at] ^= 1 << chance.randrange(8)
            (copy / "truth.db").write_bytes(data)
            how = _how(copy, expected)
            tally.count(how)
            if how.startswith("unnoticed"):
                tally.fault(f"a bit of byte {at}: {how}")
            shutil.rmtree(copy)
    return tally


def _how(folder: Path, expected: tuple[list, ...]) -> str:
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
    except Exception as error:  # any other error is a fault of ours
        return f"unnoticed: {type(error).__name__}"


def _difference(found: tuple[list, ...], expected: tuple[list, ...]) -> str:
    """Which part is not as it was, if one is not."""
    for name, ours, theirs in zip(("documents", "texts", "passages"), found, expected, strict=True):
        if len(ours) != len(theirs):
            return f"unnoticed: another number of {name}"
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
    """All that an answer could be made from."""
    documents = store.documents("law")
    ids = sorted(id_ for document in documents for id_ in store.passage_ids("law", document.id))
    texts = [store.document_text("law", document.id) for document in documents]
    return list(documents), texts, list(store.chunks("law", ids))
