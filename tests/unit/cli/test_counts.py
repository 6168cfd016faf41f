"""Numbers of things in lines for people."""

from footnotary.cli.library.ingest import show_report
from footnotary.cli.output import counted
from footnotary.ingest.report import IngestTally


def test_one_passage_was_called_1_passages(capsys):
    show_report(IngestTally().report(0.5), "hr", 1)
    show_report(IngestTally().report(0.5), "hr", 1200)
    said = capsys.readouterr().out
    assert "; 1 passage in project 'hr'" in said
    assert "; 1,200 passages in project 'hr'" in said
    assert counted(0, "document") == "0 documents"
