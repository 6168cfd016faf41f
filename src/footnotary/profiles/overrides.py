"""Per-question overrides of a profile."""

from footnotary.profiles.schema import OnRejected, Profile


def override_profile(
    profile: Profile,
    *,
    k: int | None = None,
    min_sources: int | None = None,
    follow_references: bool | None = None,
    on_rejected: OnRejected | None = None,
) -> Profile:
    """The profile with these values replaced, where not None; the contract's checks stay as they are.

    The result has its own digest, so that a record shows what was actually applied.
    """
    return profile.model_copy(
        update={
            "retrieval": profile.retrieval.model_copy(update=_without_none(k=k, follow_references=follow_references)),
            "generation": profile.generation.model_copy(update=_without_none(on_rejected=on_rejected)),
            "sufficiency": profile.sufficiency.model_copy(update=_without_none(min_sources=min_sources)),
        }
    )


def _without_none(**values: object) -> dict[str, object]:
    return {name: value for name, value in values.items() if value is not None}
