"""A simulated disk with power loss: the system calls of a process on a folder (by strace), and what survives a power loss.

Only synced data is sure to survive: of a file what was written before `fsync`, of a folder the names present when the
folder was synced. Of everything else nothing, all, a part or single sectors survive, at random.
"""

import random
import re
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from posixpath import dirname, normpath

SECTOR = 512
_CALLS = (
    "openat,open,creat,close,dup,dup2,dup3,fcntl,lseek,write,writev,pwrite64,pwritev,ftruncate,truncate,fallocate,"
    "rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,rmdir,link,linkat,fsync,fdatasync,sync_file_range,msync,"
    "copy_file_range,sendfile"
)
_LINE = re.compile(r"(?:(\d+) +)?(?:(\w+)\((.*)|<\.\.\. (\w+) resumed>(.*))$", re.S)
_STRING = re.compile(r'"((?:\\x[0-9a-f]{2})*)"(\.\.\.)?')
_RESULT = re.compile(r"\)\s+= (\d+)(?:<[^<>]*>)?(?: ?\([^()]*\))?$")
_UNFINISHED = " <unfinished ...>"
_UNSUPPORTED = ("sync_file_range", "msync", "copy_file_range", "sendfile", "fallocate", "truncate")


@dataclass(frozen=True, slots=True)
class Call:
    """One system call that succeeded: its name, its arguments as strace writes them, and what it returned."""

    name: str
    args: str
    result: int

    def strings(self) -> list[bytes]:
        found = _STRING.findall(self.args)
        assert not any(cut for _, cut in found), "strace truncated a string"
        return [bytes.fromhex(said.replace("\\x", "")) for said, _ in found]

    def number(self, nth: int) -> int:
        """The nth number among the arguments, counted from the end where negative."""
        plain = re.sub(r"<[^<>]*>(?:\(deleted\))?", "", _STRING.sub("", self.args))
        return int(plain.split(",")[nth].strip(), 0)


