"""`demo`: indexes the bundled corpus and shows answers from several profiles, and a refusal."""

from importlib import resources
from pathlib import Path

from footnotary.cli.exit_codes import ExitCode
from footnotary.cli.output import counted, note, say
from footnotary.cli.questions.ask_options import AskOptions
from footnotary.cli.questions.outcome_output import show_outcome
from footnotary.cli.questions.sessions import session_for

DEMO_PROJECT = "demo"
DEMO_QUESTIONS = (
    ("legal", None, "What is the punishment for cheating and dishonestly inducing delivery of property?"),
    ("legal", None, "Who is an employer under the Minimum Wages Act?"),
    ("compliance", None, "What are PHI identifiers?"),
    ("tutor", 10, "What is an arithmetic progression?"),
    ("tutor", 10, "समांतर श्रेढ़ी किसे कहते हैं?"),
    ("legal", None, "What is the speed limit on a national highway?"),
)


def run_demo(home: Path | None) -> ExitCode:
    """Indexes the bundled corpus and asks questions; exit code 0 if every outcome is as expected."""
    from footnotary.settings import load_settings
    from footnotary.wiring import opened

    settings = load_settings({"home": home, "project": DEMO_PROJECT})
    note(f"indexing the bundled corpus into {settings.home} ...")
    with opened(settings) as open_:
        report = open_.corpus.ingest([corpus_folder()], DEMO_PROJECT)
    documents = len(report.added) + len(report.unchanged) + len(report.replaced)
    note(f"{counted(report.chunks, 'passage')} of {counted(documents, 'document')}\n")
    codes: list[ExitCode] = []
    for profile, class_number, question in DEMO_QUESTIONS:
        say(f"$ footnotary ask --project {DEMO_PROJECT} --profile {profile} {question!r}")
        options = AskOptions(home=settings.home, project=DEMO_PROJECT, profile=profile, class_number=class_number)
        with session_for(options) as session:
            codes.append(show_outcome(session.ask(question).outcome, session.engine))
        say()
    note('ask your own question: footnotary ask --project demo --profile legal "What is theft?"')
    expected = [ExitCode.OK] * (len(DEMO_QUESTIONS) - 1) + [ExitCode.REFUSED]
    return ExitCode.OK if codes == expected and not report.failed else ExitCode.FAILURE


def corpus_folder() -> Path:
    """The folder of the installed demo corpus."""
    return Path(str(resources.files("footnotary"))) / "demo_corpus"
