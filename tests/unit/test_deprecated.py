"""Names of version 0.1: each still works, and says once what to use."""

import json
import os
import re
import subprocess
import sys
import warnings

import pytest

from footnotary import deprecated, load_profile, verify_claim
from footnotary.deprecated import FootnotaryDeprecationWarning
from footnotary.errors import ProfileError
from footnotary.profiles.schema import Profile
from footnotary.service.observability.metrics import Telemetry
from footnotary.settings import FILE, load_settings

SETTINGS = {"judge": ("small", "small"), "first_pass_from": (7, 7)}


def warnings_of(act):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = act()
    assert {one.category for one in caught} <= {FootnotaryDeprecationWarning}
    return result, [str(one.message) for one in caught]


def test_every_former_setting_is_tried_here():
    assert set(SETTINGS) == set(deprecated.SETTINGS)


@pytest.mark.parametrize("former", sorted(SETTINGS))
@pytest.mark.parametrize("way", ["argument", "variable", "file"])
def test_a_former_setting_works_and_warns(tmp_path, former, way):
    given, wanted = SETTINGS[former]
    present = deprecated.SETTINGS[former]
    variable = f"FOOTNOTARY_{former.upper()}"
    (tmp_path / FILE).write_text(f"{former} = {json.dumps(given)}" if way == "file" else "")

    def load():
        return load_settings(
            {former: given} if way == "argument" else None,
            environ={variable: str(given)} if way == "variable" else {},
            folder=tmp_path,
        )

    settings, said = warnings_of(load)
    assert getattr(settings, present) == wanted
    name, use = (variable, f"FOOTNOTARY_{present.upper()}") if way == "variable" else (f"setting {former}", present)
    assert said == [f"{name} is deprecated, use {use}"]
    assert warnings_of(load)[1] == []


def test_the_former_name_of_lexical_mode_works_and_warns(tmp_path):
    settings, said = warnings_of(lambda: load_settings({"verifier": "words"}, environ={}, folder=tmp_path))
    assert settings.verifier == "lexical"
    assert said == ['verifier = "words" is deprecated, use verifier = "lexical"']


def test_the_present_variable_wins_over_the_former(tmp_path):
    environ = {"FOOTNOTARY_JUDGE": "large", "FOOTNOTARY_VERIFIER": "small"}
    assert warnings_of(lambda: load_settings(environ=environ, folder=tmp_path))[0].verifier == "small"


@pytest.mark.parametrize(
    ("table", "former", "present", "value"),
    [
        ("retrieval", "rerank_judge", "rerank_verifier", "large"),
        ("verification", "judge", "verifier", "small"),
        ("verification", "overrule_threshold", "override_threshold", 0.9),
        ("risk", "judge", "verifier", "small"),
    ],
)
def test_a_former_profile_key_works_warns_and_names_the_same_policy(tmp_path, table, former, present, value):
    assert deprecated.PROFILE_KEYS[table][former] == present
    found = {}
    for key in (former, present):
        path = tmp_path / f"{key}.toml"
        path.write_text(f'name = "own"\nextends = "default"\n[{table}]\n{key} = {json.dumps(value)}\n')
        found[key] = warnings_of(lambda path=path: load_profile(path))
    assert found[former][0] == found[present][0]
    assert found[former][0].digest == found[present][0].digest
    assert found[former][1] == [f"profile key {table}.{former} is deprecated, use {table}.{present}"]
    assert found[present][1] == []


def test_the_former_value_of_a_profile_key_works_and_warns(tmp_path):
    path = tmp_path / "own.toml"
    path.write_text('name = "own"\nextends = "default"\n[verification]\nverifier = "words"\n')
    profile, said = warnings_of(lambda: load_profile(path))
    assert profile.verification.verifier == "lexical"
    assert said == ['verification.verifier = "words" is deprecated, use verification.verifier = "lexical"']


def test_a_key_under_both_names_is_refused(tmp_path):
    path = tmp_path / "own.toml"
    path.write_text('name = "own"\nextends = "default"\n[verification]\njudge = "small"\nverifier = "large"\n')
    with pytest.raises(ProfileError, match=r"verification.judge is the former name of verification.verifier"):
        load_profile(path)


def test_a_stored_profile_is_read_under_either_names_without_a_warning():
    profile = load_profile("legal")
    assert profile.stored()["verification"]["judge"] == "large"
    for content in (profile.stored(), profile.model_dump(mode="json")):
        again, said = warnings_of(lambda content=content: Profile.model_validate(content))
        assert (again, again.digest, said) == (profile, profile.digest, [])


def test_programs_read_a_profile_under_both_names():
    given = deprecated.with_former_keys(load_profile("default").model_dump(mode="json"))
    assert (given["verification"]["judge"], given["verification"]["verifier"]) == ("large", "large")
    assert given["retrieval"]["rerank_judge"] == given["retrieval"]["rerank_verifier"] == "small"


@pytest.mark.parametrize("judge", ["words", "lexical", None])
def test_the_former_argument_of_a_verdict_works_and_warns(judge):
    asked = {} if judge is None else {"judge": judge}
    verdict, said = warnings_of(lambda: verify_claim("Bells ring at noon.", ["Bells ring at noon."], **asked))
    assert verdict.supported
    assert said == ["verify_claim(judge=...) is deprecated, use verify_claim(verifier=...)"] * (judge is not None)


def test_former_metrics_show_the_same_numbers():
    telemetry = Telemetry()
    telemetry.gauge("requests_in_flight", "Requests that run or wait.", lambda: 3)
    telemetry.request_started()
    shown = dict(re.findall(r"^(footnotary_\w+) (\S+)$", telemetry.exposition().decode(), re.MULTILINE))
    assert {name: shown[name] for name in (*deprecated.METRICS, *deprecated.METRICS.values())} == {
        "footnotary_http_requests_under_way": "1.0",
        "footnotary_http_requests_in_progress": "1.0",
        "footnotary_requests_inside": "3.0",
        "footnotary_requests_in_flight": "3.0",
    }


def test_the_command_line_says_it_in_one_line_on_standard_error(tmp_path):
    environ = {k: v for k, v in os.environ.items() if not k.startswith("FOOTNOTARY_")}
    done = subprocess.run(
        [sys.executable, "-m", "footnotary.cli.main", "keys", "list", "--home", str(tmp_path), "--json"],
        env=environ | {"FOOTNOTARY_JUDGE": "words"}, cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert json.loads(done.stdout) == {"keys": []}
    assert done.stderr.splitlines() == [
        "warning: FOOTNOTARY_JUDGE is deprecated, use FOOTNOTARY_VERIFIER",
        'warning: verifier = "words" is deprecated, use verifier = "lexical"',
    ]


def test_a_former_name_of_the_conformance_suite_works_and_warns():
    from footnotary.conform import case

    for former, present in deprecated.CONFORMANCE_NAMES.items():
        found, messages = warnings_of(lambda name=former: getattr(case, name))
        assert found is getattr(case, present)
        assert messages == [f"footnotary.conform.case.{former} is deprecated, use {present}"]
