"""Labelled rows: what is read, what is filled in, and how a mistake is named."""

import gzip
import json

import pytest

from footnotary.errors import UsageError
from footnotary.evaluate.datasets.labelled_rows import dataset_sha256, read_rows

ROW = {"id": "a:1", "dataset": "a", "split": "dev", "task": "qa", "premise": ["One.", "Two."], "claim": "One.",
       "label": 1, "level": "claim", "group": "g", "label_orig": "whatever"}  # fmt: skip


def write(folder, *rows, name="mine.jsonl"):
    path = folder / name
    text = "".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows)
    if name.endswith(".gz"):
        path.write_bytes(gzip.compress(text.encode()))
    else:
        path.write_text(text, encoding="utf-8")
    return path


def test_a_uniform_row_is_read_and_keys_that_are_not_ours_are_left_alone(tmp_path):
    (row,) = read_rows([write(tmp_path, ROW, name="a.dev.jsonl.gz")])
    assert (row.id, row.dataset, row.task, row.group, row.level) == ("a:1", "a", "qa", "g", "claim")
    assert row.passages == ("One.", "Two.")
    assert row.supported


def test_claim_passages_and_label_are_all_a_row_needs(tmp_path):
    path = write(
        tmp_path, {"claim": "c", "passages": "p", "label": False}, "", {"claim": "d", "premise": [], "label": 1}
    )
    one, two = read_rows([path])
    assert (one.id, one.dataset, one.group, one.level, one.passages) == ("line 1", "mine", "line 1", "claim", ("p",))
    assert (two.id, two.passages) == ("line 3", ())
    assert not one.supported


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ("{", "line 2 is not JSON"),
        ("[" * 100_000, "line 2 is not JSON"),
        ("[]", "line 2 is not an object"),
        ({"premise": "p", "label": 1}, "line 2: claim is missing"),
        ({"claim": "c", "label": 1}, "line 2: premise is missing"),
        ({"claim": "c", "premise": "p"}, "line 2: label is missing"),
        ({"claim": "c", "premise": "p", "label": None}, "line 2: label is missing"),
        ({"claim": "c", "premise": "p", "label": 2}, r"line 2: label must be 1 \(supported\) or 0"),
        ({"claim": "c", "premise": "p", "label": "1"}, "line 2: label must be"),
        ({"claim": "c", "premise": 7, "label": 1}, "line 2: premise must be a text or a list of texts"),
        ({"claim": "c", "passages": ["p", 7], "label": 1}, "line 2: passages must be a text or a list of texts"),
        ({"claim": 7, "premise": "p", "label": 1}, "line 2: claim: "),
        ({"claim": "c", "premise": "p", "label": 1, "level": "page"}, "line 2: level must be response"),
        (
            {"claim": "c", "premise": "p", "label": 1, "sentences": [[0, 9, 1]]},
            "sentence 0 to 9 is not within the claim",
        ),
        (ROW, "line 2: duplicate id 'a:1', first used in .*line 1"),
    ],
)
def test_a_mistake_is_named_with_its_file_and_line(tmp_path, row, says):
    with pytest.raises(UsageError, match=says) as caught:
        read_rows([write(tmp_path, ROW, row)])
    assert "mine.jsonl" in caught.value.message
    assert caught.value.hint


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.csv", b"x", "is not a file of rows"),
        ("a.jsonl", b"\n\n", "contains no rows"),
        ("a.jsonl", b"\xff\xfe{}", "is not UTF-8"),
        ("a.jsonl.gz", b"no gzip", "cannot be read"),
        ("a.jsonl.gz", gzip.compress(b"{}" * 500, mtime=0)[:-9], "cannot be read"),
    ],
)
def test_a_file_that_holds_no_rows_is_named(tmp_path, name, content, says):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(UsageError, match=says):
        read_rows([path])


def test_a_path_that_is_not_there_is_named(tmp_path):
    with pytest.raises(UsageError, match="does not exist"):
        read_rows([tmp_path / "no.jsonl"])


def test_a_folder_is_read_file_by_file_and_an_empty_one_is_a_mistake(tmp_path):
    with pytest.raises(UsageError, match="contains no file of rows"):
        read_rows([tmp_path])
    for name in ("b.jsonl", "a.jsonl.gz"):
        write(tmp_path, {"claim": "c", "premise": "p", "label": 1}, name=name)
    assert [row.dataset for row in read_rows([tmp_path])] == ["a", "b"]


def test_a_limit_draws_the_same_rows_every_time_in_their_order(tmp_path):
    path = write(tmp_path, *({"claim": str(i), "premise": "p", "label": 1} for i in range(50)))
    one, two = (read_rows([path], limit=10) for _ in range(2))
    numbers = [int(row.claim) for row in one]
    assert one == two
    assert numbers == sorted(numbers)
    assert len(numbers) == 10
    assert numbers != list(range(10))


def test_the_key_of_a_row_is_the_hash_of_what_is_scored(tmp_path):
    changes = [{}, {"label": 0}, {"task": "other"}, {"claim": "Two."}, {"premise": "One."}, {"level": "response"}]
    rows = read_rows([write(tmp_path, *(ROW | change | {"id": str(i)} for i, change in enumerate(changes)))])
    keys = [row.key for row in rows]
    assert keys[0] == keys[1] == keys[2]
    assert len(set(keys)) == 4


def test_the_hash_of_the_data_is_that_of_the_file(tmp_path):
    import hashlib

    path = write(tmp_path, ROW)
    assert dataset_sha256([path]) == hashlib.sha256(path.read_bytes()).hexdigest()
    assert dataset_sha256([path, write(tmp_path, ROW, name="b.jsonl")]) != dataset_sha256([path])
