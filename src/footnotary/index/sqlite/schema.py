"""The tables of the catalog, and the migrations from older versions."""

# `generation` counts a project's changes; `stamp` is a random id of each change, which distinguishes histories that
# diverged (a restored backup, a lost write-ahead log) although their counts are equal. Numbers of chunks are never
# reused: what a derived index says about a number stays true, or the chunk is gone.
SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE projects (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    generation INTEGER NOT NULL,
    stamp TEXT NOT NULL
);
CREATE TABLE documents (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    project INTEGER NOT NULL REFERENCES projects,
    id TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    path TEXT NOT NULL,
    title TEXT NOT NULL,
    code TEXT NOT NULL,
    media_type TEXT NOT NULL,
    encoding TEXT NOT NULL,
    licence TEXT,
    chunks INTEGER NOT NULL,
    digest TEXT NOT NULL,
    labels TEXT NOT NULL,
    offsets TEXT NOT NULL,
    text TEXT NOT NULL,
    layout BLOB,
    UNIQUE (project, id)
);
CREATE TABLE chunks (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    project INTEGER NOT NULL REFERENCES projects,
    document INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
    generation INTEGER NOT NULL,
    id TEXT NOT NULL,
    f_document TEXT NOT NULL,
    f_work TEXT NOT NULL,
    f_section TEXT NOT NULL,
    f_chapter TEXT NOT NULL,
    f_class TEXT NOT NULL,
    f_subject TEXT NOT NULL,
    f_language TEXT NOT NULL,
    start INTEGER NOT NULL,
    stop INTEGER NOT NULL,
    page INTEGER,
    kind TEXT NOT NULL,
    digest TEXT NOT NULL,
    section TEXT NOT NULL,
    labels TEXT NOT NULL,
    origin TEXT NOT NULL,
    text TEXT NOT NULL,
    UNIQUE (project, id)
);
CREATE INDEX chunks_by_document ON chunks (document);
CREATE INDEX chunks_by_generation ON chunks (project, generation);
CREATE INDEX chunks_by_facet ON chunks
    (project, f_section, f_work, f_document, f_chapter, f_class, f_subject, f_language);
CREATE TABLE vectors (
    chunk INTEGER PRIMARY KEY REFERENCES chunks ON DELETE CASCADE,
    vector BLOB NOT NULL
);
CREATE TABLE aliases (
    project INTEGER NOT NULL,
    alias TEXT NOT NULL,
    chunk INTEGER NOT NULL REFERENCES chunks ON DELETE CASCADE,
    PRIMARY KEY (project, alias, chunk)
) WITHOUT ROWID;
CREATE INDEX aliases_by_chunk ON aliases (chunk);
CREATE TABLE changes (
    project INTEGER NOT NULL REFERENCES projects,
    generation INTEGER NOT NULL,
    stamp TEXT NOT NULL,
    removed TEXT NOT NULL,
    PRIMARY KEY (project, generation)
) WITHOUT ROWID;
"""

# Since version 3. `standings` (validity and storage time) is a separate table because columns after a document's text
# are slow to read; a document of an earlier version has no row. `texts` holds the passages of former versions, each
# text once however many versions had it.
HISTORY_SCHEMA = """
CREATE TABLE standings (
    document INTEGER PRIMARY KEY REFERENCES documents ON DELETE CASCADE,
    project INTEGER NOT NULL REFERENCES projects,
    stored_at TEXT NOT NULL,
    validity TEXT
);
CREATE INDEX standings_said ON standings (project) WHERE validity IS NOT NULL;
CREATE TABLE versions (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    project INTEGER NOT NULL REFERENCES projects,
    id TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    path TEXT NOT NULL,
    title TEXT NOT NULL,
    code TEXT NOT NULL,
    chunks INTEGER NOT NULL,
    media_type TEXT NOT NULL,
    validity TEXT,
    stored_at TEXT,
    retired_at TEXT NOT NULL,
    successor TEXT
);
CREATE INDEX versions_by_document ON versions (project, id);
CREATE TABLE texts (digest TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE former_chunks (
    version INTEGER NOT NULL REFERENCES versions ON DELETE CASCADE,
    project INTEGER NOT NULL,
    id TEXT NOT NULL,
    aliases TEXT NOT NULL,
    start INTEGER NOT NULL,
    stop INTEGER NOT NULL,
    page INTEGER,
    kind TEXT NOT NULL,
    digest TEXT NOT NULL REFERENCES texts,
    section TEXT NOT NULL,
    labels TEXT NOT NULL,
    origin TEXT NOT NULL
);
CREATE INDEX former_chunks_by_id ON former_chunks (project, id);
CREATE INDEX former_chunks_by_version ON former_chunks (version);
CREATE INDEX former_chunks_by_text ON former_chunks (digest);
"""

# Since version 4: a checksum of each row (`seals`). Rows of an earlier version get the checksum of their current state.
CHECKSUM_SCHEMA = """
ALTER TABLE meta ADD COLUMN seal BLOB;
ALTER TABLE projects ADD COLUMN seal BLOB;
ALTER TABLE documents ADD COLUMN seal BLOB;
ALTER TABLE chunks ADD COLUMN seal BLOB;
ALTER TABLE vectors ADD COLUMN seal BLOB;
ALTER TABLE aliases ADD COLUMN seal BLOB;
ALTER TABLE changes ADD COLUMN seal BLOB;
ALTER TABLE standings ADD COLUMN seal BLOB;
ALTER TABLE versions ADD COLUMN seal BLOB;
ALTER TABLE texts ADD COLUMN seal BLOB;
ALTER TABLE former_chunks ADD COLUMN seal BLOB;
"""

# Since version 5: the flags of the examination at ingest; NULL in rows that were never examined.
FLAGS_SCHEMA = """
ALTER TABLE chunks ADD COLUMN flags TEXT;
ALTER TABLE former_chunks ADD COLUMN flags TEXT;
"""


def split_statements(script: str) -> tuple[str, ...]:
    """The statements of a script, one by one, for use inside a transaction."""
    return tuple(filter(None, map(str.strip, script.split(";"))))


# The migration to the next schema version, by the current version.
MIGRATIONS = {
    1: ("ALTER TABLE documents ADD COLUMN layout BLOB",),
    2: split_statements(HISTORY_SCHEMA),
    3: split_statements(CHECKSUM_SCHEMA),
    4: split_statements(FLAGS_SCHEMA),
}
