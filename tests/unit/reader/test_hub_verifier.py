"""A checkpoint from elsewhere: a small real one is made here, exported as such checkpoints are, and used by setting."""

import json
from pathlib import Path

import numpy as np
import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

from footnotary import verify_claim
from footnotary.errors import UsageError
from footnotary.reader.hub_verifier import HubVerifier
from footnotary.reader.shipped import open_verifier
from footnotary.verify.claim_checks import evidence_from_texts
from footnotary.verify.meaning.score_fusion import ClaimToVerify, assess_claims

onnx = pytest.importorskip("onnx")

WORDS = ["[UNK]", "[CLS]", "[SEP]", "boxes", "are", "kept", "stored", "dry", "wet", "in", "a", "room", "never"]
NLI = {"0": "contradiction", "1": "neutral", "2": "entailment"}


def checkpoint(folder: Path, labels: dict[str, str], outputs: int, *, entailing: int) -> Path:
    """A bag of words that calls "dry" entailed and "wet" not, with the files a hub checkpoint has."""
    table = np.zeros((len(WORDS), outputs), np.float32)
    table[WORDS.index("dry"), entailing] = 6.0
    table[WORDS.index("wet"), entailing] = -6.0
    helper, ids = onnx.helper, onnx.TensorProto
    graph = helper.make_graph(
        [
            helper.make_node("Gather", ["table", "input_ids"], ["rows"]),
            helper.make_node("ReduceSum", ["rows", "axis"], ["logits"], keepdims=0),
        ],
        "classifier",
        [
            helper.make_tensor_value_info("input_ids", ids.INT64, [1, "n"]),
            helper.make_tensor_value_info("attention_mask", ids.INT64, [1, "n"]),
        ],
        [helper.make_tensor_value_info("logits", ids.FLOAT, [1, outputs])],
        [onnx.numpy_helper.from_array(table, "table"), onnx.numpy_helper.from_array(np.array([1]), "axis")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    folder.mkdir(exist_ok=True)
    (folder / "model.onnx").write_bytes(model.SerializeToString())
    (folder / "config.json").write_text(json.dumps({"id2label": labels, "max_position_embeddings": 64}), "utf-8")
    tokenizer = Tokenizer(WordLevel({word: i for i, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


def test_the_label_that_says_entailment_is_found_by_its_name(tmp_path: Path):
    verifier = HubVerifier(checkpoint(tmp_path / "nli", NLI, 3, entailing=2))
    dry, wet = verifier.support(
        [("boxes are kept dry", ["boxes are stored"]), ("boxes are kept wet", ["boxes are stored"])]
    )
    assert dry > 0.9
    assert wet < 0.1


def test_a_single_output_is_the_probability_itself(tmp_path: Path):
    verifier = HubVerifier(checkpoint(tmp_path / "one", {"0": "LABEL_0"}, 1, entailing=0))
    assert verifier.support([("boxes are kept dry", ["boxes"])])[0] > 0.9


def test_a_checkpoint_is_used_by_setting_instead_of_the_shipped_verifier(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    folder = checkpoint(tmp_path / "nli", NLI, 3, entailing=2)
    monkeypatch.setenv("FOOTNOTARY_VERIFIER", str(folder))
    assert verify_claim("Boxes are kept dry.".lower(), "In a room boxes are stored dry.").supported
    assert not verify_claim("boxes are kept wet.", "In a room boxes are stored, never wet or so.").supported


def test_evidence_that_is_too_long_is_cut_and_the_claim_is_not(tmp_path: Path):
    verifier = HubVerifier(checkpoint(tmp_path / "nli", NLI, 3, entailing=2))
    assert verifier.support([("boxes are kept dry", ["boxes are stored in a room " * 60])])[0] > 0.9


@pytest.mark.parametrize("labels", [{"0": "toxic", "1": "kind"}, {"0": "LABEL_0", "1": "LABEL_1"}])
def test_labels_of_which_none_says_entailment_are_refused(tmp_path: Path, labels: dict[str, str]):
    with pytest.raises(UsageError, match="none of which means entailment"):
        HubVerifier(checkpoint(tmp_path / "other", labels, 2, entailing=0))


def test_the_error_of_a_checkpoint_without_onnx_says_how_to_export(tmp_path: Path):
    folder = checkpoint(tmp_path / "nli", NLI, 3, entailing=2)
    (folder / "model.onnx").unlink()
    with pytest.raises(UsageError, match=r"model\.onnx") as raised:
        open_verifier(str(folder))
    assert "optimum-cli export onnx" in str(raised.value)


def test_a_missing_folder_is_reported(tmp_path: Path):
    with pytest.raises(UsageError, match="there is no verifier"):
        open_verifier(str(tmp_path / "nowhere"))


def test_checks_count_next_to_a_checkpoint_and_not_in_its_score(tmp_path: Path):
    verifier = HubVerifier(checkpoint(tmp_path / "nli", NLI, 3, entailing=2))
    source = ("boxes are not kept dry in a room",)
    claim = "boxes are kept dry in a room"
    found = assess_claims([ClaimToVerify(claim, source, evidence_from_texts(claim, source))], verifier, 1.0)[0]
    assert found.findings
    assert found.score == pytest.approx(verifier.support([(claim, source)])[0], abs=0.01)


def test_a_claim_that_is_too_long_by_itself_gets_nothing(tmp_path: Path):
    verifier = HubVerifier(checkpoint(tmp_path / "nli", NLI, 3, entailing=2))
    assert verifier.support([("boxes are kept dry " * 20, ["boxes are stored dry"])]) == [0.0]
