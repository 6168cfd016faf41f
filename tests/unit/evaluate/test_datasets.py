"""Question sets of every form become the same rows; what is none is named by file and line."""

import gzip
import json

import pytest

from footnotary.errors import UsageError
from footnotary.evaluate.datasets.questions import QuestionSetBuilder
from footnotary.evaluate.datasets.readers import detect_format, read_dataset


def lines(path, *rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def only(dataset):
    (question,) = dataset.questions
    return question


def test_a_row_says_question_answer_relevant_ids_and_tags(tmp_path):
    row = {
        "id": "q1",
        "question": " What is theft? ",
        "answer": "Taking.",
        "relevant": ["IPC_378_0"],
        "tags": ["theft"],
    }
    dataset = read_dataset(lines(tmp_path / "law.jsonl", row))
    found = only(dataset)
    assert (found.id, found.dataset, found.question) == ("q1", "law", "What is theft?")
    assert (found.expected, found.answers, found.relevant, found.tags) == (
        "answer",
        ("Taking.",),
        {"IPC_378_0": 1.0},
        ("theft",),
    )
    assert dataset.passages == ()


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ({"expected": "refusal"}, "refusal"),
        ({"refusal": True}, "refusal"),
        ({"answerable": False, "answer": "x"}, "refusal"),
        ({"answerable": True}, "answer"),
        ({"is_impossible": 1}, "refusal"),
        ({"is_impossible": "true"}, "refusal"),
        ({"is_impossible": "False"}, "answer"),
        ({"answerable": 0.0, "answer": "x"}, "refusal"),
        ({"refusal": "", "answer": "x"}, "answer"),
        ({"relevant": []}, "refusal"),
        ({"relevant": {"A_1_0": 2}}, "answer"),
        ({"answer": ""}, None),
        ({}, None),
    ],
)
def test_what_is_expected_is_read_from_what_a_row_says(row, expected):
    collected = QuestionSetBuilder("rows")
    collected.row({"question": "Why?"} | row, "here")
    assert only(collected.dataset()).expected == expected


def test_an_answer_is_read_next_to_an_empty_list_of_answers():
    collected = QuestionSetBuilder("rows")
    collected.row({"question": "Why?", "answers": [], "answer": "because"}, "here")
    found = only(collected.dataset())
    assert (found.expected, found.answers) == ("answer", ("because",))


def test_what_is_neither_true_nor_false_is_named_by_its_key():
    with pytest.raises(UsageError, match="line 3: is_impossible must be true or false, not 'perhaps'"):
        QuestionSetBuilder("rows").row({"question": "Why?", "is_impossible": "perhaps"}, "line 3")


@pytest.mark.parametrize(("said", "expected"), [("true", "refusal"), ("false", "answer"), (None, "answer")])
def test_squad_reads_true_and_false_written_as_texts(tmp_path, said, expected):
    row = {"question": "a?", "context": "Alpha.", "answers": ["Alpha"], "is_impossible": said}
    assert only(read_dataset(lines(tmp_path / "own.jsonl", row))).expected == expected


def test_the_key_of_a_question_changes_with_what_is_asked_and_not_with_what_is_expected():
    def key(**row):
        collected = QuestionSetBuilder("rows")
        collected.row({"question": "Why?"} | row, "here")
        return only(collected.dataset()).key

    assert key() == key(answer="because", relevant=["A_1_0"])
    assert key() != key(question="Who?")
    assert key() != key(without=["A_1"])


def test_what_is_wanted_changes_with_answers_sources_and_refusal_alone():
    def wanted(**row):
        collected = QuestionSetBuilder("rows")
        collected.row({"question": "Why?"} | row, "here")
        return only(collected.dataset()).wanted

    assert wanted(answers=["a", "b"]) == wanted(answers=["b", "a"], question="Who?", tags=["t"])
    said = [wanted(), wanted(expected="refusal"), wanted(answer="a"), wanted(answer="b"), wanted(relevant=["A_1_0"])]
    assert len(set(said)) == len(said)


