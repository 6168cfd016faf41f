"""The order of the code is held by a test: imports go down only, without cycles, and vendors stay in their files.

All imports count: those in functions and those under TYPE_CHECKING too.
"""

import ast
import sys
from pathlib import Path

import pytest

from tests.architecture.source_tree import (
    MODULES,
    ROOT,
    SRC,
    imports,
    module_of,
    own_imports,
    part_of,
    relative,
    tree_of,
)

# From the bottom. A part imports from the layers below it, never from another part of its own layer.
LAYERS = (
    {"domain", "errors", "durable", "strict_json", "deprecated"},
    {"text", "ports", "profiles", "settings", "argument_types"},
    {"models", "model_server", "injection"},
    {"reader"},
    {"ingest", "index", "retrieve", "gate", "generate", "verify", "render", "audit"},
    {"engine", "corpus", "claim"},
    {"evaluate", "replay"},
    {"wiring"},
    {"external", "conform", "app"},
    {"compat", "service", "integrations"},
    {"contracts", "mcp_server"},
    {"cli"},
    {"__main__"},
)
# For tests and data: no part of the product imports them. `testing` is for the tests of other stores and models too.
OUTSIDE = {"testing", "weights", "demo_corpus"}

# A vendor is imported by files named after it, or after what it is used for there, and by no others.
VENDORS = {
    "cryptography": {"audit/signing.py"},
    "fastapi": {"service/", "mcp_server/mount.py"},
    "h11": {
        "service/middleware/bounded_protocol.py",
        "service/middleware/connection_rejection.py",
        "service/middleware/strict_heads.py",
    },
    "haystack": {"integrations/haystack_component.py"},
    "httpx": {"index/qdrant/client.py"},
    "ir_measures": {"evaluate/answers/ir_measures_ranking.py"},
    "langchain_core": {"integrations/langchain_runnable.py"},
    "llama_index": {"integrations/llamaindex_engine.py"},
    "mcp": {"mcp_server/server.py", "mcp_server/http.py"},
    "mcp_types": {"mcp_server/server.py"},
    "onnxruntime": {"models/onnx_session.py"},
    "openai": {"model_server/openai_client.py"},
    "opentelemetry": {"service/observability/opentelemetry_tracing.py"},
    "PIL": {"ingest/ocr/images.py", "render/page_image.py"},
    "platformdirs": {"settings.py"},
    "prometheus_client": {"service/observability/metrics.py"},
    "pypdfium2": {"ingest/pdf/parser.py", "render/page_image.py"},
    "pytest": {"integrations/pytest_plugin.py", "testing/"},
    "qdrant_client": {"index/qdrant/"},
    "rich": {"cli/"},
    "snowballstemmer": {"text/tokens.py"},
    "sqlite3": {
        "index/sqlite/",
        "audit/",
        "service/jobs/",
        "service/workers/",
        "app/reembed.py",
        "cli/operations/doctor.py",
    },
    "starlette": {"service/", "mcp_server/"},
    "tantivy": {"index/embedded/tantivy_index.py"},
    "tokenizers": {"models/", "reader/"},
    "typer": {"cli/"},
    "xllamacpp": {"models/xllamacpp_server.py"},
    "uvicorn": {"cli/operations/serve.py", "cli/evaluation/conform.py", "service/"},
}
# Used throughout: arrays and validated models are part of the language here.
FOUNDATIONS = {"numpy", "pydantic", "pydantic_core"}

# What a folder outside the product may not import. What tests, benchmarks and training share is in `harness`.
FORBIDDEN = {
    "src": {"tests", "benchmarks", "training", "harness"},
    "harness": {"tests", "benchmarks", "training"},
    "training": {"tests"},
    "benchmarks": {"tests", "training"},
}


def level(part: str) -> int:
    return next(number for number, layer in enumerate(LAYERS) if part in layer)


def test_every_part_has_one_layer():
    parts = {part_of(module_of(path)) for path in MODULES} - {""}
    listed = [part for layer in LAYERS for part in layer]
    assert sorted(listed) == sorted(parts - OUTSIDE)


def test_imports_go_down_only():
    ordered = [path for path in MODULES if part_of(module_of(path)) not in OUTSIDE | {""}]
    assert [
        f"{relative(path)} imports {name}" for path in ordered for name in own_imports(path) if goes_up(path, name)
    ] == []


