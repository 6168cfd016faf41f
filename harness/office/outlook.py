"""Writes Outlook messages (.msg): a compound file of streams, and the properties of a message in them."""

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

_SECTOR, _MINI, _CUTOFF = 512, 64, 4096
_FREE, _END, _FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
_STRING, _BINARY, _TIME, _INTEGER = 0x001F, 0x0102, 0x0040, 0x0003
Tree = Mapping[str, "bytes | Tree"]


@dataclass(frozen=True, slots=True)
class OutlookMessage:
    subject: str
    sender: tuple[str, str] = ("Ann Rao", "ann@example.org")
    recipients: Sequence[tuple[str, str]] = (("Bob Das", "bob@example.org"),)
    body: str = ""
    html: str = ""
    sent: datetime | None = None
    attachments: Sequence[tuple[str, bytes]] = field(default=())


def msg(message: OutlookMessage) -> bytes:
    """The message as a file."""
    root: dict[int, object] = {
        0x001A: "IPM.Note", 0x0037: message.subject, 0x0C1A: message.sender[0], 0x0C1F: message.sender[1],
        0x1000: message.body or None, 0x1013: message.html.encode() or None, 0x0039: message.sent, 0x3FDE: 65001,
    }  # fmt: skip
    counts = struct.pack("<8x4I8x", *(len(message.recipients), len(message.attachments)) * 2)
    tree: dict[str, bytes | Tree] = {**_properties(root, counts)}
    for number, (name, address) in enumerate(message.recipients):
        held: dict[int, object] = {0x3001: name, 0x3003: address, 0x39FE: address, 0x0C15: 1}
        tree[f"__recip_version1.0_#{number:08X}"] = _properties(held, bytes(8))
    for number, (name, data) in enumerate(message.attachments):
        held = {0x3707: name, 0x3704: name, 0x3701: data, 0x3705: 1}
        tree[f"__attach_version1.0_#{number:08X}"] = _properties(held, bytes(8))
    return compound_file(tree)


def _properties(values: Mapping[int, object], head: bytes) -> dict[str, bytes | Tree]:
    streams: dict[str, bytes | Tree] = {}
    entries = head
    for tag, value in values.items():
        if value is None:
            continue
        if isinstance(value, int):
            entries += struct.pack("<HHII4x", _INTEGER, tag, 6, value)
        elif isinstance(value, datetime):
            ticks = int((value - datetime(1601, 1, 1, tzinfo=UTC)).total_seconds()) * 10_000_000
            entries += struct.pack("<HHIQ", _TIME, tag, 6, ticks)
        else:
            kind = _BINARY if isinstance(value, bytes) else _STRING
            data = value if isinstance(value, bytes) else str(value).encode("utf-16-le")
            streams[f"__substg1.0_{tag:04X}{kind:04X}"] = data
            entries += struct.pack("<HHII4x", kind, tag, 6, len(data) + (2 if kind == _STRING else 0))
    return {"__properties_version1.0": entries, **streams}


def compound_file(tree: Tree) -> bytes:
    """A compound file (OLE) of nested storages and streams."""
    entries: list[list[object]] = []  # name, type, child, right, stream
    _add("Root Entry", tree, 5, entries)
    sectors: list[bytes] = []
    chains: list[int] = []
    mini, mini_chains = b"", list[int]()

    def store(data: bytes) -> int:
        count = -(-len(data) // _SECTOR)
        first = len(sectors)
        sectors.extend(data[i * _SECTOR : (i + 1) * _SECTOR].ljust(_SECTOR, b"\0") for i in range(count))
        chains.extend([*range(first + 1, first + count), _END] if count else [])
        return first if count else _END

    starts: list[int] = []
    for _, kind, _, _, stream in entries:
        data = stream if isinstance(stream, bytes) else b""
        if kind != 2 or not data:
            starts.append(_END if kind == 2 else 0)
        elif len(data) >= _CUTOFF:
            starts.append(store(data))
        else:
            count = -(-len(data) // _MINI)
            starts.append(len(mini_chains))
            mini_chains += [*range(len(mini_chains) + 1, len(mini_chains) + count), _END]
            mini += data.ljust(count * _MINI, b"\0")
    starts[0] = store(mini)
    directory = b""
    for at, (name, kind, child, right, stream) in enumerate(entries):
        wide = str(name).encode("utf-16-le") + b"\0\0"
        size = len(mini) if at == 0 else len(stream) if isinstance(stream, bytes) else 0
        directory += wide.ljust(64, b"\0") + struct.pack(
            "<HBBIII16xI16xIQ", len(wide), kind, 1, _FREE, right, child, 0, starts[at], size
        )
    first_directory = store(directory.ljust(-(-len(directory) // _SECTOR) * _SECTOR, b"\0"))
    table = b"".join(struct.pack("<I", at) for at in mini_chains)
    first_mini = store(table.ljust(-(-len(table) // _SECTOR) * _SECTOR, b"\xff"))
    fats = 1
    while (len(sectors) + fats) * 4 > fats * _SECTOR:
        fats += 1
    where = list(range(len(sectors), len(sectors) + fats))
    chains.extend([_FAT] * fats)
    fat = b"".join(struct.pack("<I", at) for at in chains).ljust(fats * _SECTOR, b"\xff")
    head = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16)
    head += struct.pack("<HHHHH6xIIIIIIIIII", 0x3E, 3, 0xFFFE, 9, 6, 0, fats, first_directory, 0, _CUTOFF,
        first_mini, -(-len(table) // _SECTOR), _END, 0, where[0])  # fmt: skip
    head += b"".join(struct.pack("<I", at) for at in where[1:]).ljust(108 * 4, b"\xff")
    return head + b"".join(sectors) + fat


def _add(name: str, held: "bytes | Tree", kind: int, entries: list[list[object]]) -> int:
    """Adds an entry and all below it; the siblings are a list, each to the right of the one before."""
    at = len(entries)
    entries.append([name, kind, _FREE, _FREE, held if isinstance(held, bytes) else None])
    if not isinstance(held, bytes):
        before = None
        for below, content in sorted(held.items(), key=lambda item: (len(item[0]), item[0].upper())):
            made = _add(below, content, 2 if isinstance(content, bytes) else 1, entries)
            entries[at if before is None else before][2 if before is None else 3] = made
            before = made
    return at
