"""The options that the question commands share, as one object, and how a command takes them."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from datetime import date
from functools import wraps
from typing import TYPE_CHECKING, Any, get_type_hints

from footnotary.cli import options as o

if TYPE_CHECKING:
    from footnotary.domain.query import Filters
    from footnotary.profiles.schema import Profile
    from footnotary.settings import Settings

DEFAULT_MODEL = "gpt-4o-mini"

_FILTERS = ("document", "act", "section", "chapter", "class_number", "subject", "language", "trust")


@dataclass(frozen=True, slots=True)
class AskOptions:
    """Where and how one question is asked, as given on the command line; help lists the options in this order."""

    home: o.Home = None
    project: o.Project = None
    profile: o.ProfileName = None
    embedder: o.EmbedderName = None
    verifier: o.VerifierName = None
    top_k: o.TopK = None
    min_sources: o.MinSources = None
    graph: o.Graph = False
    model: o.Model = None
    base_url: o.BaseUrl = None
    use_llm: o.UseLlm = False
    act: o.Act = None
    section: o.Section = None
    chapter: o.Chapter = None
    class_number: o.ClassNumber = None
    subject: o.Subject = None
    language: o.Language = None
    document: o.Document = None
    trust: o.MinTrust = None
    as_of: o.AsOf = None

    def without_filters(self) -> "AskOptions":
        """The same options without the filters."""
        return replace(self, **dict.fromkeys(_FILTERS))  # pyright: ignore[reportArgumentType]

    def filters(self) -> "Filters":
        from footnotary.domain.query import Filters
        from footnotary.domain.validity import TRUST_LEVELS
        from footnotary.errors import UsageError

        if self.trust is not None and self.trust not in TRUST_LEVELS:
            raise UsageError(
                f"--trust: {self.trust!r} is not a level of trust", hint=f"choose from {', '.join(TRUST_LEVELS)}"
            )
        return Filters(**{name: getattr(self, name) for name in _FILTERS})

    def day(self) -> date | None:
        """The day the question is asked for. Raises `UsageError`."""
        from footnotary.cli.dates import parse_day_option

        return None if self.as_of is None else parse_day_option("--as-of", self.as_of)

    def settings(self) -> "Settings":
        """The settings with these options on top."""
        from footnotary.settings import load_settings

        return load_settings(
            {
                "home": self.home,
                "project": self.project,
                "profile": self.profile,
                "embedder": self.embedder,
                "verifier": self.verifier,
                "model": self.model or (DEFAULT_MODEL if self.use_llm else None),
                "base_url": self.base_url,
            }
        )

    def adjusted_profile(self, settings: "Settings") -> "Profile":
        """The profile of the settings with these options on top."""
        from footnotary.profiles.load import load_profile
        from footnotary.profiles.overrides import override_profile

        return override_profile(
            load_profile(settings.profile),
            k=self.top_k,
            min_sources=self.min_sources,
            follow_references=True if self.graph else None,
        )


def takes_ask_options(*, without: tuple[str, ...] = ()) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Replaces the parameter `options` of a command by one parameter for each field of `AskOptions`.

    Typer reads parameters one by one; the command gets them back as one object. Those in `without` are left out.
    """
    hints = get_type_hints(AskOptions, include_extras=True)
    shared = [
        inspect.Parameter(
            field.name, inspect.Parameter.KEYWORD_ONLY, default=field.default, annotation=hints[field.name]
        )
        for field in fields(AskOptions)
        if field.name not in without
    ]
    names = [parameter.name for parameter in shared]

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        own = list(inspect.signature(command, eval_str=True).parameters.values())
        at = [parameter.name for parameter in own].index("options")
        taken = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in (*own[:at], *shared, *own[at + 1 :])]

        @wraps(command)
        def run(**given: Any) -> None:
            options = AskOptions(**{name: given.pop(name) for name in names})
            command(options=options, **given)

        run.__dict__["__signature__"] = inspect.Signature(taken)
        run.__annotations__ = {one.name: one.annotation for one in taken}
        return run

    return decorate
