"""Reads uploaded files from a request body: form parts or one raw file, streamed to disk and never held in memory."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from starlette.datastructures import UploadFile
from starlette.requests import ClientDisconnect, Request

from footnotary.errors import UsageError
from footnotary.ingest.uploads import normalize_upload_name
from footnotary.service.jobs.queue import JobQueue, QueueFull
from footnotary.service.jobs.upload_file import FileTooLarge, UploadFileWriter
from footnotary.service.problems import Problem

MAX_FILES = 32
_CHUNK_BYTES = 1 << 20

UPLOAD_BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "properties": {
                        "file": {
                            "type": "array",
                            "items": {"type": "string", "format": "binary"},
                            "minItems": 1,
                            "maxItems": MAX_FILES,
                        }
                    },
                    "required": ["file"],
                    "additionalProperties": False,
                }
            },
            "application/octet-stream": {"schema": {"type": "string", "format": "binary"}},
        },
    }
}


@asynccontextmanager
async def receive_files(
    request: Request, queue: JobQueue, name: str | None, max_bytes: int
) -> AsyncGenerator[list[tuple[UploadFileWriter, str]]]:
    """The files of a request with their names, on disk and ready for `JobQueue.submit`.

    Raises `Problem` for a body without files, for invalid or duplicate names, and for files over the limit. If
    anything is raised, here or in the block, the files are removed.
    """
    files: list[tuple[UploadFileWriter, str]] = []
    try:
        try:
            if _is_form(request):
                if name is not None:
                    _stored_name(name)
                try:
                    await _read_form(request, queue, max_bytes, files)
                except UnicodeError:  # the caller names the charset of a form, and it may not decode the file names
                    raise Problem("bad_request") from None
            else:
                if name is None:
                    raise Problem("bad_name", "A raw file body needs a file name: ?name=act-1948.pdf")
                await _write_file(queue, name, max_bytes, request.stream(), files)
            yield files
        except FileTooLarge:
            raise Problem("too_large", "A file is larger than this service accepts.") from None
        except QueueFull:
            raise Problem("queue_full") from None
        except ClientDisconnect:
            raise Problem("bad_request") from None
    except BaseException:
        for incoming, _ in files:
            incoming.discard()
        raise


def _is_form(request: Request) -> bool:
    return request.headers.get("content-type", "").split(";")[0].strip().lower() == "multipart/form-data"


async def _read_form(
    request: Request, queue: JobQueue, max_bytes: int, files: list[tuple[UploadFileWriter, str]]
) -> None:
    async with request.form(max_files=MAX_FILES, max_fields=0) as form:
        for part in form.getlist("file"):
            if not isinstance(part, UploadFile):
                raise Problem("bad_request")
            name = part.filename or ""
            name.encode("utf-8")  # some charsets decode to lone surrogates, which cannot be stored
            await _write_file(queue, name, max_bytes, _read_chunks(part), files)
        if len(files) != len(form.multi_items()):
            raise Problem("bad_request", 'Send files in parts named "file", and no other parts.')
    if not files:
        raise Problem("empty_file", "The body contains no file.")
    names = [name for _, name in files]
    if second := next((at for at, name in enumerate(names) if name in names[:at]), 0):
        first = names.index(names[second]) + 1
        raise Problem(
            "bad_name",
            f"Files {first} and {second + 1} have the same name; give each file its own name.",
        )


async def _read_chunks(part: UploadFile) -> AsyncIterator[bytes]:
    while piece := await part.read(_CHUNK_BYTES):
        yield piece


def _stored_name(name: str) -> str:
    try:
        return normalize_upload_name(name)
    except UsageError as error:
        raise Problem("bad_name", f"{error.message}; {error.hint}.") from None


async def _write_file(
    queue: JobQueue, name: str, max_bytes: int, pieces: AsyncIterator[bytes], files: list[tuple[UploadFileWriter, str]]
) -> None:
    kept_as = _stored_name(name)
    incoming = await asyncio.to_thread(queue.receive, max_bytes)
    files.append((incoming, kept_as))
    held = bytearray()
    async for piece in pieces:
        held += piece
        if len(held) >= _CHUNK_BYTES:
            await asyncio.to_thread(incoming.write, bytes(held))
            held.clear()
    await asyncio.to_thread(incoming.write, bytes(held))
    if not incoming.size:
        raise Problem("empty_file")
