"""The picture of the code is held by the code: imports go down only, vendors stay in their files."""

import ast
import sys
from pathlib import Path

import pytest

SRC = Path(__file__).parents[2] / "src" / "footnotary"

# Layers from the bottom; a module may import its own layer only where the layer is not made of siblings.
LAYERS = [
    {"domain", "text", "errors", "deprecated", "durable"},
    {"ports", "profiles", "settings"},
    {"ingest", "index", "models", "retrieve", "gate", "generate", "verify", "render", "audit"},
    {"engine", "corpus", "claim", "replay"},
    {"wiring", "external", "compat", "contracts", "evaluate", "conform"},
    {"app"},
    {"service"},
    {"cli", "mcp_server", "integrations"},
]
SIBLINGS = LAYERS[2]
OUTSIDE = {"testing", "weights", "demo_corpus", "__init__"}
VENDORS = {
    "onnxruntime": {"models/"},
    "tokenizers": {"models/"},
    "tantivy": {"index/embedded/tantivy_index.py"},
    "openai": {"generate/chat/openai_model.py"},
    "pypdfium2": {"ingest/pdf/parser.py", "render/page_image.py"},
    "snowballstemmer": {"text/tokens.py"},
    "platformdirs": {"settings.py"},
    "PIL": {"ingest/ocr/images.py", "render/page_image.py"},
    "opentelemetry": {"service/observability/opentelemetry_tracing.py"},
    "prometheus_client": {"service/observability/metrics.py"},
    "typer": {"cli"},
    "rich": {"cli"},
    "mcp": {"mcp_server/server.py", "mcp_server/http.py"},
    "mcp_types": {"mcp_server/server.py"},
    "cryptography": {"audit/signing.py"},
    "qdrant_client": {"index/qdrant/server.py", "index/qdrant/client.py"},
    "ir_measures": {"evaluate/answers/ir_measures_ranking.py"},
    "langchain_core": {"integrations/langchain_runnable.py"},
    "llama_index": {"integrations/llamaindex_engine.py"},
    "haystack": {"integrations/haystack_component.py"},
    "pytest": {"integrations/pytest_plugin.py", "testing/"},
}
MODULES = sorted(SRC.rglob("*.py"))


def part_of(module: str) -> str:
    return module.split(".")[1] if module.count(".") else "__init__"


def imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            if node.module == "footnotary":
                found |= {f"footnotary.{alias.name}" for alias in node.names}
            elif node.module:
                found.add(node.module)
    return found


def own_part(path: Path) -> str:
    return path.relative_to(SRC).parts[0].removesuffix(".py")


def level(part: str) -> int:
    return next(i for i, layer in enumerate(LAYERS) if part in layer)


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(SRC)))
def test_imports_go_down_only(path):
    own = own_part(path)
    if own in OUTSIDE:
        return
    for name in imports(path):
        if not name.startswith("footnotary.") or part_of(name) == "__version__":
            continue
        other = part_of(name)
        assert other not in OUTSIDE, f"{own} imports {name}, which is for tests or data"
        if other == own:
            continue
        assert level(other) <= level(own), f"{own} imports {other}, which is above it"
        assert not (own in SIBLINGS and other in SIBLINGS), f"siblings {own} and {other} know each other"


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(SRC)))
def test_a_vendor_is_imported_only_where_its_name_stands(path):
    here = path.relative_to(SRC).as_posix()
    for name in imports(path):
        allowed = VENDORS.get(name.split(".")[0])
        if allowed is not None:
            assert any(here.startswith(place) for place in allowed), f"{here} imports {name}"


@pytest.mark.parametrize("path", sorted((SRC / "domain").glob("*.py")), ids=lambda p: p.name)
def test_the_domain_needs_only_the_standard_library(path):
    for name in imports(path):
        top = name.split(".")[0]
        assert top in sys.stdlib_module_names or name.startswith("footnotary.domain"), f"domain imports {name}"


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(SRC)))
def test_every_module_says_what_it_is_for(path):
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))), path


def test_no_module_has_a_name_that_says_nothing():
    banned = {"utils", "util", "helpers", "helper", "manager", "base", "common", "misc", "handler"}
    assert not [path for path in MODULES if path.stem in banned]


def test_no_module_and_no_package_imports_itself_through_others():
    graph = {module_of(path): own_modules(path) for path in MODULES}
    assert cycles(graph) == []
    packages: dict[str, set[str]] = {}
    for module, others in graph.items():
        own = packages.setdefault(part_of(module), set())
        own |= {part_of(other) for other in others} - {part_of(module)}
    assert cycles(packages) == []


def module_of(path: Path) -> str:
    return "footnotary." + ".".join(path.relative_to(SRC).with_suffix("").parts).removesuffix(".__init__")


def own_modules(path: Path) -> set[str]:
    """The modules of the product that a module imports, wherever in it the import is."""
    known = {module_of(other) for other in MODULES}
    found = imports(path)
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return (found & known) - {module_of(path)}


def cycles(graph: dict[str, set[str]]) -> list[str]:
    """What is left when everything that imports nothing more is taken away again and again."""
    left = {name: set(others) & graph.keys() for name, others in graph.items()}
    while done := {name for name, others in left.items() if not others}:
        left = {name: others - done for name, others in left.items() if name not in done}
    return sorted(left)


def test_what_tests_and_benchmarks_share_is_in_the_harness():
    """Nothing outside `tests` imports from it, benchmarks import nothing from `training`, the product none of them."""
    root = SRC.parents[1]
    forbidden = {
        "src": {"tests", "benchmarks", "training", "harness"},
        "harness": {"tests", "benchmarks", "training"},
        "training": {"tests"},
        "benchmarks": {"tests", "training"},
    }
    found = [
        f"{path.relative_to(root)} imports {name}"
        for folder, others in forbidden.items()
        for path in sorted((root / folder).rglob("*.py"))
        for name in imports(path)
        if name.split(".")[0] in others
    ]
    assert found == []


def test_settings_are_read_by_entry_points_only_and_passed_down():
    """What is below would otherwise miss the settings that a caller gave, such as `open_engine(verifier="lexical")`."""
    readers = {own_part(path) for path in MODULES if "load_settings" in path.read_text(encoding="utf-8")}
    assert readers - {"settings"} <= {"wiring", "cli", "compat", "external", "integrations"}


def test_only_the_engine_makes_answers():
    makers = []
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Answer":
                makers.append(path.relative_to(SRC).as_posix())
    assert makers == ["engine.py"]


def test_no_code_asks_for_the_name_of_a_profile():
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Compare):
                for side in (node.left, *node.comparators):
                    assert not (
                        isinstance(side, ast.Attribute)
                        and side.attr == "name"
                        and isinstance(side.value, ast.Name)
                        and side.value.id in ("profile", "policy")
                    ), f"{path}: policy is data"
