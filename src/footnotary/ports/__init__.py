"""Every protocol: the edges where a vendor or another process begins. Import them from here."""

from footnotary.ports.answer_line import SILENT, Check, Fact, Generator, Observer, Stage, Submission
from footnotary.ports.models import (
    Answerability,
    Calibration,
    ChatModel,
    Embedder,
    Entailer,
    Message,
    Vector,
    Vectors,
    Weighing,
)
from footnotary.ports.stores import (
    AskedBothWays,
    BuiltFor,
    FormerChunk,
    FormerVersion,
    PutResult,
    Scored,
    ServedStore,
    Store,
    StoredDocument,
)

__all__ = [
    "SILENT",
    "Answerability",
    "AskedBothWays",
    "BuiltFor",
    "Calibration",
    "ChatModel",
    "Check",
    "Embedder",
    "Entailer",
    "Fact",
    "FormerChunk",
    "FormerVersion",
    "Generator",
    "Message",
    "Observer",
    "PutResult",
    "Scored",
    "ServedStore",
    "Stage",
    "Store",
    "StoredDocument",
    "Submission",
    "Vector",
    "Vectors",
    "Weighing",
]
