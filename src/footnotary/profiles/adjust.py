"""A profile with what one question asks for on top."""

from footnotary.profiles.schema import Profile


def adjusted(
    profile: Profile, *, k: int | None = None, min_sources: int | None = None, follow_references: bool | None = None
) -> Profile:
    """The profile with these values in place of its own, where given; the contract's checks stay as they are.

    The result has a digest of its own, so that a record shows what was really applied.
    """
    retrieval = {"k": k, "follow_references": follow_references}
    sufficiency = {"min_sources": min_sources}
    return profile.model_copy(
        update={
            "retrieval": profile.retrieval.model_copy(update={n: v for n, v in retrieval.items() if v is not None}),
            "sufficiency": profile.sufficiency.model_copy(update={n: v for n, v in sufficiency.items() if v is not None}),
        }
    )
