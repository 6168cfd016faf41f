"""Policy is data: it loads, it extends, and it cannot loosen the contract."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footnotary.errors import ProfileError
from footnotary.gate.question_type import query_type
from footnotary.profiles.load import BUILT_IN, load_profile
from footnotary.profiles.overrides import override_profile
from footnotary.profiles.schema import CONTRACT_CHECKS
from footnotary.verify.run import checks_for


def write(folder, text):
    path = folder / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_profile_that_ships_keeps_the_contract(name):
    profile = load_profile(name)
    assert set(profile.verification.checks) >= CONTRACT_CHECKS
    assert [check for check, _ in checks_for(profile)] == list(profile.verification.checks)


@pytest.mark.parametrize(
    ("name", "en", "hi"),
    [
        ("legal", "I cannot answer based on the provided documents.", None),
        ("compliance", "I don't have enough information from the indexed documents to answer.", None),
        ("tutor", "I don't know based on NCERT textbooks.", "मुझे NCERT पाठ्यपुस्तकों के आधार पर नहीं पता।"),
    ],
)
def test_the_refusals_are_exact(name, en, hi):
    refusal = load_profile(name).refusal
    assert refusal.text("en") == en
    assert hi is None or refusal.text("hi") == hi


def test_a_profile_extends_another_key_by_key(tmp_path):
    mine = load_profile(write(tmp_path, 'name = "mine"\nextends = "legal"\n[retrieval]\nk = 7\n'))
    legal = load_profile("legal")
    assert (mine.retrieval.k, mine.retrieval.candidates) == (7, legal.retrieval.candidates)
    assert mine.refusal == legal.refusal
    assert mine.digest != legal.digest


def test_a_profile_may_replace_the_wording_of_an_intent(tmp_path):
    mine = load_profile(write(tmp_path, 'name = "mine"\nextends = "legal"\n[intents]\nasks_example = ["sample of"]\n'))
    assert query_type("Show a sample of a deed", mine.intents) == "example"
    assert query_type("Show a sample of a deed", load_profile("legal").intents) == "general"
    assert mine.intents.asks_scope == load_profile("legal").intents.asks_scope


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('name = "x"\nextends = "legal"\n[verification]\nchecks = []\n', "verification.checks must contain"),
        ('name = "x"\nextends = "nobody"\n', "does not exist"),
        ('name = "x"\nextends = "mine.toml"\n', "circular"),
        ('name = "x"\nextends = "legal"\nsurprise = 1\n', "surprise"),
        ('name = "x"\nextends = "legal"\n[sufficiency]\nmin_probe_score = 7\n', "min_probe_score"),
        ('name = "x"\nextends = "legal"\n[intents]\nasks_nothing = []\n', "intents.asks_nothing"),
        ('name = "x"\nextends = "legal"\n[refusal]\nen = "See [1]."\n', "brackets"),
        ("name = \n", "not TOML"),
    ],
)
def test_a_profile_that_does_not_hold_is_refused_with_the_key_named(tmp_path, text, says):
    with pytest.raises(ProfileError, match=says):
        load_profile(write(tmp_path, text))


def test_an_unknown_check_is_an_error_and_not_ignored(tmp_path):
    checks = [*load_profile("default").verification.checks, "looks_nice"]
    path = write(tmp_path, f'name = "x"\nextends = "legal"\n[verification]\nchecks = {checks}\n')
    with pytest.raises(ProfileError, match="looks_nice"):
        checks_for(load_profile(path))


@given(dropped=st.sets(st.sampled_from(sorted(CONTRACT_CHECKS)), min_size=1))
def test_no_profile_can_drop_a_contract_check(tmp_path_factory, dropped):
    kept = [check for check in load_profile("default").verification.checks if check not in dropped]
    path = write(tmp_path_factory.mktemp("p"), f'name = "x"\nextends = "legal"\n[verification]\nchecks = {kept}\n')
    with pytest.raises(ProfileError, match=r"verification\.checks must contain"):
        load_profile(path)


def test_an_adjusted_profile_has_a_digest_of_its_own():
    legal = load_profile("legal")
    assert override_profile(legal) == legal
    assert override_profile(legal, k=9).digest != legal.digest


def test_a_digest_that_was_asked_for_does_not_go_along_into_a_copy():
    legal = load_profile("legal")
    known = legal.digest
    assert override_profile(legal, k=9).digest != known == legal.digest


@pytest.mark.parametrize("name", BUILT_IN)
def test_no_profile_that_ships_states_a_risk_for_another_threshold_than_its_own(name):
    profile = load_profile(name)
    assert not profile.risk.statement or profile.risk.threshold == profile.verification.entailment_threshold


@pytest.mark.parametrize("name", BUILT_IN)
def test_profiles_that_ship_state_both_errors_of_the_readers_that_ship(name):
    profile = load_profile(name)
    measured = profile.risk.answers
    assert measured.statement
    assert measured.threshold == profile.sufficiency.min_answerable
    assert all(low <= share <= high for share, low, high in (measured.false_answers, measured.wrong_refusals))
    assert sum(held.rows for held in measured.sets) >= 90


def test_a_profile_does_not_inherit_how_often_another_one_errs(tmp_path):
    stricter = load_profile(write(tmp_path, 'name = "x"\nextends = "legal"\n[sufficiency]\nmin_answerable = 0.9\n'))
    assert stricter.sufficiency.min_answerable == 0.9
    assert not stricter.risk.answers.statement
    assert stricter.risk.max_unsupported == load_profile("legal").risk.max_unsupported


def test_a_statement_about_another_threshold_is_no_statement(tmp_path):
    stated = 'name = "x"\nextends = "legal"\n[risk]\nstatement = "at most 2 %"\nthreshold = 0.8\n'
    with pytest.raises(ProfileError, match=r"established for the threshold 0\.8"):
        load_profile(write(tmp_path, stated))
    fitting = load_profile(write(tmp_path, stated + "[verification]\nentailment_threshold = 0.8\n"))
    assert fitting.risk.statement == "at most 2 %"


@pytest.mark.parametrize(
    ("text", "said", "hint"),
    [
        ("foo = 1", "foo: unknown key", "choose from name, description, refusal"),
        ("descripton = 'x'", "descripton: unknown key", "did you mean description?"),
        ("[verification]\nentailment_treshold = 0.6", "verification.entailment_treshold: unknown key", "did you mean verification.entailment_threshold?"),
        ("[risk.answers]\nsatement = 'x'", "risk.answers.satement: unknown key", "did you mean risk.answers.statement?"),
        ("on_rejected = 'refuse'", "on_rejected: unknown key", "did you mean generation.on_rejected?"),
    ],
)  # fmt: skip
def test_a_misspelled_key_was_called_an_attempt_to_loosen_the_contract(tmp_path, text, said, hint):
    with pytest.raises(ProfileError) as raised:
        load_profile(write(tmp_path, f"name = 'mine'\nextends = 'default'\n{text}"))
    assert raised.value.message == f"profile 'mine': {said}"
    assert raised.value.hint.startswith(hint)
