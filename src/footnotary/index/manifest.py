"""The manifest of an index (embedder, dimensions, schema), and whether it matches the settings."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from footnotary.errors import IndexMismatch, StoreCorrupt

SCHEMA_VERSION = 5


@dataclass(frozen=True, slots=True)
class Manifest:
    """Stored in the catalog when it is created: vectors of two embedders cannot be compared."""

    embedder: str
    dimensions: int
    schema: int = SCHEMA_VERSION

    def entries(self) -> dict[str, str]:
        return {"schema": str(self.schema), "embedder": self.embedder, "dimensions": str(self.dimensions)}

    @staticmethod
    def from_entries(entries: Mapping[str, str], path: Path) -> "Manifest":
        try:
            return Manifest(entries["embedder"], int(entries["dimensions"]), int(entries["schema"]))
        except (KeyError, ValueError, TypeError) as error:
            raise StoreCorrupt(
                f"{path} is a database, but its manifest is not one of Footnotary's: {error!r} is missing or malformed",
                hint="restore the file from a backup, or choose another data directory",
            ) from error


def require_matching_manifest(path: Path, built: Manifest, settings: Manifest) -> None:
    """Raises `IndexMismatch` unless an index built for `built` can be used under `settings`."""
    if built.schema > settings.schema:
        raise IndexMismatch(
            f"index {path} has schema version {built.schema}, but this version of Footnotary reads up to "
            f"{settings.schema}",
            hint="upgrade Footnotary, or use another data directory",
        )
    if built.schema < 1:
        raise StoreCorrupt(
            f"index {path} has schema version {built.schema}, which does not exist",
            hint="restore the file from a backup",
        )
    if (built.embedder, built.dimensions) != (settings.embedder, settings.dimensions):
        raise IndexMismatch(
            f"index {path} was built with {built.embedder} ({built.dimensions} dimensions), "
            f"but settings name {settings.embedder} ({settings.dimensions})",
            hint="run `footnotary reembed`, which embeds every passage again, or set the embedder it was built with",
        )
