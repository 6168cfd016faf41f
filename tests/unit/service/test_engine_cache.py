"""Engines of the service: one per profile, the same one for the same policy."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from footnotary.service.engine_cache import EngineCache, Policy
from footnotary.service.problems import Problem
from footnotary.service.state import ServiceState
from footnotary.settings import load_settings
from footnotary.testing.fake_embedder import HashEmbedder


@pytest.fixture
def built(monkeypatch):
    """The profiles that engines were built for."""
    from footnotary.service import state

    real, names = state.build_engine, []

    def build(settings, profile, store, embedder):
        names.append((settings.tenant, profile.name, settings.model))
        return real(settings, profile, store, embedder)

    monkeypatch.setattr(state, "build_engine", build)
    return names


@pytest.fixture
def state(tmp_path):
    state = ServiceState(load_settings({"home": tmp_path}), HashEmbedder())
    yield state
    state.close()


def test_two_questions_under_one_policy_get_the_same_engine(state, built):
    tenant = state.tenant("local")
    assert tenant.engine(Policy("legal", k=7)) is tenant.engine(Policy("legal", k=7))
    assert tenant.session(Policy("legal", k=7)).engine is tenant.engine(Policy("legal", k=7))
    assert len(built) == 1


def test_policies_of_one_profile_share_what_was_built_and_have_their_own_digest(state, built):
    tenant = state.tenant("local")
    few, many = tenant.engine(Policy("legal", k=3)), tenant.engine(Policy("legal", k=9, min_sources=2))
    assert built == [("local", "legal", None)]
    assert (few.profile.retrieval.k, many.profile.retrieval.k) == (3, 9)
    assert many.profile.sufficiency.min_sources == 2
    assert few.profile.digest != many.profile.digest
    assert (few.generator, few.checks, few.store) == (many.generator, many.checks, many.store)


def test_tenants_have_engines_of_their_own(state, built):
    one, other = state.tenant("alpha").engine(Policy("legal")), state.tenant("beta").engine(Policy("legal"))
    assert one.store is not other.store
    assert [name for name, _, _ in built] == ["alpha", "beta"]


def test_threads_that_ask_at_once_build_one_engine(state, built):
    tenant = state.tenant("local")
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: tenant.engine(Policy("compliance")), range(40)))
    assert all(engine is found[0] for engine in found)
    assert len(built) == 1


def test_an_unknown_profile_is_a_problem_and_nothing_is_kept(state, built):
    with pytest.raises(Problem):
        state.tenant("local").engine(Policy("nowhere"))
    assert built == []


def test_the_number_of_adjusted_engines_that_are_kept_is_limited(state):
    tenant, count = state.tenant("local"), []
    cache = EngineCache(lambda name, extractive: count.append(name) or tenant.engine(Policy(name)))
    for number in range(1, 200):
        cache.engine(Policy("legal", k=number))
    assert count == ["legal"]
    assert len(cache._by_policy) == 64
