"""Makes the folder the product loads from a trained verifier: `model.onnx` with small integers, `tokenizer.json`, `config.json`.

python -m training.verifier.export --encoder verifier.npz --tokenizer mpnet.tokenizer.json --bits 4 --name verifier-large --out FOLDER
"""

from __future__ import annotations

import argparse
import hashlib
import json
import tempfile
from pathlib import Path

import numpy as np
import onnx
import torch
from onnxruntime.quantization.matmul_nbits_quantizer import MatMulNBitsQuantizer
from tokenizers import Tokenizer
from torch import nn
from torch.nn import functional

from training.encoder.integer_products import write_external_data
from training.verifier.base_weights import unpack
from training.verifier.encoder import TwoHeadEncoder, distance_buckets
from training.verifier.precision import FLOAT32_PRODUCTS

GROUP = 64
MAX_TOKENS = 512
EVIDENCE_WORDS = 230  # of evidence given to the model: longer and shorter windows did worse on the development sets


class Int8Table(nn.Module):
    """An embedding table held as int8, with one scale for each run of 64 values of a row."""

    def __init__(self, weight: torch.Tensor) -> None:
        super().__init__()
        groups = weight.reshape(weight.shape[0], -1, GROUP)
        scales = (groups.abs().amax(dim=2, keepdim=True) / 127).clamp(min=1e-12)
        self.register_buffer("values", torch.round(groups / scales).to(torch.int8))
        self.register_buffer("scales", scales.half())

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        rows = self.values[ids].to(torch.float32) * self.scales[ids].to(torch.float32)  # type: ignore[index]
        return rows.flatten(start_dim=-2)


class ExportedEncoder(nn.Module):
    """One pair in, the two probabilities out; there is no mask because there is no padding."""

    def __init__(self, encoder: TwoHeadEncoder) -> None:
        super().__init__()
        self.encoder, shape = encoder, encoder.shape
        self.word = Int8Table(encoder.word.weight.detach())
        first = shape.first_place
        self.register_buffer("places", encoder.place.weight.detach()[first : first + MAX_TOKENS].clone())
        if encoder.distance is not None:
            self.register_buffer("near", distance_buckets(MAX_TOKENS, torch.device("cpu")).to(torch.uint8))

    def forward(self, ids: torch.Tensor, kinds: torch.Tensor) -> torch.Tensor:
        encoder, length = self.encoder, ids.shape[1]
        hidden = self.word(ids) + self.places[:length]  # type: ignore[index]
        # A model without kinds accepts them too, so that both have the same signature.
        hidden = hidden + (encoder.kind(kinds) if encoder.kind is not None else (kinds * 0)[..., None].to(hidden.dtype))
        hidden = encoder.ln(hidden)
        bias = None
        if encoder.distance is not None:
            near = self.near[:length, :length].to(torch.long)  # type: ignore[index]
            bias = encoder.distance(near).permute(2, 0, 1)[None]
        for block in encoder.blocks:
            hidden = self._block(block, hidden, bias)
        pooled = torch.cat([hidden[:, 0], hidden.mean(1)], -1)
        # A product of its own and not a Gemm, so that the quantiser takes it.
        inner = torch.tanh(pooled[:, None] @ encoder.dense.weight.T + encoder.dense.bias)[:, 0]
        return torch.sigmoid(encoder.heads(inner))

    def _block(self, block: nn.Module, hidden: torch.Tensor, bias: torch.Tensor | None) -> torch.Tensor:
        width, heads = self.encoder.shape.width, self.encoder.shape.heads
        size = width // heads
        split = block.qkv(hidden).reshape(1, -1, 3, heads, size).permute(2, 0, 3, 1, 4)  # type: ignore[operator]
        weights = split[0] @ split[1].transpose(-1, -2) / size**0.5
        weights = torch.softmax(weights if bias is None else weights + bias, dim=-1)
        attended = (weights @ split[2]).transpose(1, 2).reshape(1, -1, width)
        hidden = block.aln(hidden + block.ao(attended))  # type: ignore[operator]
        return block.fln(hidden + block.f2(functional.gelu(block.f1(hidden))))  # type: ignore[operator]


def export(encoder: TwoHeadEncoder, path: Path, bits: int) -> None:
    """Writes ONNX with inputs `ids` and `kinds` (1, tokens) and output `probabilities` (1, 2)."""
    example = torch.arange(5, 22).reshape(1, -1)
    with tempfile.TemporaryDirectory() as scratch:
        full = Path(scratch) / "full.onnx"
        torch.onnx.export(
            ExportedEncoder(encoder).eval(),
            (example, torch.zeros_like(example)),
            str(full),
            input_names=["ids", "kinds"],
            output_names=["probabilities"],
            dynamic_axes={"ids": {1: "tokens"}, "kinds": {1: "tokens"}},
            opset_version=17,
            dynamo=False,
        )
        quantiser = MatMulNBitsQuantizer(
            onnx.load(full), bits=bits, block_size=32, is_symmetric=True, accuracy_level=FLOAT32_PRODUCTS
        )
        quantiser.process()
        write_external_data(quantiser.model.model, path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--encoder", type=Path, required=True)
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--bits", type=int, default=8, choices=(4, 8))
    parser.add_argument("--name", required=True)
    parser.add_argument("--fusion-weights", type=Path, help="the output of training.verifier.fit_fusion")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    shape, tensors = unpack(options.encoder)
    encoder = TwoHeadEncoder(shape, dropout=0.0)
    missing = encoder.load_state_dict({n: torch.from_numpy(np.array(v)) for n, v in tensors.items()}, strict=False)
    print(missing)
    options.out.mkdir(parents=True, exist_ok=True)
    export(encoder.eval(), options.out / "model.onnx", options.bits)
    tokenizer = Tokenizer.from_file(str(options.tokenizer))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    (options.out / "tokenizer.json").write_text(tokenizer.to_str(pretty=False), encoding="utf-8")
    files = sorted(
        file.name for file in options.out.iterdir() if file.suffix in (".onnx", ".bin") or "tokenizer" in file.name
    )
    config = {
        "name": options.name,
        "max_tokens": MAX_TOKENS,
        "words": EVIDENCE_WORDS,
        "weighing": json.loads(options.fusion_weights.read_text("utf-8")) if options.fusion_weights else {},
        "languages": ["en"],
        "sha256": {file: hashlib.sha256((options.out / file).read_bytes()).hexdigest() for file in files},
    }
    (options.out / "config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
