"""Writes a tiny random model of the same architecture with the real vocabulary, to try the recipe without a GPU.

python -m training.xl.tiny_model --model q.gguf --out tiny.gguf
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

LAYERS, WIDTH, INNER, HEADS, GROUPS = 2, 64, 128, 4, 2


def main() -> None:
    from gguf import GGUFReader, GGUFWriter

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    fields = GGUFReader(str(options.model)).fields
    texts = {
        name: [bytes(field.parts[i]).decode("utf-8") for i in field.data]
        for name in ("tokens", "merges")
        for field in (fields[f"tokenizer.ggml.{name}"],)
    }
    kinds = fields["tokenizer.ggml.token_type"]
    template = fields["tokenizer.chat_template"]
    writer = GGUFWriter(str(options.out), "qwen2")
    writer.add_block_count(LAYERS)
    writer.add_context_length(8192)
    writer.add_embedding_length(WIDTH)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(GROUPS)
    writer.add_rope_freq_base(1e6)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("qwen2")
    writer.add_token_list(texts["tokens"])
    writer.add_token_types([int(kinds.parts[i][0]) for i in kinds.data])
    writer.add_token_merges(texts["merges"])
    writer.add_eos_token_id(151645)
    writer.add_chat_template(bytes(template.parts[template.data[0]]).decode("utf-8"))
    draw = np.random.default_rng(1)

    def add(name: str, *shape: int) -> None:
        values = draw.standard_normal(shape).astype(np.float32) * (0.3 if len(shape) == 1 else shape[-1] ** -0.5)
        writer.add_tensor(name, values + 1 if "norm" in name else values)

    rows, beside = len(texts["tokens"]), WIDTH // HEADS * GROUPS
    add("token_embd.weight", rows, WIDTH)
    add("output.weight", rows, WIDTH)
    add("output_norm.weight", WIDTH)
    for layer in range(LAYERS):
        for name, out, given in (
            ("attn_q", WIDTH, WIDTH), ("attn_k", beside, WIDTH), ("attn_v", beside, WIDTH), ("attn_output", WIDTH, WIDTH),
            ("ffn_gate", INNER, WIDTH), ("ffn_up", INNER, WIDTH), ("ffn_down", WIDTH, INNER),
        ):  # fmt: skip
            add(f"blk.{layer}.{name}.weight", out, given)
            if name in ("attn_q", "attn_k", "attn_v"):
                add(f"blk.{layer}.{name}.bias", out)
        for name in ("attn_norm", "ffn_norm"):
            add(f"blk.{layer}.{name}.weight", WIDTH)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    main()
