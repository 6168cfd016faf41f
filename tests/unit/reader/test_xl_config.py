"""The calibration of the adapter is fitted on stored scores, and written beside its hash."""

import hashlib
import json
import math
import random
from pathlib import Path

import pytest

from footnotary.reader.language_model.xl import ADAPTER_FILE, read_xl_config
from training.xl.write_config import collected, main, probability


def rows(count: int, k: str, sharpness: float) -> list[dict[str, object]]:
    """Scores that are `sharpness` times as sure as they should be."""
    draw = random.Random(count)
    made = []
    for number in range(count):
        odds = draw.uniform(-3, 3)
        label = draw.random() < 1 / (1 + math.exp(-odds))
        made.append({"k": k, "score": odds * sharpness, "label": int(label), "set": "s", "group": f"{k}{number}"})
    return made


def test_it_is_written_for_every_task_and_read_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys):
    adapter = tmp_path / ADAPTER_FILE
    adapter.write_bytes(b"adapter")
    base = {"name": "Q", "sha256": "0" * 64}
    config = {"name": "reader-xl", "base": base, "languages": ["en"], "words": 9, "weighing": {"overlap": 1.5}}
    (tmp_path / "config.json").write_text(json.dumps(config | {"sha256": {}, "calibration": {}}))
    scores = tmp_path / "scores.jsonl"
    stored = [*rows(4000, "c", 2.0), *rows(4000, "q", 1.0), *rows(4000, "t", 0.5), *rows(4000, "b", 1.0)]
    scores.write_text("\n".join(map(json.dumps, stored)))
    given = ["x", "--scores", scores, "--adapter", adapter, "--config", tmp_path / "config.json"]
    monkeypatch.setattr("sys.argv", [str(part) for part in given])
    main()
    found = read_xl_config(tmp_path)
    assert found.adapter_sha256 == hashlib.sha256(b"adapter").hexdigest()
    assert found.model.fusion_weights.overlap == 1.5
    assert found.model.calibration.support.slope == pytest.approx(0.5, abs=0.1)
    assert found.model.calibration.answers.slope == pytest.approx(1.0, abs=0.2)
    assert found.model.calibration.answers_together.slope == pytest.approx(2.0, abs=0.4)
    assert "support: " in capsys.readouterr().out


def test_of_passages_read_alone_the_best_counts():
    group = [{"k": "b", "score": score, "label": 1, "set": "s", "group": "g"} for score in (-2.0, 1.0, 0.0)]
    assert collected(group)["answers_best"].probabilities == [probability(1.0)]
