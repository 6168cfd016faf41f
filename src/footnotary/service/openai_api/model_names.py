"""The values of `model` in OpenAI's API: guard models, profiles, and projects, in this order of precedence."""

from dataclasses import dataclass

from footnotary.service.problems import Problem, choice_of
from footnotary.service.state import ServiceState, TenantState

GUARD_MODEL = "guard"


@dataclass(frozen=True, slots=True)
class ModelSelection:
    """What a model name selects: the documents of a project, or the passages of the request (`project` None)."""

    project: str | None
    profile: str
    upstream: str | None = None


def resolve_model(name: str, tenant: TenantState, service: ServiceState) -> ModelSelection:
    """Resolves a model name. Raises `Problem` if it names nothing.

    A project never takes a name that has another meaning: `NAME@PROFILE` is still a way to name it. The name of the
    default project means that project, also where a profile has the same name.
    """
    projects = tenant.projects()
    base, at, profile = name.rpartition("@")
    if not at:
        base, profile = name, service.default_profile
    kind, _, upstream = base.partition("/")
    if profile in service.profiles:
        if kind == GUARD_MODEL:
            return ModelSelection(None, profile, upstream or None)
        if at and base in projects:
            return ModelSelection(base, profile)
    if kind != GUARD_MODEL and name in projects and not _is_profile_model(name, tenant, service):
        return ModelSelection(name, service.default_profile)
    if name in service.profiles:
        return ModelSelection(tenant.settings.project, name)
    raise Problem("unknown_model", f"This model does not exist; {choice_of(model_names(tenant, service), 'models')}.")


def model_names(tenant: TenantState, service: ServiceState) -> list[str]:
    """The names to list, each once: projects that can be named as they are, profiles, and `guard`."""
    projects = [name for name in tenant.projects() if not is_reserved(name, tenant, service)]
    return list(dict.fromkeys((*projects, *service.profiles, GUARD_MODEL)))


def is_reserved(name: str, tenant: TenantState, service: ServiceState) -> bool:
    """Whether a model name has another meaning than a project of that name, so that none may be created."""
    base, at, profile = name.rpartition("@")
    kind = (base if at else name).partition("/")[0]
    return kind == GUARD_MODEL or (bool(at) and profile in service.profiles) or _is_profile_model(name, tenant, service)


def _is_profile_model(name: str, tenant: TenantState, service: ServiceState) -> bool:
    return name in service.profiles and name != tenant.settings.project
