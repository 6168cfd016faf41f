"""The speed benchmarks report what they claim to: growth, samples, and peers that could not be installed."""

from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from benchmarks.speed import sampling
from benchmarks.speed.growth import measuring
from benchmarks.speed.growth.measuring import GrowthPath, measure
from benchmarks.speed.peers.__main__ import _better, _reply
from benchmarks.speed.peers.report import as_markdown


def path_that_takes(seconds_at, *, is_repeatable=True):
    """A path on a clock of its own, so that the load of the machine does not matter."""
    clock = SimpleNamespace(now=0.0, prepared=0)

    @contextmanager
    def prepare(size: int, folder: Path):
        clock.prepared += 1
        clock.now += 1000  # preparing is not measured

        def work():
            clock.now += seconds_at(size)

        yield work

    return clock, GrowthPath("a path", 10, "things", prepare, is_repeatable)


@pytest.mark.parametrize("is_repeatable", [True, False])
@pytest.mark.parametrize(("seconds_at", "ratio"), [(lambda n: n, 2.0), (lambda n: n * n, 4.0), (lambda _: 5, 1.0)])
def test_growth_is_the_ratio_of_the_work_alone(monkeypatch, seconds_at, ratio, is_repeatable):
    clock, path = path_that_takes(seconds_at, is_repeatable=is_repeatable)
    monkeypatch.setattr(measuring, "_processor_s", lambda: clock.now)
    result = measure(path, repeats=2)
    assert result.ratio == pytest.approx(ratio)
    assert result.cpu_s[0] == pytest.approx(seconds_at(10))
    assert clock.prepared == (2 if is_repeatable else 4)


def test_samples_name_the_function_and_the_library_it_runs():
    samples = sampling.Samples()
    inner = frame("/x/site-packages/onnxruntime/capi/session.py", "run")
    inner.f_back = frame("/x/footnotary/models/onnx_embedder.py", "_run")
    sampling._add(samples, inner)
    assert samples.functions == {"models/onnx_embedder:_run → onnxruntime": 1}
    assert samples.packages == {"models": 1}


def test_a_thread_that_waits_is_not_counted():
    samples = sampling.Samples()
    waiting = frame("/x/python3.11/threading.py", "wait")
    waiting.f_back = frame("/x/footnotary/service/app.py", "lifespan")
    sampling._add(samples, waiting)
    assert samples.taken == 0


def frame(file: str, name: str) -> SimpleNamespace:
    return SimpleNamespace(f_code=SimpleNamespace(co_filename=file, co_name=name), f_back=None)


@pytest.mark.parametrize("form", ["Source {}:\n{}", "[{}] {}", "Document[{}]: {}"])
def test_the_model_cites_the_source_that_has_the_answer(form):
    shown = [form.format(1, "The pool is open."), form.format(2, "It was built. The tower is old."), "Question?"]
    assert _reply("\n\n".join(shown), "The tower is old.") == "The tower is old. [2]"
    assert _reply(shown[0], "The tower is old.") == "I cannot answer."


def test_the_table_says_what_was_not_installed_and_what_did_not_run():
    record = {"command": "c", "machine": "m", "load": 1.0, "texts": "t", "passages": 5, "dimensions": 8}
    record |= {"environments": {"faiss": {"error": "pip: no such version"}}}
    record |= {"systems": {"chroma": {"error": "it crashed"}, "lancedb": {"ingest_s": 1.5}}}
    text = as_markdown(record)
    assert "| FAISS, IndexFlatIP | did not run: pip: no such version |" in text
    assert "| Chroma, persistent client | did not run: it crashed |" in text
    assert "| LanceDB, table without index | 1.50 |" in text
    assert "| faiss | not installed: pip: no such version | |" in text


def test_a_failed_measurement_does_not_replace_a_good_one():
    good, failed = {"ingest_s": 2.0, "recall": None}, {"error": "it crashed"}
    assert _better(good, failed) == good
    assert _better(failed, good) == good
    assert _better(good, {"ingest_s": 1.0, "recall": None}) == {"ingest_s": 1.0, "recall": None}
