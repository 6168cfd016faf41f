"""Weights in 8 bits are unpacked into a graph that gives the same products."""

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from footnotary.errors import BackendError
from footnotary.models.onnx_session import load_session
from footnotary.models.unpacked_graph import write_unpacked

INPUTS, OUTPUTS, BLOCK = 64, 16, 32


def packed_model(*, bits: int = 8, zero_points: bool = False) -> onnx.ModelProto:
    chance = np.random.default_rng(3)
    blob = chance.integers(0, 256, (OUTPUTS, INPUTS // BLOCK, BLOCK * bits // 8), dtype=np.uint8)
    held = [
        numpy_helper.from_array(blob, "w"),
        numpy_helper.from_array(chance.random(OUTPUTS * INPUTS // BLOCK, dtype=np.float32), "scales"),
        numpy_helper.from_array(np.float32(2.5), "half"),
    ]
    names = ["x", "w", "scales"]
    if zero_points:
        held.append(numpy_helper.from_array(np.full(OUTPUTS * INPUTS // BLOCK, 7, np.uint8), "zeros"))
        names.append("zeros")
    numbers = {"K": INPUTS, "N": OUTPUTS, "bits": bits, "block_size": BLOCK, "accuracy_level": 1}
    nodes = [
        helper.make_node("MatMulNBits", names, ["y"], name="p", domain="com.microsoft", **numbers),
        helper.make_node("Mul", ["y", "half"], ["z"]),
    ]
    given = [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["rows", INPUTS])]
    made = [helper.make_tensor_value_info("z", TensorProto.FLOAT, ["rows", OUTPUTS])]
    graph = helper.make_graph(nodes, "g", given, made, held)
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=9)


def outputs(model: bytes | Path) -> np.ndarray:
    rows = np.random.default_rng(4).standard_normal((5, INPUTS)).astype(np.float32)
    return load_session(model, threads=1).run(None, {"x": rows})[0]


def operators(path: Path) -> list[str]:
    return [node.op_type for node in onnx.load(path, load_external_data=False).graph.node]


def test_the_products_stay_the_same(tmp_path):
    model = packed_model().SerializeToString()
    path = write_unpacked(model, {}, tmp_path)
    assert operators(path) == ["MatMul", "Mul"]
    assert outputs(path) == pytest.approx(outputs(model), rel=1e-5, abs=1e-4)


def test_weights_in_a_file_of_their_own_are_found(tmp_path):
    model = packed_model()
    expected = outputs(model.SerializeToString())
    whole = tmp_path / "whole"
    whole.mkdir()
    onnx.save_model(model, whole / "m.onnx", save_as_external_data=True, location="m.bin", size_threshold=0)
    files = {file.name: file.read_bytes() for file in whole.iterdir()}
    assert outputs(write_unpacked(files["m.onnx"], files, tmp_path)) == pytest.approx(expected, rel=1e-5, abs=1e-4)


@pytest.mark.parametrize("other", [{"bits": 4}, {"zero_points": True}])
def test_other_kinds_of_weights_stay_packed(tmp_path, other):
    model = packed_model(**other).SerializeToString()
    path = write_unpacked(model, {}, tmp_path)
    assert operators(path) == ["MatMulNBits", "Mul"]
    assert (outputs(path) == outputs(model)).all()


@pytest.mark.parametrize("damaged", [b"\xff" * 20, packed_model().SerializeToString()[:-40]])
def test_what_is_no_model_is_an_error_that_says_so(tmp_path, damaged):
    with pytest.raises(BackendError, match="could not be unpacked"):
        write_unpacked(damaged, {}, tmp_path)
