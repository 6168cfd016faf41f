"""A first pass proposes nearly all of the best rows, and whatever it proposes is scored exactly."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from footnotary.index.embedded import ivf_index, vector_matrix
from footnotary.index.embedded.ivf_build import build_ivf_index
from footnotary.index.embedded.ivf_file import IvfIndexFile
from footnotary.index.embedded.ivf_index import IvfIndex
from footnotary.index.embedded.vector_matrix import MatrixView

DIMENSIONS = 64
Floats = NDArray[np.float32]


def unit(vectors: Floats) -> Floats:
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def passages(count: int, seed: int = 0) -> Floats:
    """Directions as embedders give them: about some hundred subjects, with most of what differs along few axes."""
    dice = np.random.default_rng(seed)
    scale = 1 / np.arange(1, DIMENSIONS + 1) ** 0.7
    subjects = dice.standard_normal((max(4, count // 20), DIMENSIONS)) * scale
    own = dice.standard_normal((count, DIMENSIONS)) * scale
    return unit((subjects[dice.integers(len(subjects), size=count)] + 0.5 * own).astype(np.float32))


def questions_about(vectors: Floats, count: int, seed: int) -> Floats:
    """Directions near some of the passages, as questions are that have an answer."""
    some = vectors[np.random.default_rng(seed).integers(len(vectors), size=count)]
    return unit(some + 0.3 * passages(count, seed + 1))


def made(vectors: Floats) -> IvfIndex:
    first = build_ivf_index(vectors)
    assert first is not None
    return first


def views(vectors: Floats, covered: int | None = None) -> tuple[MatrixView, MatrixView]:
    """The same matrix without and with a first pass over the rows `covered`."""
    exact = MatrixView(np.arange(len(vectors)) * 3, vectors, np.zeros(len(vectors), np.bool_))
    return exact, replace(exact, first=made(vectors[:covered]))


def recall(exact: MatrixView, quick: MatrixView, questions: Floats, allowed: NDArray[np.int64] | None = None) -> float:
    found = wanted = 0
    for question in questions:
        best = dict(exact.search(question, 10, allowed))
        quickly = dict(quick.search(question, 10, allowed))
        assert all(abs(quickly[number] - best[number]) < 2e-6 for number in best.keys() & quickly.keys())
        wanted += len(best)
        found += len(best.keys() & quickly.keys())
    return found / wanted


@pytest.fixture
def few_proposals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets a matrix of some thousands be searched as one of a million."""
    monkeypatch.setattr(ivf_index, "MIN_CANDIDATES", 300)
    monkeypatch.setattr(ivf_index, "_PROBED_SHARE", 0.4)
    monkeypatch.setattr(vector_matrix, "EXACT_MAX_ROWS", 100)


@pytest.mark.usefixtures("few_proposals")
@pytest.mark.parametrize("seed", range(4))
def test_of_the_exact_best_ten_nearly_all_are_found_with_their_exact_scores(seed: int):
    exact, quick = views(passages(6_000, seed))
    questions = questions_about(exact.vectors, 40, seed + 100)
    looked_at = [len(quick.first.proposed(q, 10)) for q in questions if quick.first]
    assert max(looked_at) < 900  # or it would prove nothing
    assert recall(exact, quick, questions) >= 0.98


@pytest.mark.usefixtures("few_proposals")
@pytest.mark.parametrize("share", [0.03, 0.2, 0.6, 0.95])
def test_filters_and_deaths_are_kept_to_and_cost_no_recall(share: float):
    exact, quick = views(passages(6_000))
    dice = np.random.default_rng(3)
    dead = dice.random(6_000) < 0.1
    exact, quick = replace(exact, dead=dead), replace(quick, dead=dead)
    allowed = exact.numbers[np.sort(dice.permutation(6_000)[: int(share * 6_000)])]
    questions = questions_about(exact.vectors, 40, 200)
    forbidden = set(exact.numbers.tolist()) - set(allowed.tolist()) | set(exact.numbers[dead].tolist())
    for question in questions:
        assert not forbidden & {number for number, _ in quick.search(question, 10, allowed)}
    assert recall(exact, quick, questions, allowed) >= 0.98
    assert recall(exact, quick, questions) >= 0.98


@pytest.mark.usefixtures("few_proposals")
def test_a_filter_that_leaves_only_what_is_far_away_is_searched_as_well():
    vectors = passages(6_000)
    exact, quick = views(vectors)
    question = passages(1, 5)[0]
    farthest = exact.numbers[np.sort(np.argsort(vectors @ question)[:2_000])]
    assert recall(exact, quick, question[np.newaxis], farthest) >= 0.9