def recorded(command: Sequence[str], trace: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[bytes]:
    """Runs a command and writes its file system calls to `trace`."""
    strace = ["strace", "-f", "-qq", "-y", "-xx", "-s", "100000000", "-e", f"trace={_CALLS}", "-o", str(trace)]
    return subprocess.run([*strace, *command], capture_output=True, env=environment, timeout=300)


def calls(trace: Path) -> Iterator[Call]:
    """The calls that succeeded, in the order in which they ended."""
    begun: dict[str, str] = {}
    for line in trace.read_text("ascii", "replace").splitlines():
        found = _LINE.match(line)
        if found is None:
            continue  # a signal, or the end of a thread
        thread, name, rest, resumed, more = found.groups()
        if resumed is not None:
            name, rest = resumed, begun.pop(thread, "") + more
        if rest.endswith(_UNFINISHED):
            begun[thread] = rest.removesuffix(_UNFINISHED)
            if name == "close":  # from here on another thread may get the same descriptor
                yield Call(name, begun[thread], 0)
            continue
        ended = _RESULT.search(rest)
        if ended and resumed != "close":
            yield Call(name, rest[: ended.start()], int(ended[1]))


@dataclass(slots=True)
class _File:
    """The synced content of a file, and its unsynced writes: (offset, bytes), or (size, None) for a truncation."""

    synced: bytearray = field(default_factory=bytearray)
    pending: list[tuple[int, bytes | None]] = field(default_factory=list)
    size: int = 0


@dataclass(slots=True)
class _Folder:
    """The synced names of a folder, and its unsynced changes: a name with its file or folder, None if deleted."""

    synced: dict[str, "_File | _Folder"] = field(default_factory=dict)
    pending: list[dict[str, "_File | _Folder | None"]] = field(default_factory=list)
    moved_to: list["_Folder"] = field(default_factory=list)


@dataclass(slots=True)
class _Handle:
    of: "_File | _Folder"
    at: int = 0
    appends: bool = False


class Disk:
    """The disk under one folder. `do` applies a call, `after_power_loss` writes what might survive a power loss."""

    def __init__(self, root: Path) -> None:
        self._root = str(root.resolve())
        self._top = _Folder()
        self._now: dict[str, _File | _Folder] = {self._root: self._top}
        self._handles: dict[int, _Handle] = {}

    def do(self, call: Call) -> bool:
        """Whether the call changed something under the folder."""
        match call.name:
            case "openat" | "open" | "creat":
                return self._open(call)
            case "close":
                self._handles.pop(call.number(0), None)
                return False
            case "dup" | "dup2" | "dup3":
                return self._copy_handle(call)
            case "fcntl":
                return "F_DUPFD" in call.args and self._copy_handle(call)
            case "rename" | "renameat" | "renameat2":
                return self._rename(call)
            case "unlink" | "unlinkat" | "rmdir":
                path = self._path(call, 0)
                return self._name(path, None) if path in self._now else False
            case "link" | "linkat":
                old = self._path(call, 0)
                return self._name(self._path(call, 1), self._now[old]) if old in self._now else False
            case "mkdir" | "mkdirat":
                path = self._path(call, 0)
                return self._name(path, _Folder()) if self._is_inside(path) else False
        if call.name in _UNSUPPORTED:
            assert self._root.encode().hex() not in call.args.replace("\\x", ""), f"{call.name} is not supported"
            return False
        handle = self._handles.get(call.number(0))
        return handle is not None and self._through(handle, call)

    def _through(self, handle: _Handle, call: Call) -> bool:
        match call.name, handle.of:
            case (("fsync" | "fdatasync"), _File() as file):
                file.synced = _applied(file.synced, file.pending)
                file.pending.clear()
            case (("fsync" | "fdatasync"), _Folder() as folder):
                _settle(folder)
            case "lseek", _:
                handle.at = call.result
                return False
            case "ftruncate", _File() as file:
                self._write(file, call.number(1), None)
            case (("write" | "writev"), _File() as file):
                said = b"".join(call.strings())[: call.result]
                handle.at = file.size if handle.appends else handle.at
                self._write(file, handle.at, said)
                handle.at += len(said)
            case (("pwrite64" | "pwritev"), _File() as file):
                self._write(file, call.number(-1), b"".join(call.strings())[: call.result])
            case _:
                raise AssertionError(f"{call.name} is not supported")
        return True

    def _write(self, file: _File, at: int, said: bytes | None) -> None:
        file.pending.append((at, said))
        file.size = at if said is None else max(file.size, at + len(said))

    def _open(self, call: Call) -> bool:
        path, changed = self._path(call, 0), False
        if not self._is_inside(path):
            self._handles.pop(call.result, None)
            return False
        if path not in self._now:
            assert "O_CREAT" in call.args, f"{path} existed before"
            changed = self._name(path, _File())
        found = self._now[path]
        if "O_TRUNC" in call.args and isinstance(found, _File) and found.size:
            self._write(found, 0, None)
            changed = True
        self._handles[call.result] = _Handle(found, appends="O_APPEND" in call.args)
        return changed

    def _copy_handle(self, call: Call) -> bool:
        held = self._handles.get(call.number(0))
        if held is None:
            self._handles.pop(call.result, None)
        else:
            self._handles[call.result] = held
        return False

    def _rename(self, call: Call) -> bool:
        old, new = self._path(call, 0), self._path(call, 1)
        if old not in self._now:
            return False
        moved = self._now.pop(old)
        self._now[new] = moved
        here, there = self._folder(old), self._folder(new)
        if here is there:
            here.pending.append({old: None, new: moved})
        else:  # both or neither: syncing one folder syncs both
            here.pending.append({old: None})
            there.pending.append({new: moved})
            here.moved_to.append(there)
            there.moved_to.append(here)
        return True

    def _name(self, path: str, what: "_File | _Folder | None") -> bool:
        self._folder(path).pending.append({path: what})
        if what is None:
            del self._now[path]
        else:
            self._now[path] = what
        return True

    def _folder(self, path: str) -> _Folder:
        found = self._now[dirname(path)]
        assert isinstance(found, _Folder)
        return found

    def _is_inside(self, path: str) -> bool:
        return path == self._root or path.startswith(f"{self._root}/")

    def _path(self, call: Call, nth: int) -> str:
        """The nth path among the arguments; a relative path is below the folder named before it."""
        said = call.strings()[nth].decode()
        if not said.startswith("/"):
            before = re.findall(r"<((?:\\x[0-9a-f]{2})+|/[^>]*)>", call.args)[min(nth, 0)]
            base = bytes.fromhex(before.replace("\\x", "")).decode() if before.startswith("\\x") else before
            said = f"{base}/{said}"
        return normpath(said)

    def after_power_loss(self, into: Path, rng: random.Random, *, keeps: str) -> None:
        """Writes what might survive; `keeps` is "nothing", "all" or "some" of the unsynced changes."""
        self._leave(self._top, into, rng, keeps)

    def _leave(self, folder: _Folder, into: Path, rng: random.Random, keeps: str) -> None:
        into.mkdir(exist_ok=True)
        names = dict(folder.synced)
        # Names change in order: file systems journal them.
        kept = {"nothing": 0, "all": len(folder.pending)}.get(keeps, rng.randint(0, len(folder.pending)))
        for change in folder.pending[:kept]:
            _rename_in(names, change)
        for path, what in names.items():
            target = into / Path(path).name
            if isinstance(what, _Folder):
                self._leave(what, target, rng, keeps)
            else:
                target.write_bytes(_applied(what.synced, _kept(what.pending, rng, keeps)))


def _settle(folder: _Folder) -> None:
    together, waiting = [folder], [folder]
    while waiting:
        for other in waiting.pop().moved_to:
            if not any(other is one for one in together):
                together.append(other)
                waiting.append(other)
    for one in together:
        for change in one.pending:
            _rename_in(one.synced, change)
        one.pending.clear()
        one.moved_to.clear()


def _rename_in(names: dict[str, _File | _Folder], change: dict[str, "_File | _Folder | None"]) -> None:
    for path, what in change.items():
        if what is None:
            names.pop(path, None)
        else:
            names[path] = what


def _applied(content: bytearray, writes: Sequence[tuple[int, bytes | None]]) -> bytearray:
    content = bytearray(content)
    for at, said in writes:
        end = at if said is None else at + len(said)
        if len(content) < end:
            content.extend(bytes(end - len(content)))
        if said is None:
            del content[at:]
        else:
            content[at:end] = said
    return content


def _kept(
    writes: Sequence[tuple[int, bytes | None]], rng: random.Random, keeps: str
) -> Sequence[tuple[int, bytes | None]]:
    if keeps != "some":
        return writes if keeps == "all" else ()
    match rng.choice(("nothing", "all", "the first", "any", "sectors")):
        case "nothing":
            return ()
        case "all":
            return writes
        case "the first":
            return writes[: rng.randint(0, len(writes))]
        case "any":
            return [write for write in writes if rng.random() < 0.5]
        case _:
            return [piece for write in writes for piece in _sectors(write) if rng.random() < 0.7]


def _sectors(write: tuple[int, bytes | None]) -> Iterator[tuple[int, bytes | None]]:
    at, said = write
    if said is None:
        yield write
        return
    begins = 0
    while begins < len(said):
        ends = begins + SECTOR - (at + begins) % SECTOR
        yield at + begins, said[begins:ends]
        begins = ends