def goes_up(path: Path, name: str) -> bool:
    """Whether a module imports another part of the product that is not below its own."""
    own, other = part_of(module_of(path)), part_of(name)
    return other in OUTSIDE or (other != own and level(other) >= level(own))


def test_no_module_imports_itself_through_others():
    assert cycles({module_of(path): own_imports(path) for path in MODULES}) == []


def test_no_package_imports_itself_through_its_siblings():
    """In every package, nested ones included, what lies next to each other (modules and packages) has an order."""
    found = {package: cycle for package, graph in siblings().items() if (cycle := cycles(graph))}
    assert found == {}


def siblings() -> dict[str, dict[str, set[str]]]:
    """For each package the imports between its direct children."""
    graphs: dict[str, dict[str, set[str]]] = {}
    for path in MODULES:
        for name in own_imports(path):
            mine, theirs = module_of(path).split("."), name.split(".")
            shared = next((i for i, pair in enumerate(zip(mine, theirs, strict=False)) if pair[0] != pair[1]), None)
            if shared is not None:
                graph = graphs.setdefault(".".join(mine[:shared]), {})
                graph.setdefault(mine[shared], set()).add(theirs[shared])
                graph.setdefault(theirs[shared], set())
    return graphs


def cycles(graph: dict[str, set[str]]) -> list[str]:
    """The names that are on a cycle or import one."""
    left = {name: set(others) & graph.keys() for name, others in graph.items()}
    while done := {name for name, others in left.items() if not others}:
        left = {name: others - done for name, others in left.items() if name not in done}
    return sorted(left)


def test_a_cycle_would_be_found():
    assert cycles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"e"}, "e": set()}) == ["a", "b", "c"]


@pytest.mark.parametrize("folder", FORBIDDEN)
def test_what_tests_and_benchmarks_share_is_in_the_harness(folder):
    found = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in sorted((ROOT / folder).rglob("*.py"))
        for name in imports(path)
        if name.split(".")[0] in FORBIDDEN[folder]
    ]
    assert found == []


def test_a_vendor_is_imported_only_where_it_belongs():
    """A library that is neither listed here nor standard fails too."""
    free = (sys.stdlib_module_names | FOUNDATIONS | {"footnotary"}) - VENDORS.keys()
    found = [
        f"{relative(path)} imports {name}"
        for path in MODULES
        for name in imports(path)
        if (vendor := name.split(".")[0]) not in free
        and not relative(path).startswith(tuple(VENDORS.get(vendor, {"nowhere"})))
    ]
    assert found == []


@pytest.mark.parametrize("place", sorted({place for places in VENDORS.values() for place in places}))
def test_the_places_of_vendors_exist(place):
    assert (SRC / place).exists()


@pytest.mark.parametrize("path", sorted((SRC / "domain").glob("*.py")), ids=lambda p: p.name)
def test_the_domain_needs_only_the_standard_library(path):
    for name in imports(path):
        top = name.split(".")[0]
        assert top in sys.stdlib_module_names or name.startswith("footnotary.domain"), f"domain imports {name}"


def test_the_tools_imported_what_belongs_to_one_http_route():
    tools = [path for path in MODULES if part_of(module_of(path)) == "mcp_server" and path.name != "mount.py"]
    http_only = ("footnotary.service.routes", "footnotary.service.guard_mode")
    assert [
        f"{relative(path)} imports {name}" for path in tools for name in imports(path) if name.startswith(http_only)
    ] == []


def test_settings_are_read_by_entry_points_only_and_passed_down():
    """What is below would otherwise miss the settings that a caller gave, such as `open_engine(verifier="lexical")`."""
    readers = {part_of(module_of(path)) for path in MODULES if "load_settings" in path.read_text(encoding="utf-8")}
    assert readers - {"settings"} <= {"wiring", "cli", "compat", "external", "integrations"}


def test_only_the_engine_makes_answers():
    assert [relative(path) for path in MODULES if makes_answer(path)] == ["engine.py"]


def makes_answer(path: Path) -> bool:
    calls = [node.func for node in ast.walk(tree_of(path)) if isinstance(node, ast.Call)]
    return any(isinstance(called, ast.Name) and called.id == "Answer" for called in calls)


def test_no_code_asks_for_the_name_of_a_profile():
    for path in MODULES:
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.Compare):
                for side in (node.left, *node.comparators):
                    assert not (
                        isinstance(side, ast.Attribute)
                        and side.attr == "name"
                        and isinstance(side.value, ast.Name)
                        and side.value.id in ("profile", "policy")
                    ), f"{path}: policy is data"