@pytest.mark.usefixtures("few_proposals")
def test_rows_that_came_after_it_are_all_scored_and_many_of_them_end_its_use():
    exact, quick = views(passages(5_000), covered=4_000)
    for row in (4_000, 4_999):
        assert quick.search(exact.vectors[row], 1)[0][0] == 3 * row
    assert recall(exact, quick, questions_about(exact.vectors, 30, 9)) >= 0.98
    exact, quick = views(passages(5_000), covered=1_000)
    assert recall(exact, quick, questions_about(exact.vectors, 10, 9)) == 1.0


@pytest.mark.usefixtures("few_proposals")
def test_all_that_tie_with_the_last_come_back():
    vectors = passages(6_000)
    vectors[1_000:1_400] = vectors[999]
    exact, quick = views(vectors)
    assert len(quick.search(vectors[999], 3)) == len(exact.search(vectors[999], 3)) >= 401


def test_vectors_that_are_all_the_same_are_searched_exactly():
    exact, quick = views(np.tile(passages(1), (3_000, 1)))
    assert quick.search(exact.vectors[0], 5) == exact.search(exact.vectors[0], 5)


@given(count=st.integers(1, 300), k=st.integers(0, 20), seed=st.integers(0, 3))
@settings(max_examples=40)
def test_a_small_matrix_is_found_whole(count: int, k: int, seed: int):
    exact, quick = views(passages(count, seed))
    question = passages(1, seed + 50)[0]
    found, expected = dict(quick.search(question, k)), dict(exact.search(question, k))
    assert found == pytest.approx(expected, abs=2e-6)


def test_it_is_the_same_for_the_same_rows_and_none_when_stopped():
    vectors = passages(2_000)
    one, other = made(vectors), made(vectors)
    assert np.array_equal(one.rows, other.rows)
    assert sorted(one.rows.tolist()) == list(range(2_000))
    assert build_ivf_index(vectors, lambda: False) is None


class TestOnDisk:
    @pytest.fixture
    def file(self, tmp_path: Path) -> IvfIndexFile:
        return IvfIndexFile(tmp_path, "matrix-a", DIMENSIONS)

    def test_it_is_read_back_as_it_was(self, file: IvfIndexFile):
        first = made(passages(1_500))
        file.write(first)
        back = file.read(1_500)
        assert back is not None
        assert back.count == 1_500
        assert back.damaged() == []
        for question in passages(5, 7):
            assert np.array_equal(back.proposed(question, 10), first.proposed(question, 10))

    def test_what_is_absent_or_of_another_matrix_is_none(self, file: IvfIndexFile):
        assert file.read(1_500) is None
        file.write(made(passages(1_500)))
        assert file.read(1_499) is None
        assert replace(file, dimensions=32).read(1_500) is None
        file.path.rename(file.path.with_name("matrix-b.first"))
        assert replace(file, name="matrix-b").read(1_500) is None

    @pytest.mark.parametrize("left", [0, 10, 40, 5_000, -1])
    def test_what_is_cut_off_is_none(self, file: IvfIndexFile, left: int):
        file.write(made(passages(1_500)))
        file.path.write_bytes(file.path.read_bytes()[:left])
        assert file.read(1_500) is None

    @given(place=st.floats(0, 1, exclude_max=True), bit=st.integers(0, 7))
    @settings(max_examples=60)
    def test_no_flipped_bit_changes_what_is_proposed(
        self, tmp_path_factory: pytest.TempPathFactory, place: float, bit: int
    ):
        file = IvfIndexFile(tmp_path_factory.mktemp("flipped"), "matrix-a", DIMENSIONS)
        first = made(passages(800))
        file.write(first)
        content = bytearray(file.path.read_bytes())
        content[int(place * len(content))] ^= 1 << bit
        file.path.write_bytes(content)
        back = file.read(800)
        if back is None:
            return
        try:
            found = back.proposed(passages(1, 4)[0], 10)
        except ValueError:
            assert back.damaged()
            return
        assert np.array_equal(found, first.proposed(passages(1, 4)[0], 10))

    def test_a_file_in_the_format_of_an_earlier_version_counts_as_absent(self, file: IvfIndexFile):
        file.write(made(passages(1_500)))
        content = file.path.read_bytes()
        file.path.write_bytes(b"footnotary first pass 1\n" + content[content.index(b"\n") + 1 :])
        assert file.read(1_500) is None


def test_proposed_rows_are_read_from_the_file_and_score_as_in_the_matrix(tmp_path: Path):
    vectors = passages(500)
    vectors.tofile(tmp_path / "matrix.f32")
    rows = np.array([0, 3, 499])
    read = vector_matrix.RowFile(tmp_path / "matrix.f32", DIMENSIONS).rows(rows)
    assert np.array_equal(read, vectors[rows])


@pytest.mark.usefixtures("few_proposals")
def test_an_index_takes_about_half_a_byte_per_dimension():
    first = made(passages(3_000))
    per_row = (first.codes.nbytes + first.fine_codes.nbytes) / first.count
    assert per_row <= DIMENSIONS * 0.65
