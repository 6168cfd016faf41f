"""Weights that read several pairs in one run and mark the tokens of the answer: made here, small and real."""

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

from footnotary.ports import PassageText, Reader
from footnotary.reader.onnx_reader import OnnxReader
from footnotary.testing.reader_conformance import ReaderConformance

onnx = pytest.importorskip("onnx")

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *"who keeps the key caretaker hall . ? she lives lamps are".split()]


def weights(folder: Path, *, masked: bool = True, **config: object) -> Path:
    """A bag of words: "key" speaks for an answer, and is part of it. Padding would be taken for "key" if it counted."""
    helper, kind = onnx.helper, onnx.TensorProto
    table = np.full((len(WORDS), 2), -0.1, np.float32)
    table[WORDS.index("key")] = table[WORDS.index("[PAD]")] = 2.0
    inputs = ["ids", "kinds", *(["mask"] if masked else [])]
    counted = [
        helper.make_node("Cast", ["mask"], ["weight"], to=kind.FLOAT),
        helper.make_node("Unsqueeze", ["weight", "last"], ["weights"]),
        helper.make_node("Mul", ["rows", "weights"], ["counted"]),
    ]
    marks = [
        helper.make_node("Gather", ["table", "ids"], ["marked"]),
        helper.make_node("ReduceMax", ["marked", "last"], ["odds"], keepdims=0),
        helper.make_node("Sigmoid", ["odds"], ["answer_tokens"]),
    ]
    graph = helper.make_graph(
        [
            helper.make_node("Gather", ["table", "ids"], ["rows" if masked else "counted"]),
            *(counted if masked else []),
            helper.make_node("ReduceSum", ["counted", "axis"], ["logits"], keepdims=0),
            helper.make_node("Sigmoid", ["logits"], ["probabilities"]),
            *(marks if masked else []),
        ],
        "reader",
        [helper.make_tensor_value_info(name, kind.INT64, ["n", "t"]) for name in inputs],
        [
            helper.make_tensor_value_info("probabilities", kind.FLOAT, ["n", 2]),
            *([helper.make_tensor_value_info("answer_tokens", kind.FLOAT, ["n", "t"])] if masked else []),
        ],
        [
            onnx.numpy_helper.from_array(table, "table"),
            onnx.numpy_helper.from_array(np.array([1]), "axis"),
            onnx.numpy_helper.from_array(np.array([2]), "last"),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    folder.mkdir(exist_ok=True)
    (folder / "model.onnx").write_bytes(model.SerializeToString())
    tokenizer = Tokenizer(WordLevel({word: i for i, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    hashes = {
        name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in ("model.onnx", "tokenizer.json")
    }
    given = {"name": "made", "max_tokens": 128, "words": 60, "weighing": {}, "sha256": hashes, **config}
    (folder / "config.json").write_text(json.dumps(given), encoding="utf-8")
    return folder


class TestBatched(ReaderConformance):
    @pytest.fixture
    def reader(self, tmp_path: Path) -> Reader:
        return OnnxReader(weights(tmp_path))


class TestWithoutMask(ReaderConformance):
    @pytest.fixture
    def reader(self, tmp_path: Path) -> Reader:
        return OnnxReader(weights(tmp_path, masked=False))


class Counting:
    """A session that counts its runs."""

    def __init__(self, session: object) -> None:
        self.session, self.shapes = session, []

    def run(self, names, inputs):
        self.shapes.append(inputs["ids"].shape)
        return self.session.run(names, inputs)

    def __getattr__(self, name):
        return getattr(self.session, name)


def counted(reader: OnnxReader) -> Counting:
    model = reader._questions._model()
    model._session = Counting(model._session)
    return model._session


PASSAGES = [PassageText("", "the hall " * n + ".") for n in range(1, 41)]
QUESTION = "who keeps the key ?"


def test_pairs_of_like_length_are_run_together(tmp_path: Path):
    reader = OnnxReader(weights(tmp_path, batch=4))
    session = counted(reader)
    reader.answers([(QUESTION, [passage]) for passage in PASSAGES])
    assert len(session.shapes) < len(PASSAGES) / 2
    assert all(pairs <= 4 and tokens % 16 == 0 for pairs, tokens in session.shapes)


def test_with_a_batch_of_one_nothing_is_padded(tmp_path: Path):
    reader = OnnxReader(weights(tmp_path, batch=1))
    session = counted(reader)
    reader.answers([(QUESTION, [passage]) for passage in PASSAGES[:3]])
    assert session.shapes == [(1, tokens) for tokens in (11, 13, 15)]


def test_what_was_read_is_not_read_again(tmp_path: Path):
    reader = OnnxReader(weights(tmp_path))
    first = reader.answers([(QUESTION, PASSAGES[:1])])
    reader._questions._opened = None
    reader._questions._opens = lambda: pytest.fail("the pair was read twice")
    assert reader.answers([(QUESTION, PASSAGES[:1])]) == first
    assert reader.read(QUESTION, PASSAGES[:1])[0].answers == first[0]


def test_a_sentence_is_as_likely_as_its_tokens_are_on_average(tmp_path: Path):
    passage = PassageText("the key", "lamps are .\n\nshe keeps the key . key key")
    reading = OnnxReader(weights(tmp_path)).read(QUESTION, [passage])[0]
    key, other = 1 / (1 + np.exp(-2.0)), 1 / (1 + np.exp(0.1))
    assert len(reading.sentences) == 2
    assert reading.sentences == pytest.approx((other, (3 * key + 4 * other) / 7), abs=1e-5)


def test_a_sentence_outside_of_the_window_gets_0(tmp_path: Path):
    passage = PassageText("", "She keeps the key. " + " ".join(f"Lamps are lit in room {n}." for n in range(60)))
    sentences = OnnxReader(weights(tmp_path)).read(QUESTION, [passage])[0].sentences
    assert len(sentences) == 61
    assert sentences[0] > 0
    assert 0.0 in sentences


def test_probabilities_are_calibrated_for_each_question_asked(tmp_path: Path):
    plain, moved = OnnxReader(weights(tmp_path / "a")), {}
    for question in ("support", "answers", "answers_together", "answers_best"):
        calibration = {question: {"slope": 1.0, "intercept": -2.0}}
        reader = OnnxReader(weights(tmp_path / question, calibration=calibration))
        moved[question] = (
            reader.support([("the key", ["the hall"])])[0] < plain.support([("the key", ["the hall"])])[0],
            reader.answers([(QUESTION, PASSAGES[:1])])[0] < plain.answers([(QUESTION, PASSAGES[:1])])[0],
            reader.answers([(QUESTION, PASSAGES[:2])])[0] < plain.answers([(QUESTION, PASSAGES[:2])])[0],
            reader.best_of([0.5, 0.1]) < 0.5,
        )
    assert moved == {
        "support": (True, False, False, False),
        "answers": (False, True, False, False),
        "answers_together": (False, False, True, False),
        "answers_best": (False, False, False, True),
    }
