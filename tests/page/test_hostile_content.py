"""Whatever answers, documents and names say, the browser shows it as text: no request leaves, no script runs."""

import socket

import pytest

from tests.page.conftest import ask
from tests.page.stub_service import answered, refused, rejected

pytestmark = pytest.mark.server

# Listens and is never meant to hear: a connection to it, whatever made it, is what these tests look for.
LISTENER = socket.create_server(("127.0.0.1", 0))
LISTENER.setblocking(False)
SINK = f"http://127.0.0.1:{LISTENER.getsockname()[1]}/"
HOSTILE = [
    f"![x]({SINK}image.png)",
    f"[link]({SINK}link) [ref]: {SINK}ref",
    f"<{SINK}autolink> {SINK}bare www.example.com",
    f"<img src={SINK}img.png onerror=\"document.title='pwned'\">",
    f"<svg onload=\"document.title='pwned'\"><image href={SINK}svg.png /></svg>",
    f"<script src={SINK}s.js></script><script>document.title='pwned'</script>",
    f"<iframe src={SINK}frame></iframe><object data={SINK}o></object><embed src={SINK}e>",
    f"<link rel=stylesheet href={SINK}l.css><style>@import url({SINK}i.css);*{{background:url({SINK}b.png)}}</style>",
    f'<meta http-equiv=refresh content="0;url={SINK}meta"><base href={SINK}>',
    "<a href=\"javascript:document.title='pwned'\">click</a> javascript:document.title='pwned'",
    "data:text/html,<script>document.title='pwned'</script>",
    f"<form action={SINK}form><input autofocus onfocus=\"document.title='pwned'\"></form>",
    "<details open ontoggle=\"document.title='pwned'\"><marquee onstart=\"document.title='pwned'\">",
    f"{{{{constructor.constructor('fetch(\"{SINK}\")')()}}}} ${{fetch('{SINK}')}}",
    f"\"><img src={SINK}break.png> ' onmouseover=alert(1) x='",
    f"<math><mtext><table><mglyph><style><img src={SINK}mxss.png>",
    f"\u202e<img src={SINK}bidi.png>\u202c\u200b",
    f"<!--><img src={SINK}comment.png>--> ]]><img src={SINK}cdata.png>",
]
ALL = " ".join(HOSTILE)


def settle(watched):
    """Time enough for anything that would start on its own to start."""
    watched.page.wait_for_timeout(250)


def heard():
    """Whether anybody connected to the sink."""
    try:
        LISTENER.accept()[0].close()
    except BlockingIOError:
        return False
    return True


def assert_harmless(watched):
    settle(watched)
    assert not heard()
    assert watched.outbound == []
    assert watched.dialogs == []
    assert watched.errors == []  # a blocked load is a console error: nothing even tried
    assert "pwned" not in watched.page.title()
    assert (
        watched.page.locator(
            "main :is(img, iframe, object, embed, svg, script, link, style, base, form:not(.ask))"
        ).count()
        == 0
    )


def test_hostile_sentences_are_shown_letter_by_letter(stub, opened):
    stub.outcome = answered(*((text, f"A_{n}", text, text) for n, text in enumerate(HOSTILE)))
    entry = ask(opened.page, "?")
    assert entry.locator(".words").evaluate_all("all => all.map(e => e.textContent)") == HOSTILE
    assert_harmless(opened)


def test_hostile_words_everywhere_an_answer_has_words(stub, opened):
    stub.outcome = answered((ALL, ALL, ALL, ALL), profile=ALL, project=ALL, query_analysis={"language": ALL})
    stub.outcome["citation_details"][0] |= {"document": ALL, "document_sha256": ALL, "page": ALL}
    stub.outcome["sources"][0] |= {
        "act": ALL,
        "section": ALL,
        "title": ALL,
        "metadata": {"chapter": ALL, "class_number": ALL},
    }
    stub.outcome["verdicts"] = [{"check": ALL, "status": ALL, "reason": ALL, "detail": ALL, "claims": []}]
    stub.outcome["conflicts"] = [{"quote_a": ALL, "id_a": ALL, "quote_b": ALL, "id_b": ALL}]
    entry = ask(opened.page, ALL)
    for disclosure in entry.locator("summary").all():
        disclosure.click()
    entry.locator(".numeral").click()
    opened.page.locator("#source mark").wait_for()
    settle(opened)
    opened.errors.clear()  # the address of that source is too long for the service, which the browser notes
    assert_harmless(opened)


def test_hostile_words_everywhere_a_source_has_words(stub, opened):
    stub.sources["A_1"] = dict.fromkeys(("source", "text", "document", "page_label", "media_type"), ALL) | {"page": 1}
    stub.outcome = answered(("It is so.", "A_1", ALL, ALL))
    ask(opened.page, "?").locator(".numeral").click()
    panel = opened.page.locator("#source")
    panel.get_by_role("heading").filter(has_text="<script").wait_for()
    assert panel.locator("mark").evaluate("e => e.textContent") == ALL
    assert_harmless(opened)


def test_hostile_words_everywhere_a_refusal_has_words(stub, opened):
    stub.sources["A_1"] = {"source": ALL, "text": ALL, "document": ALL}
    stub.outcome = refused(ALL, ("A_1",), answer=ALL)
    stub.outcome["needed"] |= {"facet": ALL, "missing": ALL}
    entry = ask(opened.page, ALL)
    entry.get_by_role("button", name="Look further").click()
    entry.get_by_text("The closest passages").wait_for()
    assert_harmless(opened)


def test_hostile_names_of_projects_documents_and_questions(stub, watch, address):
    stub.projects = [ALL]
    stub.documents = [{"id": ALL, "title": ALL, "media_type": ALL, "passages": 1, "stored_at": ALL}]
    stub.records = [
        {"seq": 1, "at": ALL, "question": ALL, "profile": ALL, "outcome": "refused", "reason": ALL, "answer_id": ALL}
    ]
    stub.chain = {"intact": False, "seq": 1, "why": ALL}
    stub.cases = [rejected(ALL)]
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
    assert_harmless(watched)


def test_the_browser_itself_forbids_what_the_page_never_does(opened):
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
        SINK,
    )
    assert tried == dict.fromkeys(("markup", "fetch", "script", "image"), "refused")
    assert not heard()


def test_the_sink_would_hear():
    socket.create_connection(LISTENER.getsockname()).close()
    assert heard()


def test_the_page_cannot_be_framed_by_another(watch, stub, address):
    watched = watch(address)
    policy = watched.page.request.get(address + "/").headers["content-security-policy"]
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
