"""Every exception Footnotary raises, by who can fix it.

    FootnotaryError                 what was seen, and a hint of what to do
    ├── UsageError                  the caller: a wrong argument, an unknown project or profile
    │   ├── ProfileError            a profile that does not load, or that would loosen the contract
    │   ├── UnknownProject          the project does not exist
    │   ├── UnknownSource           no passage of the project has the id
    │   └── IndexMismatch           the index was built by another embedder or a newer version
    ├── DocumentError               the document: unreadable, empty, wrong encoding, over a limit
    ├── BackendError                a store, model server or embedder; `retryable` says whether to try again
    │   ├── StoreLocked             another process is writing
    │   ├── StoreCorrupt            the store is inconsistent
    │   ├── IndexChanging           documents kept changing while a question was answered
    │   ├── RecordingFailed         an outcome could not be recorded, so it was not delivered
    │   └── ModelError              a language model that failed, stalled or returned malformed output
    └── InvariantError              us: an internal invariant was broken

A refusal is not an exception: it is a result (`footnotary.domain.outcome.Refusal`).
"""


class FootnotaryError(Exception):
    """What was seen (the message) and what to do about it (`hint`)."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} ({self.hint})" if self.hint else self.message


class UsageError(FootnotaryError):
    """The caller can fix it."""


class ProfileError(UsageError):
    """The profile does not load, or loosens the contract."""


class UnknownProject(UsageError):
    """The project does not exist, or is empty."""


class UnknownSource(UsageError):
    """No passage, current or superseded, has the id."""


class IndexMismatch(UsageError):
    """The index and the settings do not match."""


class DocumentError(FootnotaryError):
    """The document cannot be ingested; `reason` is a short code such as `no_text` or `wrong_encoding`."""

    def __init__(self, message: str, *, reason: str, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.reason = reason


class BackendError(FootnotaryError):
    """Something Footnotary depends on failed; `retryable` says whether the same call may succeed later."""

    def __init__(self, message: str, *, hint: str = "", retryable: bool = False) -> None:
        super().__init__(message, hint=hint)
        self.retryable = retryable


class StoreLocked(BackendError):
    """Another process holds the writer's lock."""


class StoreCorrupt(BackendError):
    """The store failed its consistency checks."""


class IndexChanging(BackendError):
    """The documents kept changing while a question was answered; it may be asked again."""

    def __init__(self, message: str, *, hint: str = "", retryable: bool = True) -> None:
        super().__init__(message, hint=hint, retryable=retryable)


class RecordingFailed(BackendError):
    """The outcome could not be recorded, so it was not delivered."""


class ModelError(BackendError):
    """The language model failed, stalled, or returned malformed output."""


class InvariantError(FootnotaryError):
    """An internal invariant was broken: a bug in Footnotary."""
