"""`ingest URL`: downloads one page or PDF from an allowed host, keeps the original, and ingests it."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from footnotary.cli.library.web_download import DownloadPolicy, download, parse_hosts
from footnotary.errors import DocumentError
from footnotary.ingest.report import IngestReport, RejectedFile
from footnotary.ingest.uploads import UPLOAD_ORIGIN_PREFIX, UploadStore, normalize_upload_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from footnotary.corpus import IngestStep
    from footnotary.domain.validity import Validity
    from footnotary.settings import Settings
    from footnotary.wiring import Opened


def ingest_url(
    url: str,
    settings: Settings,
    open_: Opened,
    given: Validity,
    progress: Callable[[IngestStep], None] | None,
) -> IngestReport:
    """The report of one URL. The same URL again replaces its document. Raises `UsageError` for one that is not
    allowed."""
    from footnotary.wiring import tenant_folder

    policy = DownloadPolicy(parse_hosts(settings.ingest_hosts), settings.max_file_mb * 1_000_000, settings.timeout_s)
    try:
        found = download(url, policy)
    except DocumentError as error:
        return IngestReport(failed=(RejectedFile(url, error.reason, error.message, error.hint),))
    name = normalize_upload_name(found.name)
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "download"
        file.write_bytes(found.data)
        report = open_.corpus.ingest_upload(name, file, settings.project, given=given, progress=progress)
        if any(one.path == UPLOAD_ORIGIN_PREFIX + name for one in open_.store.documents(settings.project)):
            UploadStore.of_tenant(tenant_folder(settings)).keep(file, settings.project, name)
    return report


def merge_reports(reports: Sequence[IngestReport]) -> IngestReport:
    """Several reports as one."""
    return IngestReport(
        added=tuple(entry for report in reports for entry in report.added),
        unchanged=tuple(entry for report in reports for entry in report.unchanged),
        replaced=tuple(entry for report in reports for entry in report.replaced),
        failed=tuple(entry for report in reports for entry in report.failed),
        skipped=tuple(entry for report in reports for entry in report.skipped),
        seconds=sum(report.seconds for report in reports),
        interrupted=any(report.interrupted for report in reports),
    )