def test_passages_of_a_row_are_what_is_relevant_to_it(tmp_path):
    rows = [
        {"question": "a?", "passage": "Alpha.", "answers": ["Alpha"]},
        {"question": "b?", "passage": "Alpha.", "answerable": False},
        {"question": "c?", "passages": [{"id": "x", "text": "Gamma.", "title": "T"}], "answer": "Gamma"},
    ]
    dataset = read_dataset(lines(tmp_path / "own.jsonl", *rows))
    assert [p.text for p in dataset.passages] == ["Alpha.", "Gamma."]
    alpha = dataset.passages[0].id
    assert [dict(q.relevant) for q in dataset.questions] == [{alpha: 1.0}, {}, {"x": 1.0}]
    assert dataset.questions[0].group == dataset.questions[1].group == alpha


def test_beir_is_a_folder_of_corpus_queries_and_qrels(tmp_path):
    lines(
        tmp_path / "b" / "corpus.jsonl",
        {"_id": "d1", "title": "One", "text": "First."},
        {"_id": "d2", "text": "Second."},
    )
    lines(tmp_path / "b" / "queries.jsonl", {"_id": "q1", "text": "what?"}, {"_id": "q2", "text": "not judged"})
    (tmp_path / "b" / "qrels").mkdir()
    (tmp_path / "b" / "qrels" / "train.tsv").write_text("query-id\tcorpus-id\tscore\nq2\td2\t1\n")
    (tmp_path / "b" / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t0\n")
    assert detect_format(tmp_path / "b") == "beir"
    dataset = read_dataset(tmp_path / "b")
    assert only(dataset).relevant == {"d1": 2.0}
    assert [(p.id, p.title) for p in dataset.passages] == [("d1", "One"), ("d2", "")]


def test_a_query_whose_judgments_are_all_zero_is_not_expected_to_be_refused(tmp_path):
    lines(tmp_path / "b" / "corpus.jsonl", {"_id": "d1", "text": "First."})
    lines(tmp_path / "b" / "queries.jsonl", {"_id": "q1", "text": "what?"})
    (tmp_path / "b" / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t0\n")
    (tmp_path / "t").mkdir()
    (tmp_path / "t" / "topics.txt").write_text("q1\twhat?\n")
    (tmp_path / "t" / "qrels.txt").write_text("q1 0 d1 0\nq1 0 d2 -1\n")
    for folder in ("b", "t"):
        found = only(read_dataset(tmp_path / folder))
        assert (found.expected, dict(found.relevant)) == (None, {})


def test_an_id_that_stands_for_two_texts_is_named_by_its_line(tmp_path):
    lines(tmp_path / "b" / "corpus.jsonl", *({"_id": "d", "text": text} for text in ("One.", "One.", "Two.")))
    lines(tmp_path / "b" / "queries.jsonl", {"_id": "q", "text": "What?"})
    (tmp_path / "b" / "qrels.tsv").write_text("q\td\t1\n")
    with pytest.raises(UsageError, match="line 3: duplicate passage id 'd'"):
        read_dataset(tmp_path / "b")
    rows = [{"question": "What?", "passages": [{"id": "d", "text": text}]} for text in ("One.", "Two.")]
    with pytest.raises(UsageError, match="line 2: duplicate passage id 'd'"):
        read_dataset(lines(tmp_path / "own.jsonl", *rows))


def test_a_document_of_beir_that_has_only_a_title_can_be_found_by_it(tmp_path):
    lines(
        tmp_path / "corpus.jsonl",
        {"_id": "d1", "title": "On lamps", "text": ""},
        {"_id": "d2", "title": "", "text": " "},
    )
    lines(tmp_path / "queries.jsonl", {"_id": "q1", "text": "lamps?"})
    (tmp_path / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\n")
    assert [(p.id, p.text, p.title) for p in read_dataset(tmp_path).passages] == [("d1", "On lamps", "")]


def test_squad_2_is_read_as_published_and_line_by_line(tmp_path):
    qas = [
        {"id": "1", "question": "Who?", "is_impossible": False, "answers": [{"text": "Ann", "answer_start": 0}] * 2},
        {"id": "2", "question": "When?", "is_impossible": True, "answers": [], "plausible_answers": [{"text": "x"}]},
    ]
    path = tmp_path / "dev.json"
    path.write_text(json.dumps({"data": [{"title": "A_B", "paragraphs": [{"context": "Ann did.", "qas": qas}]}]}))
    flat = [
        {"id": q["id"], "question": q["question"], "context": "Ann did.", "title": "A B", "answers": {"text": [a["text"] for a in q["answers"]]}}
        for q in qas
    ]  # fmt: skip
    for dataset in (read_dataset(path), read_dataset(lines(tmp_path / "dev.jsonl", *flat))):
        who, when = dataset.questions
        assert (who.expected, who.answers, who.tags) == ("answer", ("Ann",), ("answerable",))
        assert (when.expected, when.answers, dict(when.relevant)) == ("refusal", (), {})
        assert [(p.text, p.title) for p in dataset.passages] == [("Ann did.", "A B")]


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        ({"answers": {"text": [""], "answer_start": [0]}}, "refusal"),
        ({"answers": {"text": ["ten"], "answer_start": [0]}, "is_impossible": True}, "refusal"),
        ({"answers": {"text": ["ten"], "answer_start": [0]}, "answerable": False}, "refusal"),
        ({"answers": [], "plausible_answers": [{"text": "ten", "answer_start": 0}]}, "refusal"),
        ({"answers": [], "expected": "answer"}, "answer"),
        ({"answers": [{"text": "ten", "answer_start": 0}]}, "answer"),
    ],
)
def test_a_line_of_squad_says_in_any_of_the_known_ways_that_it_has_no_answer(tmp_path, says, expected):
    row = {"id": "1", "title": None, "context": "The fee is ten.", "question": "What is the fee?"} | says
    read = read_dataset(
        lines(tmp_path / "s.jsonl", row | {"tags": ["fees"], "group": "g", "without": ["A_1"]}), "squad"
    )
    found = only(read)
    kind = "unanswerable" if expected == "refusal" else "answerable"
    assert (found.expected, found.tags, found.group, found.without) == (expected, ("fees", kind), "g", ("A_1",))
    assert found.answers == (("ten",) if expected == "answer" and "expected" not in says else ())
    assert [passage.title for passage in read.passages] == [""]


@pytest.mark.parametrize(
    ("says", "expected", "relevant"),
    [
        ({"reference": "Ten."}, "answer", {}),
        ({"reference": "I do not know.", "answerable": False}, "refusal", {}),
        ({"reference": "I do not know.", "is_impossible": "true"}, "refusal", {}),
        ({"reference": "Not said.", "should_refuse": True}, "refusal", {}),
        ({"reference": "Ten.", "reference_context_ids": ["IPC_420_0", 7]}, "answer", {"IPC_420_0": 1.0, "7": 1.0}),
        ({"reference": "Ten.", "reference_context_ids": []}, "answer", {}),
    ],
)
def test_a_sample_of_ragas_says_if_it_is_to_be_refused_and_which_passages_answer_it(tmp_path, says, expected, relevant):
    found = only(read_dataset(lines(tmp_path / "r.jsonl", {"user_input": "What is the fee?"} | says)))
    assert (found.expected, found.relevant) == (expected, relevant)


def test_the_ids_of_a_sample_that_brings_its_contexts_are_not_looked_for_among_them(tmp_path):
    sample = {
        "user_input": "What?",
        "reference": "Ten.",
        "retrieved_contexts": ["Ten."],
        "reference_context_ids": ["x"],
    }
    assert only(read_dataset(lines(tmp_path / "r.jsonl", sample))).relevant == {}


def test_trec_rag_is_topics_qrels_and_segments(tmp_path):
    folder = tmp_path / "rag24"
    folder.mkdir()
    (folder / "topics.rag24.txt").write_text("2024-1\twhy is the sky blue\n2024-2\tnot judged\n")
    (folder / "qrels.rag24.txt").write_text("2024-1 0 msmarco#1_2 3\n2024-1 0 msmarco#9_1 0\n")
    lines(folder / "segments.jsonl", {"docid": "msmarco#1_2", "title": "Sky", "segment": "Scattering."})
    dataset = read_dataset(folder)
    blue, other = dataset.questions
    assert (blue.question, blue.relevant, blue.expected) == ("why is the sky blue", {"msmarco#1_2": 3.0}, "answer")
    assert other.expected is None
    assert dataset.passages[0].id == "msmarco#1_2"


@pytest.mark.parametrize("as_json", [True, False])
def test_ragas_samples_of_both_generations(tmp_path, as_json):
    samples = [
        {"user_input": "q?", "retrieved_contexts": ["A.", "B."], "reference_contexts": ["A."], "reference": "a"},
        {"user_input": "r?", "contexts": ["C."], "ground_truth": "c"},
    ]
    if as_json:
        path = tmp_path / "s.json"
        path.write_text(json.dumps(samples))
    else:
        path = lines(tmp_path / "s.jsonl", *samples)
    dataset = read_dataset(path)
    first, second = dataset.questions
    texts = {p.id: p.text for p in dataset.passages}
    assert [texts[name] for name in first.relevant] == ["A."]
    assert (first.answers, second.answers, second.expected) == (("a",), ("c",), "answer")
    assert set(texts.values()) == {"A.", "B.", "C."}


def test_a_blank_passage_is_not_missed_when_it_is_not_found(tmp_path):
    row = {"question": "How old?", "passages": ["The tower is old.", "  "], "answers": ["old"]}
    sample = {"user_input": "q?", "reference_contexts": ["", "A."], "reference": "a"}
    for name, given in (("a", row), ("b", sample)):
        dataset = read_dataset(lines(tmp_path / f"{name}.jsonl", given))
        assert list(only(dataset).relevant) == [passage.id for passage in dataset.passages]


def test_one_context_or_one_answer_need_not_stand_in_a_list(tmp_path):
    sample = {"user_input": "q?", "contexts": "A whole text.", "reference_contexts": "Its part.", "reference": "a"}
    dataset = read_dataset(lines(tmp_path / "s.jsonl", sample))
    assert {passage.text for passage in dataset.passages} == {"A whole text.", "Its part."}
    squad = {"question": "Who?", "context": "Ann did.", "answers": "Ann"}
    assert only(read_dataset(lines(tmp_path / "dev.jsonl", squad))).answers == ("Ann",)


@pytest.mark.parametrize(
    "row",
    [
        {"question": "Who?", "context": "Ann did.", "answers": True},
        {"question": "Who?", "context": "Ann did.", "answers": [["Ann"]]},
        {"user_input": "q?", "retrieved_contexts": {"a": "b"}},
        {"user_input": "q?", "reference_contexts": [["A."]]},
        {"user_input": "q?", "retrieved_contexts": True},
    ],
)
def test_what_is_no_list_of_texts_is_named_by_its_line(tmp_path, row):
    with pytest.raises(UsageError, match=r"line 1: .* must be a text or a list of texts"):
        read_dataset(lines(tmp_path / "bad.jsonl", row))


@pytest.mark.parametrize("name", ["a.jsonl", "a.json"])
def test_half_of_a_surrogate_pair_is_replaced_and_a_whole_one_stays(tmp_path, name):
    row = r'{"user_input": "Why \ud83d? \ud83d\ude00"}'
    (tmp_path / name).write_text(f"[{row}]" if name == "a.json" else row)
    assert only(read_dataset(tmp_path / name)).question == "Why \ufffd? \U0001f600"


@pytest.mark.parametrize(
    ("query", "expected", "says"),
    [
        ({"query": {"text": "What?"}}, [{"query_id": "q1", "sources": ["A"]}], "queries.jsonl, line 1: the question must be a text, not"),
        ({"id": 1, "query": "What?"}, [{"query_id": 1, "sources": [n]} for n in "AB"], "line 2: duplicate query '1'"),
    ],
)  # fmt: skip
def test_what_the_legal_seed_cannot_join_is_named_by_its_line(tmp_path, query, expected, says):
    lines(tmp_path / "seed" / "queries.jsonl", query)
    lines(tmp_path / "seed" / "expected_sources.jsonl", *expected)
    with pytest.raises(UsageError, match=says):
        read_dataset(tmp_path / "seed")


def test_the_legal_seed_joins_by_number_and_by_the_question_itself(tmp_path):
    lines(tmp_path / "queries.jsonl", {"id": 0, "query": "420?"}, {"id": 1, "query": "378?"})
    lines(
        tmp_path / "expected_sources.jsonl",
        {"query_id": 0, "expected_sources": ["IPC_420_0"]},
        {"query": "378?", "expected_sources": ["IPC_378_0"]},
    )
    assert [dict(q.relevant) for q in read_dataset(tmp_path).questions] == [{"IPC_420_0": 1.0}, {"IPC_378_0": 1.0}]


@pytest.mark.parametrize("name", ["expected_sources", "sources", "expected"])
def test_the_legal_seed_joins_queries_with_their_expected_sources(tmp_path, name):
    lines(
        tmp_path / "queries.jsonl",
        {"query_id": "q1", "query": "420?", "type": "punishment"},
        {"query_id": "q2", "query": "Moon?"},
    )
    lines(tmp_path / "expected_sources.jsonl", {"query_id": "q1", name: ["IPC_420_0"]}, {"query_id": "q2", name: []})
    first, second = read_dataset(tmp_path).questions
    assert (first.id, first.relevant, first.tags) == ("q1", {"IPC_420_0": 1.0}, ("punishment",))
    assert second.expected == "refusal"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ('{"question": "a"}\n{"answer": "b"}\n', "line 2: the question is missing"),
        ('{"question": 5}\n', "line 1: the question must be a text, not 5"),
        ('{"question": "a", "id": 1}\n{"question": "b", "id": 1}\n', "line 2: duplicate id '1'"),
        ("[1]\n", "line 1 is not an object"),
        ("{\n", "line 1 is not JSON"),
        ('{"question": "a", "expected": "maybe"}\n', "line 1: expected must be answer or refusal"),
        ('{"question": "a", "relevant": {"x": "y"}}\n', "line 1: relevant must map each id to a number"),
        ('{"question": "a", "relevant": {"x": Infinity}}\n', "line 1: relevant must map each id to a number"),
        ('{"question": "a", "relevant": [null]}\n', "line 1: relevant must be ids"),
        ('{"question": "a", "tags": [{}]}\n', "line 1: tags must be a text"),
        ('{"question": "a", "passages": [1]}\n', "line 1: a passage must be a text"),
        ("", "contains no questions"),
    ],
)
def test_what_is_no_row_is_named_by_its_line(tmp_path, content, says):
    path = tmp_path / "bad.jsonl"
    path.write_text(content)
    with pytest.raises(UsageError, match="bad") as caught:
        read_dataset(path)
    assert says in caught.value.message


def test_what_is_no_dataset_is_said_with_what_would_be_one(tmp_path):
    for path, says in ((tmp_path, "unrecognized dataset format"), (tmp_path / "no", "does not exist")):
        with pytest.raises(UsageError, match=says):
            read_dataset(path)
    (tmp_path / "x.csv").write_text("a,b")
    with pytest.raises(UsageError, match="not a file of questions"):
        read_dataset(tmp_path / "x.csv")
    with pytest.raises(UsageError, match="unrecognized dataset format 'csv'"):
        read_dataset(tmp_path / "x.csv", "csv")


def test_packed_files_are_read_and_a_limit_spreads_over_the_file(tmp_path):
    path = tmp_path / "many.jsonl.gz"
    path.write_bytes(gzip.compress("".join(json.dumps({"question": f"q{n}?"}) + "\n" for n in range(10)).encode()))
    dataset = read_dataset(path)
    assert [q.question for q in dataset.first(5).questions] == ["q0?", "q2?", "q4?", "q6?", "q8?"]
    assert dataset.first(None) is dataset is dataset.first(10)
