"""Whatever answers, documents and names say, the browser shows it as text: no request leaves, no script runs."""

import socket

import pytest

from tests.e2e.page.conftest import ask, expect
from tests.e2e.page.stub_service import answered, document_conflict, refused, rejected

pytestmark = pytest.mark.server


def texts(sink):
    """What tries to reach the sink, or to run, by every way a browser knows."""
    return [
        f"![x]({sink}image.png)",
        f"[link]({sink}link) [ref]: {sink}ref",
        f"<{sink}autolink> {sink}bare www.example.com",
        f"<img src={sink}img.png onerror=\"document.title='pwned'\">",
        f"<svg onload=\"document.title='pwned'\"><image href={sink}svg.png /></svg>",
        f"<script src={sink}s.js></script><script>document.title='pwned'</script>",
        f"<iframe src={sink}frame></iframe><object data={sink}o></object><embed src={sink}e>",
        f"<link rel=stylesheet href={sink}l.css><style>@import url({sink}i.css);*{{background:url({sink}b.png)}}</style>",
        f'<meta http-equiv=refresh content="0;url={sink}meta"><base href={sink}>',
        "<a href=\"javascript:document.title='pwned'\">click</a> javascript:document.title='pwned'",
        "data:text/html,<script>document.title='pwned'</script>",
        f"<form action={sink}form><input autofocus onfocus=\"document.title='pwned'\"></form>",
        "<details open ontoggle=\"document.title='pwned'\"><marquee onstart=\"document.title='pwned'\">",
        f"{{{{constructor.constructor('fetch(\"{sink}\")')()}}}} ${{fetch('{sink}')}}",
        f"\"><img src={sink}break.png> ' onmouseover=alert(1) x='",
        f"<math><mtext><table><mglyph><style><img src={sink}mxss.png>",
        f"\u202e<img src={sink}bidi.png>\u202c\u200b",
        f"<!--><img src={sink}comment.png>--> ]]><img src={sink}cdata.png>",
    ]


@pytest.fixture
def hostile(sink):
    return texts(sink.address)


@pytest.fixture
def everything(hostile):
    return " ".join(hostile)


def settle(watched):
    """Whatever starts on its own has started: frames were drawn, and a request made after them has come back."""
    watched.page.evaluate(
        """async () => {
          for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
          await (await fetch("/static/icon.svg", { cache: "no-store" })).text();
        }"""
    )


def assert_harmless(watched, sink):
    settle(watched)
    assert not sink.heard()
    assert watched.outbound == []
    assert watched.dialogs == []
    assert watched.errors == []  # a blocked load is a console error: nothing even tried
    assert "pwned" not in watched.page.title()
    made = "main :is(img, iframe, object, embed, svg, script, link, style, base, form:not(.ask))"
    assert watched.page.locator(made).count() == 0


def test_hostile_sentences_are_shown_letter_by_letter(stub, opened, sink, hostile):
    stub.outcome = answered(*((text, f"A_{n}", text, text) for n, text in enumerate(hostile)))
    words = ask(opened.page, "?").locator(".words")
    expect(words).to_have_count(len(hostile))
    assert words.evaluate_all("all => all.map(e => e.textContent)") == hostile
    assert_harmless(opened, sink)


def test_hostile_words_everywhere_an_answer_has_words(stub, opened, sink, everything):
    stub.outcome = answered(
        (everything, everything, everything, everything),
        profile=everything,
        project=everything,
        query_analysis={"language": everything},
    )
    stub.outcome["citation_details"][0] |= {"document": everything, "document_sha256": everything, "page": everything}
    stub.outcome["sources"][0] |= {
        "act": everything,
        "section": everything,
        "title": everything,
        "metadata": {"chapter": everything, "class_number": everything},
    }
    stub.outcome["verdicts"] = [
        {"check": everything, "status": everything, "reason": everything, "detail": everything, "claims": []}
    ]
    stub.outcome["conflicts"] = [{"quote_a": everything, "id_a": everything, "quote_b": everything, "id_b": everything}]
    entry = ask(opened.page, everything)
    for disclosure in entry.locator("summary").all():
        disclosure.click()
    entry.locator(".numeral").click()
    opened.page.locator("#source mark").wait_for()
    opened.page.get_by_text("The document cannot be shown").wait_for()
    settle(opened)
    opened.errors.clear()  # the address of that source is too long for the service, which the browser notes
    assert_harmless(opened, sink)


