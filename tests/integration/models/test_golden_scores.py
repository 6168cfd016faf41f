"""Stored scores of the shipped models: every machine, whatever its processor and threads, gives them again."""

import pytest

from benchmarks.speed.score_agreement import CLASSIFIER, EMBEDDER, LARGE, SHIPPED, TOLERANCE, read_golden, scored
from footnotary.models.merged_weights import GRAPH, merged_matrices
from footnotary.models.model_packages import locate_model
from footnotary.models.onnx_embedder import OnnxEmbedder
from footnotary.models.onnx_injection_classifier import OnnxInjectionClassifier
from footnotary.models.onnx_session import read_config
from footnotary.ports import PassageText
from footnotary.reader.onnx_reader import OnnxReader

pytestmark = pytest.mark.trained

GOLDEN = read_golden()
SMALL = "verifier-small"


@pytest.mark.smoke
@pytest.mark.parametrize("name", [LARGE, SMALL])
def test_verifier_scores_agree_with_the_stored_ones(name: str):
    verifier = OnnxReader(locate_model(name))
    pairs = [(said, (passage,)) for said, passage in GOLDEN.texts[name]]
    support, answerable = zip(*GOLDEN.scores[name], strict=True)
    assert verifier.support(pairs) == pytest.approx(support, abs=TOLERANCE)
    questions = [(said, (PassageText("", passage),)) for said, passage in GOLDEN.texts[name]]
    expected = [verifier.calibration.answers.applied(probability) for probability in answerable]
    assert verifier.answers(questions) == pytest.approx(expected, abs=TOLERANCE)


@pytest.mark.smoke
def test_injection_scores_agree_with_the_stored_ones():
    classifier = OnnxInjectionClassifier(locate_model(CLASSIFIER))
    found = [classifier.probability(sentence) for (sentence,) in GOLDEN.texts[CLASSIFIER]]
    assert found == pytest.approx([score for (score,) in GOLDEN.scores[CLASSIFIER]], abs=TOLERANCE)


@pytest.mark.smoke
def test_cosines_agree_with_the_stored_ones():
    embedder = OnnxEmbedder(locate_model(EMBEDDER))
    passages = embedder.embed_passages([passage for _, passage in GOLDEN.texts[EMBEDDER]])
    questions = [embedder.embed_question(said) for said, _ in GOLDEN.texts[EMBEDDER]]
    found = [float(one @ other) for one, other in zip(questions, passages, strict=True)]
    assert found == pytest.approx([score for (score,) in GOLDEN.scores[EMBEDDER]], abs=TOLERANCE)


@pytest.mark.parametrize("name", SHIPPED)
def test_one_and_two_threads_give_the_same_scores(name: str):
    folder, texts = locate_model(name), GOLDEN.texts[name][:4]
    for one, two in zip(scored(name, folder, texts, 1), scored(name, folder, texts, 2), strict=True):
        assert one == pytest.approx(two, abs=1e-4)


@pytest.mark.parametrize(
    ("name", "graph"), [(LARGE, GRAPH), (SMALL, GRAPH), (CLASSIFIER, "model.onnx"), (EMBEDDER, "model.onnx")]
)
def test_models_round_inputs_themselves_and_multiply_integers(name: str, graph: str):
    """Each token is rounded alone and in the graph: no kernel rounds in a way of its own."""
    content = (locate_model(name) / graph).read_bytes()
    assert content.count(b"MatMulInteger") > 0
    assert b"DynamicQuantizeLinear" not in content


@pytest.mark.parametrize("name", [LARGE, SMALL, CLASSIFIER])
def test_what_kernels_may_round_is_multiplied_in_float32(name: str):
    """In int8 every set of kernels rounds in a way of its own, and scores differed by up to 0.05."""
    graph = (locate_model(name) / "model.onnx").read_bytes()
    assert graph.count(b"accuracy_level") == graph.count(b"accuracy_level\x18\x01") > 0


@pytest.mark.parametrize("name", [LARGE, SMALL])
def test_no_product_of_the_readers_saturates(name: str):
    folder = locate_model(name)
    matrices = merged_matrices(folder, read_config(folder)[1])
    assert all(abs(value).max() <= 63 for key, value in matrices.items() if key.endswith(".values"))
