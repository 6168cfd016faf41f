"""A conversation as one HTML file that loads nothing: footnotes are links there and back."""

from html import escape

from footnotary.render.export.conversation import ExportedConversation, ExportedNote, ExportedTurn, source_text

_STYLE = """
:root { color-scheme: light dark; }
body { max-width: 42rem; margin: 2rem auto; padding: 0 1rem; font: 1.05rem/1.6 Charter, Georgia, "Noto Serif", serif; }
h1 { font-size: 1.6rem; line-height: 1.25; }
h2 { font-size: 1.25rem; margin-top: 2.5rem; line-height: 1.3; }
.small, .record, .notes { font: 0.85rem/1.5 system-ui, sans-serif; }
.record { opacity: 0.75; }
.refusal, .remark { border-left: 3px solid #a87523; padding-left: 0.9rem; }
.answer { white-space: pre-line; }
.notes { border-top: 1px solid #8b918d; margin-top: 3rem; padding-top: 0.5rem; }
p, li { overflow-wrap: anywhere; }
"""


def html(conversation: ExportedConversation) -> str:
    title = escape(conversation.title)
    turns = "\n".join(_turn(turn) for turn in conversation.turns)
    notes = "\n".join(_note(note) for note in conversation.notes)
    below = f'<section class="notes" aria-label="Footnotes"><ol>\n{notes}\n</ol></section>' if notes else ""
    return (
        f'<!doctype html>\n<html lang="{escape(conversation.turns[0].language)}">\n<head>\n<meta charset="utf-8">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n"
        f'<h1 dir="auto">{title}</h1>\n<p class="small">{escape(conversation.promise)}</p>\n'
        f"{turns}\n{below}\n</main>\n</body>\n</html>\n"
    )


def _turn(turn: ExportedTurn) -> str:
    language = escape(turn.language)
    parts = [f'<h2 dir="auto">{escape(turn.question)}</h2>']
    if turn.asked_as:
        parts.append(f'<p class="small" dir="auto">Asked as: {escape(turn.asked_as)}</p>')
    if turn.sentences:
        said = " ".join(
            escape(sentence.text) + "".join(_reference(note) for note in sentence.notes) for sentence in turn.sentences
        )
        parts.append(f'<p class="answer" dir="auto" lang="{language}">{said}</p>')
    if turn.refusal:
        parts.append(f'<p class="refusal" dir="auto" lang="{language}">{escape(turn.refusal)}</p>')
    if turn.remark:
        parts.append(f'<p class="remark">{escape(turn.remark)}</p>')
    for first, second in turn.conflicts:
        parts.append(f'<p class="remark" dir="auto">The sources disagree: “{escape(first)}” and “{escape(second)}”</p>')
    parts.append(f'<p class="record">{escape(turn.record)}</p>')
    return "<section>\n" + "\n".join(parts) + "\n</section>"


def _reference(note: ExportedNote) -> str:
    n = note.number
    return f'<sup><a id="ref-{n}" href="#note-{n}" aria-label="Footnote {n}">{n}</a></sup>'


def _note(note: ExportedNote) -> str:
    n = note.number
    back = f'<a href="#ref-{n}" aria-label="Back to the sentence">↩</a>'
    return f'<li id="note-{n}" dir="auto">“{escape(note.quote)}” {escape(source_text(note))} {back}</li>'
