"""The container files say what a careful operator would: pinned, unprivileged, read-only, reachable from here only."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
KNOWN = "FROM RUN COPY ENV LABEL WORKDIR USER VOLUME EXPOSE STOPSIGNAL HEALTHCHECK ENTRYPOINT CMD ARG".split()
TAG = re.compile(r"^[a-z0-9./-]+:(?!latest$)[\w][\w.-]*\d[\w.-]*$")


def instructions():
    """(word, rest) of each instruction, continued lines joined."""
    found = []
    joined = re.sub(r"\\\n", " ", re.sub(r"^\s*#.*\n", "", (ROOT / "Dockerfile").read_text(), flags=re.M))
    for line in filter(str.strip, joined.splitlines()):
        word, _, rest = line.strip().partition(" ")
        found.append((word, " ".join(rest.split())))
    return found


def rest_of(word):
    return [rest for name, rest in instructions() if name == word]


def test_every_instruction_is_known_and_the_image_comes_first():
    assert {word for word, _ in instructions()} <= set(KNOWN)
    assert [word for word, _ in instructions()[:2]] == ["ARG", "FROM"]


def test_base_images_have_a_version():
    """By tag here; the digest is added where a registry can be reached, and `make verify-release` reports its absence."""
    (default,) = rest_of("ARG")
    name, _, image = default.partition("=")
    assert name == "PYTHON_IMAGE"
    tag, _, digest = image.partition("@")
    assert TAG.match(tag), tag
    assert not digest or re.fullmatch("sha256:[0-9a-f]{64}", digest)
    assert {image.split()[0] for image in rest_of("FROM")} == {"${PYTHON_IMAGE}"}


def test_the_last_stage_does_not_run_as_root():
    last = [word for word, _ in instructions()]
    stage = instructions()[len(last) - 1 - last[::-1].index("FROM") :]
    users = [rest for word, rest in stage if word == "USER"]
    assert users
    assert users[-1].split(":")[0] not in ("root", "0")
    names = [word for word, _ in stage]
    assert names.index("USER") < names.index("ENTRYPOINT")


def test_programs_are_started_without_a_shell():
    for word in ("ENTRYPOINT", "CMD"):
        for rest in rest_of(word):
            assert isinstance(json.loads(rest), list)
    (health,) = rest_of("HEALTHCHECK")
    assert json.loads(health[health.index("CMD") + 3 :])[0] == "python"


def test_the_build_backend_is_pinned_by_hash_and_stays_out_of_the_image():
    pins = (ROOT / "requirements" / "build.txt").read_text()
    assert re.search(r"^hatchling==[\d.]+ \\$", pins, re.M)
    names = re.findall(r"^([a-z][\w.-]*)==(\S+) \\$", pins, re.M)
    assert len(names) == pins.count("==") >= 5
    dev = (ROOT / "requirements" / "dev.txt").read_text()
    for name, version in names:
        assert f"\n{name}=={version} " in dev, "the wheels of the image are built with what the tests use"
    assert "/opt/build" not in " ".join(rest for rest in rest_of("COPY"))


@pytest.mark.parametrize("port", [8081, 9123])
def test_the_health_check_asks_the_configured_port(tmp_path, port):
    """Run as the container would run it, against a server that says which port was asked."""
    (health,) = rest_of("HEALTHCHECK")
    command = json.loads(health[health.index("CMD") + 3 :])
    (tmp_path / "sitecustomize.py").write_text(
        "import urllib.request\nurllib.request.urlopen = lambda url, timeout: print(url, timeout)\n"
    )
    environment = {"FOOTNOTARY_PORT": str(port), "PYTHONPATH": str(tmp_path), "PATH": "/usr/bin:/bin"}
    done = subprocess.run([sys.executable, *command[1:]], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == f"http://127.0.0.1:{port}/healthz 2\n"


def test_packages_are_installed_from_hashes_and_leave_no_lists_behind():
    runs = " ; ".join(rest_of("RUN"))
    for command in re.findall(r"pip install[^;&]*", runs):
        assert "--require-hashes" in command or "--no-deps --no-index /wheels/" in command, command
    (built,) = re.findall(r"pip wheel[^;&]*", runs)
    assert "--no-build-isolation" in built, "the backend comes from its pins"
    assert "--no-deps" in built
    assert "--no-install-recommends" in runs
    assert "rm -rf /var/lib/apt/lists/*" in runs
    assert not re.search(r"\b(?:sudo|curl|wget|apt-get upgrade)\b", runs)
    for command in rest_of("RUN"):
        shlex.split(command)


def test_what_is_copied_is_there_and_is_let_through():
    allowed = [line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")]
    for rest in rest_of("COPY"):
        if rest.startswith("--from="):
            continue
        for source in rest.split()[:-1]:
            assert (ROOT / source).exists(), source
            assert source in allowed, source


def test_no_secret_stands_in_the_image():
    text = "".join(f"{word} {rest}\n" for word, rest in instructions() if word in ("ENV", "ARG", "LABEL"))
    assert not re.search(r"KEY|SECRET|TOKEN|PASSWORD", text)


def test_the_pins_hold_the_service_and_no_folder_of_a_machine():
    pins = (ROOT / "requirements" / "service.txt").read_text()
    for name in ("fastapi", "uvicorn", "cryptography", "prometheus-client", "python-multipart", "mcp", "pypdfium2"):
        assert re.search(rf"^{name}==[\d.]+ \\$", pins, re.M), name
    assert "file://" not in pins


@pytest.fixture(scope="module")
def compose():
    yaml = pytest.importorskip("yaml")
    return yaml.safe_load((ROOT / "compose.yaml").read_text())


def test_the_composition_is_the_service_and_qdrant(compose):
    assert set(compose["services"]) == {"service", "qdrant"}
    used = {mount.split(":")[0] for one in compose["services"].values() for mount in one["volumes"]}
    assert used == set(compose["volumes"])


@pytest.mark.parametrize("name", ["service", "qdrant"])
def test_a_container_has_no_rights_it_does_not_need(compose, name):
    one = compose["services"][name]
    assert one["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in one["security_opt"]
    assert "privileged" not in one
    assert TAG.match(one["image"]), one["image"]
    assert one["mem_limit"]
    assert one["pids_limit"]
    for port in one.get("ports", ()):
        assert port.startswith("127.0.0.1:"), "reached from this machine only"


def test_qdrant_is_reached_by_the_service_alone(compose):
    assert compose["services"]["qdrant"]["network_mode"] == "service:service"
    assert "ports" not in compose["services"]["qdrant"]
    assert "//127.0.0.1:6333" in compose["services"]["service"]["environment"]["FOOTNOTARY_QDRANT_URL"]


def test_the_service_starts_without_what_qdrant_alone_needs():
    """Compose fills in the whole file before it leaves out the services of a profile that is not asked for."""
    assert ":?" not in re.sub(r"^\s*#.*", "", (ROOT / "compose.yaml").read_text(), flags=re.M)


@pytest.mark.parametrize(("key", "begins"), [("", False), ("a-long-random-word", True)])
def test_qdrant_does_not_begin_without_a_key(compose, tmp_path, key, begins):
    own = tmp_path / "entrypoint.sh"
    own.write_text("#!/bin/sh\necho begun\n")
    own.chmod(0o755)
    command = [word.replace("$$", "$") for word in compose["services"]["qdrant"]["entrypoint"]]
    environment = {"PATH": "/usr/bin:/bin", "QDRANT__SERVICE__API_KEY": key}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == (("begun\n", 0) if begins else ("", 1))
    assert begins or "QDRANT_API_KEY" in done.stderr


def test_a_node_of_a_cluster_speaks_tls_and_asks_for_a_key():
    yaml = pytest.importorskip("yaml")
    node = yaml.safe_load((ROOT / "docs" / "how-to" / "qdrant-node.compose.yaml").read_text())["services"]["qdrant"]
    said = node["environment"]
    assert said["QDRANT__SERVICE__ENABLE_TLS"] == said["QDRANT__CLUSTER__P2P__ENABLE_TLS"] == "true"
    assert ":?" in said["QDRANT__SERVICE__API_KEY"]
    assert node["cap_drop"] == ["ALL"]
    assert TAG.match(node["image"])


def test_the_service_writes_to_its_volume_alone(compose):
    one = compose["services"]["service"]
    assert one["read_only"] is True
    assert [mount.split(":")[1] for mount in one["volumes"]] == rest_of("ENV")[-1].split("FOOTNOTARY_HOME=")[1].split()[
        :1
    ]


def test_no_secret_has_a_default(compose):
    for one in compose["services"].values():
        for name, value in one["environment"].items():
            if re.search(r"KEY|SECRET|TOKEN|PASSWORD", name):
                assert re.fullmatch(r"\$\{\w+:(?:-|\?[^}]+)\}", value), name


def test_the_image_carries_the_version_of_the_package(compose):
    from footnotary import __version__

    assert compose["services"]["service"]["image"] == f"footnotary:{__version__}"
