"""The lexicon applies changes once, however often they are repeated, and all of them or none."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from footnotary.index.embedded import tantivy_index
from footnotary.index.embedded.tantivy_index import TantivyIndex
from footnotary.index.label_matching import FACETS
from footnotary.index.sqlite.changes import IndexEntry
from footnotary.text.tokens import content_terms


def entry(number: int, text: str, title: str = "", section: str = "") -> IndexEntry:
    facets = tuple(section if facet == "section" else "" for facet in FACETS)
    return IndexEntry(number, text, title, "", facets, b"")


def changed(lexicon: TantivyIndex, removed: list[int], added: Iterable[IndexEntry]) -> None:
    with lexicon.writing(removed) as add:
        add(added)


def found(lexicon: TantivyIndex, text: str, k: int = 10, **asked: tuple[str, ...]) -> list[int]:
    return [number for number, _ in lexicon.view().search(content_terms(text), k, asked)]


@pytest.fixture(params=["in memory", "on disk"])
def lexicon(request: pytest.FixtureRequest, tmp_path: Path) -> TantivyIndex:
    return TantivyIndex(None if request.param == "in memory" else tmp_path)


def test_a_change_that_is_repeated_changes_nothing(lexicon: TantivyIndex):
    changed(lexicon, [], [entry(1, "cheating"), entry(2, "wages")])
    for _ in range(3):
        changed(lexicon, [2], [entry(3, "cheating"), entry(4, "wages")])
        assert lexicon.view().count == 3
        assert sorted(found(lexicon, "cheating wages")) == [1, 3, 4]


def test_a_change_that_fails_halfway_leaves_everything_as_it_was(lexicon: TantivyIndex):
    changed(lexicon, [], [entry(1, "cheating")])

    def entries() -> Iterator[IndexEntry]:
        yield entry(2, "wages")
        raise RuntimeError

    with pytest.raises(RuntimeError):
        changed(lexicon, [1], entries())
    assert found(lexicon, "cheating wages") == [1]
    changed(lexicon, [], [entry(3, "wages")])
    assert found(lexicon, "wages") == [3]


def test_a_word_in_the_title_counts_for_more_than_one_in_the_text(lexicon: TantivyIndex):
    changed(lexicon, [], [entry(1, "cheating"), entry(2, "wages", title="cheating")])
    assert found(lexicon, "cheating") == [2, 1]


def test_only_passages_with_an_allowed_key_are_found(lexicon: TantivyIndex):
    changed(lexicon, [], [entry(n, "cheating", section=str(n)) for n in range(1, 6)])
    assert found(lexicon, "cheating", section=("3",)) == [3]
    assert sorted(found(lexicon, "cheating", section=("3", "5", "9"))) == [3, 5]
    assert found(lexicon, "cheating", section=("9",)) == []


def test_all_that_tie_with_the_last_come_back(lexicon: TantivyIndex):
    changed(lexicon, [], [entry(n, "cheating") for n in range(500)] + [entry(500, "cheating cheating")])
    assert len(found(lexicon, "cheating", 1)) == 1
    assert len(found(lexicon, "cheating", 2)) == 501


def test_in_a_large_project_a_word_that_is_everywhere_proposes_nothing(lexicon: TantivyIndex, monkeypatch):
    changed(lexicon, [], [entry(n, "act wages" if n == 7 else "act") for n in range(20)])
    assert len(found(lexicon, "wages act", 20)) == 20
    monkeypatch.setattr(tantivy_index, "LARGE_PROJECT_CHUNKS", 20)
    assert found(lexicon, "wages act", 20) == [7]
    assert len(found(lexicon, "act", 20)) == 20
    assert len(found(lexicon, "act cheating", 20)) == 20


def test_a_view_stays_as_it_was_while_the_lexicon_changes(lexicon: TantivyIndex):
    changed(lexicon, [], [entry(1, "cheating")])
    view = lexicon.view()
    changed(lexicon, [1], [entry(2, "cheating")])
    assert [number for number, _ in view.search(content_terms("cheating"), 5, {})] == [1]


def test_nothing_is_created_where_an_index_should_be(tmp_path: Path):
    with pytest.raises(ValueError, match="no index"):
        TantivyIndex(tmp_path, create=False)
    assert list(tmp_path.iterdir()) == []
