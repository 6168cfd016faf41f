"""Which sets of claims the adapter learns from, how often, and how their rows become claims."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from typing import Any

from footnotary.text.sentences.splitter import sentences

Row = dict[str, Any]
# Sets of non-commercial licence (anli, averitec, all of nc) or of none that is stated (`UNLICENSED`) are not here. Long passages with unsupported parts,
# paraphrases and contrasts count more, short and easy sentences less.
TRAIN_PASSES = {
    "snli": 0.05, "mnli": 0.3, "mnli_ni": 0.2, "conjnli": 0.2, "cad_nli": 0.3, "fever_nli": 0.6, "climate_fever": 0.4,
    "cg2c": 2, "control": 2, "covidfact": 1, "defacto": 2, "diasumfact": 2, "factcheck_gpt": 1, "faithdial_audit": 1,
    "feverous": 1.2, "fib": 1.5, "mctest_nli": 0.6, "nli4ct": 1, "q2": 1, "ragtruth": 1, "rte": 0.6, "scitail": 0.5,
    "wice_tokens": 2,
}  # fmt: skip
TRAIN2_PASSES = {
    "ambient_disamb": 2, "cb": 1, "citation_integrity": 1,
    "contractnli": 1, "ecare_direction": 0.15, "entailmentbank": 0.3, "expertqa": 1, "folio": 0.4,
    "fracas": 1, "gofigure_cnndm": 1.5, "hans_gen": 0.2, "help_monotonicity": 0.3, "infotabs": 0.3, "infotabs_hi": 0.8,
    "med_monotonicity": 0.5, "negation_nli": 0.5, "nyu_crowd_mc": 1, "paws": 0.8, "qasc_compose": 0.15, "realsumm_scu": 0.3, "tabfact_pairs": 0.4, "timex_nli": 0.2, "torque_claims": 0.15,
    "tracie": 0.15, "vitaminc_mini": 4,
}  # fmt: skip
# The learned halves of development sets, as `harness.grounding_rows.learned` divides them.
DEV_PASSES = {
    "attributionbench": 3, "begin": 2, "breaking_nli": 0.2, "cad_nli": 0.5, "conjnli": 1, "faithjudge_silver": 1,
    "fm2": 3, "healthver": 2, "lfqa_verif": 2, "mtrag_human": 2, "ragtruth": 2, "scitab": 2, "summedits": 3,
    "wice_claim": 5, "wikibio_gpt3": 1,
}  # fmt: skip
# Sets of claims and questions whose text or labels come without a licence: for measuring, not for weights that ship.
UNLICENSED = (
    "add_one_rte", "aggrefact_cliff_goyal", "apt_human", "dnc_recast", "monli", "mpe", "mrpc", "parade", "politihop",
    "propsegment", "semiauto_wiki_nli", "sni_paraphrase", "temporal_nli", "covidqa_as2", "covidqa_od", "bioasq6_9_golden",
)  # fmt: skip
LONGEST_ANSWER = 120


def claims_of(row: Row, draw: random.Random) -> Iterator[tuple[str, int]]:
    """Sentences with a label each; else the whole claim, and of a supported answer also one sentence."""
    claim = row["claim"].strip()
    if row["level"] == "sentences":
        parts = [part for part in sentences(claim) if len(part.split()) >= 3] or [claim]
        yield from ((part, int(row["label"])) for part in parts)
        return
    if row.get("sentences"):
        for start, end, label in row["sentences"]:
            if len(claim[start:end].split()) >= 4:
                yield claim[start:end].strip(), int(label)
        return
    if row["level"] == "response" and row["label"]:
        parts = [part for part in sentences(claim) if len(part.split()) >= 4]
        if len(parts) > 1:
            yield draw.choice(parts), 1
    if len(claim.split()) <= LONGEST_ANSWER:
        yield claim, int(row["label"])


def held_out_table(name: str, row: Row) -> bool:
    """Whether a row is on one of the tables, one in ten, on which Hindi claims are measured."""
    if not name.startswith("infotabs"):
        return False
    return int(hashlib.sha256(str(row["group"]).encode()).hexdigest(), 16) % 10 == 0
