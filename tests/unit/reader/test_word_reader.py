"""A reader over word vectors keeps the port's promises, and refuses weights or a table that are not its own."""

import json
from pathlib import Path

import pytest

from footnotary.errors import BackendError
from footnotary.models.model_packages import locate_model
from footnotary.ports import PassageText, Reader
from footnotary.reader.word_reader import WordReader
from footnotary.testing.fake_reader import FakeReader
from footnotary.testing.reader_conformance import ReaderConformance

TABLE = locate_model("static-multilingual")
SHIPPED = locate_model("reader-hindi")
PASSAGE = PassageText("नियम", "चाबी रखवाला रखता है। दीपक सोमवार को साफ़ किए जाते हैं।")


def folder_with(tmp_path: Path, **changes: object) -> Path:
    config = json.loads((SHIPPED / "config.json").read_text(encoding="utf-8"))
    (tmp_path / "config.json").write_text(json.dumps(config | changes), encoding="utf-8")
    (tmp_path / "model.npz").write_bytes((SHIPPED / "model.npz").read_bytes())
    return tmp_path


@pytest.mark.trained
class TestWordReader(ReaderConformance):
    @pytest.fixture
    def reader(self) -> Reader:
        return WordReader(SHIPPED, TABLE, FakeReader())


def test_a_folder_without_a_configuration_is_no_reader(tmp_path: Path):
    with pytest.raises(BackendError, match="not a folder of weights"):
        WordReader(tmp_path, TABLE, FakeReader())


def test_a_table_that_it_did_not_learn_with_is_refused(tmp_path: Path):
    with pytest.raises(BackendError, match="needs the table other@1"):
        WordReader(folder_with(tmp_path, table="other@1"), TABLE, FakeReader())


def test_weights_that_are_not_the_named_ones_are_refused(tmp_path: Path):
    reader = WordReader(folder_with(tmp_path, sha256={"model.npz": "0" * 64}), TABLE, FakeReader())
    with pytest.raises(BackendError, match="sha256"):
        reader.read("चाबी कौन रखता है?", [PASSAGE])


def test_of_several_passages_the_best_counts_and_no_more_than_alone():
    reader = WordReader(SHIPPED, TABLE, FakeReader())
    other = PassageText("", "लाल कुर्सियाँ कमरे में हैं।")
    asked = "चाबी कौन रखता है?"
    alone = reader.answers([(asked, [PASSAGE]), (asked, [other])])
    assert 0.0 < reader.answers([(asked, [PASSAGE, other])])[0] <= max(alone)


def test_claims_are_left_to_the_model_of_claims():
    reader = WordReader(SHIPPED, TABLE, FakeReader({"stored": 0.7}))
    assert list(reader.support([("Boxes are kept.", ["Boxes are stored."])])) == [0.7]


def test_headings_alone_answer_nothing():
    reader = WordReader(SHIPPED, TABLE, FakeReader())
    assert reader.read("चाबी कौन रखता है?", [PassageText("चाबी रखवाला रखता है", "")])[0].answers == 0.0
