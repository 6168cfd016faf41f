"""What every embedder promises, held by the shipped weights, and what happens when weights are not what they claim."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footnotary.errors import BackendError
from footnotary.models.model_packages import locate_model
from footnotary.models.onnx_embedder import OnnxEmbedder, checked_unit_vector
from footnotary.models.static_embedder import StaticEmbedder

TUNED = locate_model("footnotary-30m")
STATIC = locate_model("static-multilingual")

THEFT = "A person who dishonestly takes movable property out of another's possession commits theft."
WAGES = "Every employer shall pay wages to the workers before the seventh day of the month."
HINDI_THEFT = "जो कोई बेईमानी से किसी की चल सम्पत्ति ले लेता है वह चोरी करता है।"
HINDI_WAGES = "नियोक्ता हर महीने की सात तारीख से पहले मजदूरी देगा।"

Shipped = OnnxEmbedder | StaticEmbedder


@pytest.fixture(scope="module", params=["footnotary-30m", "static-multilingual"])
def embedder(request: pytest.FixtureRequest) -> Shipped:
    return OnnxEmbedder(TUNED) if request.param == "footnotary-30m" else StaticEmbedder(STATIC)


@pytest.fixture(scope="module")
def static() -> StaticEmbedder:
    return StaticEmbedder(STATIC)


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """The small weights in a folder a test may damage."""
    return Path(shutil.copytree(STATIC, tmp_path / "weights"))


def configure(folder: Path, **changes: object) -> None:
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    (folder / "config.json").write_text(json.dumps(config | changes), encoding="utf-8")


def replace(folder: Path, file: str, content: bytes) -> None:
    """Puts another file in its place and makes the configuration agree with it."""
    (folder / file).write_bytes(content)
    sha256 = json.loads((folder / "config.json").read_text(encoding="utf-8"))["sha256"]
    configure(folder, sha256=sha256 | {file: hashlib.sha256(content).hexdigest()})


def test_vectors_are_unit_float32_rows_in_the_order_of_the_texts(embedder: Shipped) -> None:
    vectors = embedder.embed_passages([THEFT, WAGES])
    assert vectors.dtype == np.float32
    assert vectors.shape == (2, embedder.dimensions)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)
    assert np.allclose(vectors[1], embedder.embed_passages([WAGES])[0], atol=1e-6)


def test_no_texts_give_a_matrix_of_no_rows(embedder: Shipped) -> None:
    vectors = embedder.embed_passages([])
    assert vectors.shape == (0, embedder.dimensions)
    assert vectors.dtype == np.float32


@pytest.mark.parametrize("text", ["", " \n\t ", "\u200b", "\ud800", "中文", "\x00", "[PAD]", "<s>", "." * 5000])
def test_a_text_of_nothing_still_gets_a_finite_unit_vector(embedder: Shipped, text: str) -> None:
    for vector in (embedder.embed_passages([text])[0], embedder.embed_question(text)):
        assert np.isfinite(vector).all()
        assert abs(float(np.linalg.norm(vector)) - 1.0) < 1e-5


def test_a_vector_does_not_depend_on_its_company(embedder: Shipped) -> None:
    alone = embedder.embed_passages([THEFT])[0]
    among = embedder.embed_passages([WAGES * 40, "!", THEFT, HINDI_THEFT, "x"])[2]
    assert np.allclose(alone, among, atol=1e-6)


def test_texts_that_repeat_have_a_row_each_time_in_their_place(embedder: Shipped) -> None:
    rows = embedder.embed_passages([THEFT, WAGES, THEFT, "Pay.", WAGES])
    alone = [embedder.embed_passages([text])[0] for text in (THEFT, WAGES, THEFT, "Pay.", WAGES)]
    assert np.array_equal(rows, np.stack(alone))


def test_the_same_text_gives_the_same_bytes_again(embedder: Shipped) -> None:
    texts = [THEFT, WAGES, HINDI_WAGES]
    assert embedder.embed_passages(texts).tobytes() == embedder.embed_passages(texts).tobytes()


def test_layout_is_not_meaning(embedder: Shipped) -> None:
    assert np.array_equal(embedder.embed_question("what is  theft?\n"), embedder.embed_question("what is theft?"))


def test_only_the_first_tokens_of_a_long_text_count(embedder: Shipped) -> None:
    long = "theft of movable property " * 400
    assert np.array_equal(embedder.embed_passages([long])[0], embedder.embed_passages([long + WAGES])[0])


def test_a_question_is_nearest_to_the_passage_that_answers_it(embedder: Shipped) -> None:
    passages = embedder.embed_passages([THEFT, WAGES])
    assert int(np.argmax(passages @ embedder.embed_question("Who is guilty of stealing property?"))) == 0
    assert int(np.argmax(passages @ embedder.embed_question("When must salaries be paid by an employer?"))) == 1


def test_the_fast_tier_reads_hindi_and_finds_english_passages_for_hindi_questions(static: StaticEmbedder) -> None:
    hindi = static.embed_passages([HINDI_THEFT, HINDI_WAGES])
    assert int(np.argmax(hindi @ static.embed_question("मजदूरी कब दी जाएगी?"))) == 1
    english = static.embed_passages([THEFT, WAGES])
    assert int(np.argmax(english @ static.embed_question("कर्मचारी को मजदूरी कब मिलेगी?"))) == 1
    assert static.languages == ("en", "hi")


def test_two_texts_of_which_nothing_is_known_are_not_taken_for_alike(static: StaticEmbedder) -> None:
    assert float(static.embed_passages(["中文"])[0] @ static.embed_question("日本語")) < 0


@settings(max_examples=60, deadline=None)
@given(text=st.text(max_size=300))
def test_any_text_gets_a_finite_unit_vector(text: str) -> None:
    vector = _STATIC.embed_passages([text])[0]
    assert abs(float(np.linalg.norm(vector)) - 1.0) < 1e-4


_STATIC = StaticEmbedder(STATIC)


def test_the_name_changes_with_anything_that_changes_the_vectors(copied: Path) -> None:
    before = StaticEmbedder(copied).name
    assert before == StaticEmbedder(STATIC).name
    assert before.startswith("static-multilingual@")
    configure(copied, max_tokens=64)
    assert StaticEmbedder(copied).name != before


def test_opening_the_weights_loads_neither_numpy_nor_onnxruntime() -> None:
    code = (
        "import sys; from pathlib import Path\n"
        "from footnotary.models.onnx_embedder import OnnxEmbedder\n"
        "from footnotary.models.static_embedder import StaticEmbedder\n"
        f"OnnxEmbedder(Path({str(TUNED)!r})); StaticEmbedder(Path({str(STATIC)!r}))\n"
        "print([name for name in ('numpy', 'onnxruntime', 'tokenizers') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("embedder_class", [OnnxEmbedder, StaticEmbedder])
def test_a_folder_that_is_not_there_is_named_with_what_to_do(tmp_path: Path, embedder_class: type[Shipped]) -> None:
    with pytest.raises(BackendError, match="nowhere") as caught:
        embedder_class(tmp_path / "nowhere")
    assert "reinstall" in caught.value.hint


def test_a_missing_file_is_named(copied: Path) -> None:
    (copied / "table.npy").unlink()
    with pytest.raises(BackendError, match=r"lack table\.npy"):
        StaticEmbedder(copied).embed_question("theft")


def test_a_damaged_file_is_refused_by_its_hash(copied: Path) -> None:
    content = bytearray((copied / "table.npy").read_bytes())
    content[-1] ^= 1
    (copied / "table.npy").write_bytes(content)
    with pytest.raises(BackendError, match="sha256"):
        StaticEmbedder(copied).embed_question("theft")


@pytest.mark.parametrize("file", ["table.npy", "tokenizer.json"])
def test_a_file_of_another_form_is_refused(copied: Path, file: str) -> None:
    replace(copied, file, b"not what it should be")
    with pytest.raises(BackendError, match="could not be loaded"):
        StaticEmbedder(copied).embed_question("theft")


def test_a_table_of_another_width_is_refused(copied: Path) -> None:
    configure(copied, dimensions=127)
    with pytest.raises(BackendError, match="127 dimensions"):
        StaticEmbedder(copied).embed_question("theft")


def test_a_model_onnxruntime_cannot_read_is_refused(copied: Path) -> None:
    replace(copied, "model.onnx", b"not a model")
    with pytest.raises(BackendError, match="could not be loaded") as caught:
        OnnxEmbedder(copied).embed_question("theft")
    assert "onnxruntime" in caught.value.hint


@pytest.mark.parametrize(
    "output",
    [
        np.full((1, 4), np.nan, dtype=np.float32),
        np.full((1, 4), np.inf, dtype=np.float32),
        np.zeros((1, 4), dtype=np.float32),
        np.full((1, 3), 3**-0.5, dtype=np.float32),
        np.full((2, 4), 0.5, dtype=np.float32),
        np.full((4,), 0.5, dtype=np.float32),
    ],
    ids=["nan", "infinite", "zero", "too narrow", "two rows", "no row"],
)
def test_an_output_no_search_could_use_is_an_error(output: np.ndarray) -> None:
    with pytest.raises(BackendError):
        checked_unit_vector(output, "model", 4)