def test_hostile_words_everywhere_a_source_has_words(stub, opened, sink, everything):
    stub.sources["A_1"] = dict.fromkeys(("source", "text", "document", "page_label", "media_type"), everything) | {
        "page": 1
    }
    stub.outcome = answered(("It is so.", "A_1", everything, everything))
    ask(opened.page, "?").locator(".numeral").click()
    panel = opened.page.locator("#source")
    panel.get_by_role("heading").filter(has_text="<script").wait_for()
    expect(panel.locator("mark")).to_have_js_property("textContent", everything)
    assert_harmless(opened, sink)


def test_hostile_words_everywhere_a_refusal_has_words(stub, opened, sink, everything):
    stub.sources["A_1"] = {"source": everything, "text": everything, "document": everything}
    stub.outcome = refused(everything, ("A_1",), answer=everything)
    stub.outcome["needed"] |= {"facet": everything, "missing": everything}
    entry = ask(opened.page, everything)
    entry.get_by_role("button", name="Show more passages").click()
    entry.get_by_text("The closest passages").wait_for()
    assert_harmless(opened, sink)


def test_hostile_names_of_projects_documents_and_questions(stub, watch, address, sink, everything):
    stub.projects = [everything]
    stub.documents = [
        {"id": everything, "title": everything, "media_type": everything, "passages": 1, "stored_at": everything}
    ]
    stub.records = [
        {
            "seq": 1,
            "at": everything,
            "question": everything,
            "profile": everything,
            "outcome": "refused",
            "reason": everything,
            "answer_id": everything,
        }
    ]
    stub.chain = {"intact": False, "seq": 1, "why": everything}
    stub.cases = [rejected(everything)]
    watched = watch(address)
    watched.page.locator("#holdings-list li").first.wait_for()
    watched.page.get_by_role("link", name="Documents", exact=True).click()
    watched.page.locator("#view-documents tbody tr").wait_for()
    watched.page.get_by_role("button", name="Delete", exact=False).last.click()
    watched.page.get_by_role("button", name="Cancel").click()
    watched.page.get_by_role("link", name="Audit").click()
    watched.page.locator("#view-audit tbody tr").wait_for()
    watched.page.get_by_role("button", name="Verify the chain").click()
    watched.page.get_by_text("The chain is broken at record 1").wait_for()
    watched.page.get_by_role("link", name="Review").click()
    watched.page.locator(".case summary").first.click()
    watched.page.locator(".draft").wait_for()
    assert_harmless(watched, sink)


def test_hostile_conflicts_of_a_document(stub, watch, address, sink, everything):
    stub.documents = [{"id": "penal.pdf", "title": "Penal Code", "media_type": "text/plain", "passages": 1}]
    found = document_conflict(everything, everything, "x", everything)
    found["other"] |= {"document": "penal.pdf", "title": everything, "passage": everything}
    stub.conflicts = [found]
    stub.text = everything
    watched = watch(address)
    watched.page.get_by_role("link", name="Documents", exact=True).click()
    watched.page.get_by_role("button", name="Penal Code", exact=True).click()
    watched.page.get_by_role("button", name="Look for conflicts with other documents").click()
    watched.page.locator(".conflict-list").get_by_role("button").last.click()
    watched.page.locator(".reader mark").first.wait_for()
    assert_harmless(watched, sink)


def test_the_browser_itself_forbids_what_the_page_never_does(opened, sink):
    """The second wall: were a mistake made in the page, the policy would still hold."""
    page = opened.page
    tried = page.evaluate(
        """async (sink) => {
          const tried = {};
          const attempt = async (name, f) => { try { await f(); tried[name] = "done"; } catch { tried[name] = "refused"; } };
          await attempt("markup", () => { document.body.innerHTML = "<b>x</b>"; });
          await attempt("fetch", () => fetch(sink));
          await attempt("script", () => { document.createElement("script").src = sink; });
          const image = new Image();
          const loaded = new Promise((resolve, reject) => { image.onload = resolve; image.onerror = reject; });
          image.src = sink;
          await attempt("image", () => loaded);
          return tried;
        }""",
        sink.address,
    )
    assert tried == dict.fromkeys(("markup", "fetch", "script", "image"), "refused")
    assert not sink.heard()


def test_the_sink_would_hear(sink):
    socket.create_connection(sink.listener.getsockname()).close()
    assert sink.heard(within_s=30)


def test_the_page_cannot_be_framed_by_another(watch, stub, address):
    watched = watch(address)
    policy = watched.page.request.get(address + "/").headers["content-security-policy"]
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
