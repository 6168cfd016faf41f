"""Bugs to plant in the product, each with the quick tests of which one must fail.

A bug is a change of source text that is made while the module is imported; no file is touched. `blind` makes a function
find nothing.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bug:
    """In `module`, `old` becomes `new`; `tests` must notice."""

    name: str
    module: str
    old: str
    new: str
    tests: str


def blind(module: str, function: str, tests: str, value: str = "None") -> Bug:
    """A function that returns `value` whatever it is given."""
    old = f"def {function}("
    new = f"def {function}(*_: object, **__: object):\n    return {value}\n\n\ndef _not_{function}("
    return Bug(f"{function} sees nothing", module, old, new, tests)


V, T = "footnotary.verify.", "footnotary.text."
UNIT, SERVICE = "tests/unit", "tests/service"

BUGS = (
    # Guards that see nothing.
    blind(V + "figures", "numbers_disagree", f"{UNIT}/verify/test_figures.py"),
    blind(V + "dates", "dates_disagree", f"{UNIT}/verify/test_dates.py"),
    blind(V + "sections", "sections_disagree", f"{UNIT}/verify/test_sections.py"),
    blind(V + "negation", "negation_disagrees", f"{UNIT}/verify/test_negation.py"),
    blind(V + "modality", "modality_disagrees", f"{UNIT}/verify/test_modality.py"),
    blind(V + "quantifiers", "quantifiers_disagree", f"{UNIT}/verify/test_quantifiers.py"),
    blind(V + "comparators", "comparators_disagree", f"{UNIT}/verify/test_comparators.py"),
    blind(V + "connectives", "connectives_disagree", f"{UNIT}/verify/test_connectives.py"),
    blind(V + "exceptions", "exceptions_dropped", f"{UNIT}/verify/test_exceptions.py"),
    blind(V + "names", "names_disagree", f"{UNIT}/verify/test_names.py"),
    blind(V + "roles", "roles_disagree", f"{UNIT}/verify/test_roles.py"),
    blind(V + "terms", "terms_substituted", f"{UNIT}/verify/test_terms.py"),
    blind(V + "quotations", "quotations_altered", f"{UNIT}/verify/test_quotations.py"),
    blind(V + "obeying", "obeys_its_sources", f"{UNIT}/verify/test_obeying.py", "False"),
    blind(V + "beside_question", "beside_the_question", f"{UNIT}/verify/test_beside_question.py"),
    blind(V + "terms", "_in_another_language", "tests/independent/test_random_drafts.py::test_english_behind_a_hindi_sentence_is_not_taken_from_the_sentence_beside_it"),
    blind(V + "narrowing", "narrowed", f"{UNIT}/verify/test_narrowing.py"),
    blind(V + "figures", "_rate_dropped", f"{UNIT}/verify/test_figures.py"),
    blind(V + "figures", "_formula_differs", f"{UNIT}/verify/test_figures.py"),
    blind(V + "unstated", "unstated", f"{UNIT}/verify/test_unstated.py"),
    blind(V + "cells", "cell_exchanged", f"{UNIT}/verify/test_cells.py"),
    blind(V + "small_words", "small_word_changed", f"{UNIT}/verify/test_small_words.py"),
    blind(T + "speech", "speech_spans", f"{UNIT}/text/test_speech.py {UNIT}/verify/test_unstated.py", "()"),
    blind(T + "denied_lists", "denied_lists", f"{UNIT}/ingest/test_chunks.py", "[]"),
    blind(T + "denied_lists", "denies_a_list", f"{UNIT}/text/test_denied_lists.py {UNIT}/verify/test_premises.py", "False"),
    Bug("headings alone support", V + "citations", "if chunks and overlap(", "if False and overlap(", f"{UNIT}/verify/test_screens.py"),
    Bug("unread claims need few words", V + "judgement", "_UNREAD = 0.7", "_UNREAD = 0.0", f"{UNIT}/verify/test_hindi_claims.py"),
    Bug("a numbered list is an act", "footnotary.ingest.structure", "if sure_section_count(parsed) >= 3", "if section_count(parsed) >= 3", f"{UNIT}/ingest/test_structure.py"),
    Bug("a reply outlives its documents", "footnotary.service.idempotency", "!= reply.mark:", "is None:", f"{SERVICE}/test_idempotency.py"),
    # Checks of form and of the whole.
    Bug("citations_resolve", V + "citations", "if cited not in known]", "if False]", "tests/contract/test_behaviours.py"),
    Bug("uncited claims pass", V + "citations", "if not claim.cites)", "if False)", f"{UNIT}/test_engine.py {UNIT}/test_check_grounding.py"),
    Bug("malformed markers pass", V + "citations", "if s.draft.malformed:", "if False:", f"{UNIT}/test_engine.py tests/contract/test_seed_002.py"),
    Bug("padding passes", V + "citations", "PADDING_SHARE = 0.15", "PADDING_SHARE = -1.0", f"{UNIT}/test_engine.py tests/contract/test_seed_001_multi_chunk.py tests/contract/test_behaviours.py"),
    Bug("a declined draft is an answer", V + "citations", "if s.draft.declined:", "if False:", f"{UNIT}/test_engine.py tests/contract/test_seed_000.py"),
    Bug("silent sources pass", V + "completeness", "_MIN_TERMS = 2", "_MIN_TERMS = 2000", "tests/contract/test_seed_001_multi_chunk.py tests/contract/test_seed_002.py tests/unit/test_engine.py"),
    Bug("no overlap is asked", V + "screens", "if share < needed:", "if False:", f"{UNIT}/verify/test_screens.py"),
    Bug("grounding is not asked", V + "screens", "if score < grounded_share:", "if False:", f"{UNIT}/verify/test_screens.py"),
    Bug("outside knowledge passes", V + "leakage", "if not has_phrase(claim.text, phrases):", "if True:", f"{UNIT}/verify/test_outside_knowledge.py"),
    Bug("any length passes", V + "leakage", "if ratio > max_ratio:", "if False:", f"{UNIT}/verify/test_screens.py"),
    Bug("the prompt leaks", V + "leakage", "_PROMPT_RUN = 8", "_PROMPT_RUN = 8000", f"{UNIT}/verify/test_screens.py"),
    Bug("a check that cannot run passes", V + "run", 'verdict.status == "pass"', 'verdict.status != "fail"', f"{UNIT}/verify/test_run.py {UNIT}/test_engine.py"),
    Bug("reasons in any order", V + "run", "return min((v.reason", "return max((v.reason", f"{UNIT}/test_engine.py {UNIT}/verify/test_run.py tests/contract/test_seed_000.py"),
    Bug("a quote from elsewhere", V + "quotes", "return Span(found, found + len(claim)), 1.0", "return Span(0, len(claim)), 1.0", f"{UNIT}/verify/test_quotes.py"),
    Bug("contradictions pass", V + "conflicts", "if failing:", "if False:", f"{SERVICE}/test_faults_poisoned.py {UNIT}/test_conflicts.py"),
    Bug("the side that denies says yes", V + "conflicts", "denies = rule.denies if ours == theirs else ours > theirs", "denies = rule.denies", f"{SERVICE}/test_faults_poisoned.py"),
    # The line itself.
    Bug("refused drafts are delivered", "footnotary.engine", "if not acceptable(verdicts):", "if False:", f"{UNIT}/test_engine.py"),
    Bug("the gate is open", "footnotary.engine", 'if gate.verdict.status != "pass":', "if False:", f"{UNIT}/test_engine.py"),
    Bug("unknown projects are asked", "footnotary.engine", "if scope.project not in self.store.projects():\n            return _told", "if False:\n            return _told", f"{UNIT}/test_engine.py"),
    Bug("an answer may have a failed verdict", "footnotary.domain.outcome", 'if any(verdict.status != "pass" for verdict in self.verdicts):', "if False:", f"{UNIT}/domain/test_outcome.py"),
    Bug("look-alike letters are an id", "footnotary.domain.identity", 'or unicodedata.normalize("NFKC", char) != char', "", f"{UNIT}/domain/test_identity.py"),
    # Text.
    Bug("hidden characters are not seen", T + "normalise", "for m in _INVISIBLE.finditer(text) if not", "for m in _INVISIBLE.finditer(text) if False and not", f"{UNIT}/text/test_normalise.py"),
    Bug("brackets are not escaped", "footnotary.render.styles", 'return f"{escape(bare)} {marks}{stop.group()}"', 'return f"{bare} {marks}{stop.group()}"', f"{UNIT}/render tests/properties/test_render_properties.py"),
    Bug("markers at the wrong source", "footnotary.render.styles", "enumerate(answer.evidence.hits, 1)", "enumerate(answer.evidence.hits, 2)", f"{UNIT}/render"),
    Bug("digits of other scripts are slots", "footnotary.generate.parse", "if target.isascii() and target.isdecimal()", "if target.isdecimal()", f"{UNIT}/generate/test_parse.py"),
    Bug("brackets in claims pass", "footnotary.generate.parse", "malformed += _bracketed(said.text)", "pass", f"{UNIT}/generate/test_parse.py"),
    Bug("a refusal with more is a refusal", "footnotary.generate.parse", "return any(same_message(reply, refusal)", "return any(reply.startswith(refusal)", f"{UNIT}/generate/test_parse.py"),
    Bug("finish_reason", "footnotary.generate.completion", 'if choice.finish_reason != "stop":', "if False:", "tests/integration/test_openai_model.py"),
    Bug("keys may stand twice", "footnotary.generate.completion", "if len({key for key, _ in pairs}) != len(pairs):", "if False:", "tests/integration/test_openai_model.py"),
    # Files and stores.
    Bug("any digest is stored", "footnotary.index.admission", "if digest != chunk.digest:", "if False:", "tests/contract/test_stores.py tests/unit/index"),
    Bug("an id twice in a document", "footnotary.index.admission", "if chunk.id in seen:", "if False:", "tests/contract/test_stores.py tests/unit/index"),
    Bug("NaN vectors are stored", "footnotary.index.admission", "if len(bad):", "if False:", "tests/adversarial/test_ingest_faults.py tests/contract/test_stores.py"),
    Bug("no_catch_up", "footnotary.index.derived_state", "def write_state(", "def write_state(*_: object, **__: object) -> None:\n    return\n\n\ndef _not_write_state(", "tests/integration/test_store_crash.py"),
    # Projects that share a collection are still told apart by their documents' records, so those are what is spoiled.
    Bug("passages that no record names are found", "footnotary.index.qdrant_catalog", 'return [one for one in found if versions.get(one.payload["document"]) == one.payload["version"]]', "return list(found)", "tests/qdrant/test_qdrant_store.py::test_a_change_cut_off_happened_as_a_whole_or_not_at_all"),
    Bug("a dead parser is given the next file", "footnotary.ingest.confined", "if worker.is_alive:\n                self._give_back", "if True:\n                self._give_back", "tests/integration/test_out_of_memory.py"),
    Bug("want of memory is passed over in silence", "footnotary.index.sqlite_connections", "            raise\n        with self._guard:", "            if isinstance(error, MemoryError):\n                return\n            raise\n        with self._guard:", "tests/integration/test_out_of_memory.py"),
    Bug("a backup begins anew with every change", "footnotary.index.backup", 'held.execute("BEGIN")', 'held.execute("SELECT 1")', "tests/integration/test_backups.py"),
    # Power that fails.
    Bug("the store never syncs", "footnotary.index.sqlite_connections", "PRAGMA synchronous = EXTRA", "PRAGMA synchronous = OFF", "tests/integration/test_power_loss.py"),
    Bug("a journal's removal is not synced", "footnotary.index.sqlite_connections", "PRAGMA synchronous = EXTRA", "PRAGMA synchronous = FULL", "tests/integration/test_power_loss.py"),
    Bug("the log never syncs", "footnotary.audit.database", '"FULL" if durable else "NORMAL"', '"NORMAL"', "tests/integration/test_power_loss.py"),
    Bug("a head's beginning is not synced", "footnotary.audit.head", "if durably else", "if False else", "tests/integration/test_power_loss.py"),
    Bug("names of new folders are not synced", "footnotary.durable", "sync(folder.parent)", "pass", "tests/integration/test_power_loss.py"),
    Bug("the name of a new key is not synced", "footnotary.audit.signing", "    sync(path.parent)", "    pass", "tests/integration/test_power_loss.py"),
    Bug("bytes are counted one too far", "footnotary.ingest.clean", "self._bytes.of(at + done)))", "self._bytes.of(at + done) + 1))", "tests/integration/test_quotes_lead_back.py tests/properties/test_ingest_properties.py"),
    blind("footnotary.ingest.raised_figures", "figures_set", f"{UNIT}/ingest/test_parsers.py {UNIT}/ingest/test_docx_parser.py"),
    Bug("a copy of what a file had goes with it", "footnotary.corpus", "if same and not has_changed(same.path, same.sha256, self._max_bytes):", "if same:", f"{UNIT}/test_corpus.py"),
    Bug("the log of another database is taken over", "footnotary.index.backup", '_LOGS = ("-wal", "-journal")', "_LOGS = ()", "tests/integration/test_backups.py"),
    Bug("what is replaced meanwhile is missed", "footnotary.index.embedded_search", "if len(ids) == len(hits) or revision == at:", "if True:", f"{UNIT}/index/test_embedded_search.py"),
    Bug("a key goes out in the clear", "footnotary.index.qdrant_wire", 'return address.scheme == "http" and', 'return url.startswith("http:") and', f"{UNIT}/index/test_qdrant_wire.py"),
    Bug("two hits of one id", "footnotary.domain.evidence", "if len(chunks) < len(self.hits):", "if False:", f"{UNIT}/domain/test_evidence.py"),
    # The terminal.
    Bug("the terminal obeys documents", "footnotary.cli.terminal", 'return without_invisible(text.replace("\\r", ""))', "return text", "tests/integration/test_terminal.py"),
    Bug("JSON on the terminal holds controls", "footnotary.cli.terminal", "for place in invisible_places(text):", "for place in ():", "tests/integration/test_terminal.py"),
    # The service.
    Bug("refused drafts tell their details", "footnotary.service.public", "if isinstance(outcome, Refusal) and drafted(outcome):", "if False:", f"{SERVICE}/test_faults_oracle.py"),
    Bug("vectors are told", "footnotary.render.record", '"via": hit.via,', '"via": hit.via, "vector": [],', f"{SERVICE}/test_faults_vectors.py"),
    Bug("answers may be cached", "footnotary.service.edge", '"Cache-Control": "no-store",', '"Cache-Control": "max-age=60",', f"{SERVICE}/test_headers.py"),
    Bug("any_key", "footnotary.service.auth", "if found is None:", "if False:", f"{SERVICE}/test_keys.py {SERVICE}/test_access_table.py"),
    Bug("any role", "footnotary.service.auth", "if not found.may(role):", "if False:", f"{SERVICE}/test_access_table.py"),
    Bug("other sites may ask", "footnotary.service.auth", "if origin is not None and _netloc(origin) != host:", "if False:", f"{SERVICE}/test_headers.py {SERVICE}/test_keys.py"),
    Bug("a key with another body", "footnotary.service.idempotency", "if known is not None and known != fingerprint:", "if False:", f"{SERVICE}/test_idempotency.py"),
    Bug("repeats are shared by tenants", "footnotary.service.idempotency", "return who.tenant, who.key_id, key", 'return "", "", key', f"{SERVICE}/test_idempotency.py {SERVICE}/test_faults_tenancy.py"),
    Bug("names twice in a body", "footnotary.service.strict_json", "if len(found) != len(pairs):", "if False:", f"{SERVICE}/test_bodies.py"),
    Bug("numbers without bounds", "footnotary.service.strict_json", "if not math.isfinite(value):", "if False:", f"{SERVICE}/test_bodies.py"),
    Bug("no limit of rate", "footnotary.service.limits", "if held < 1:", "if False:", f"{SERVICE}/test_limits.py"),
    Bug("no limit per tenant", "footnotary.service.limits", "if self._inside.get(tenant, 0) >= self._per_tenant:", "if False:", f"{SERVICE}/test_limits.py"),
    Bug("strings become markup in the page", "footnotary.service.routes_page", "\"require-trusted-types-for 'script'\",", "", "tests/page/test_files.py tests/page/test_hostile_content.py"),
    Bug("threads take over each other's tenant", "footnotary.service.state", "        return do(self.tenant(tenant))", "        self.who = tenant\n        self.keys.holder('fn_a_b')\n        return do(self.tenant(self.who))", f"{SERVICE}/test_faults_concurrency.py"),
    Bug("what is deleted stays in the cache", "footnotary.service.state", "if held is None or held[0] != generation:", "if held is None:", f"{SERVICE}/test_faults_concurrency.py"),
    Bug("one tenant may fill the house", "footnotary.service.limits", "self._per_tenant = per_tenant", "self._per_tenant = admitted", f"{SERVICE}/test_faults_concurrency.py"),
    Bug("one bucket for all tenants", "footnotary.service.limits", "held, since = self._buckets.get(tenant,", 'tenant = "all"; held, since = self._buckets.get(tenant,', f"{SERVICE}/test_limits.py"),
    Bug("rates follow the wall clock", "footnotary.service.limits", "= time.monotonic", "= time.time", f"{SERVICE}/test_faults_clock.py"),
    Bug("replies age by the wall clock", "footnotary.service.idempotency", "= time.monotonic", "= time.time", f"{SERVICE}/test_faults_clock.py"),
    # The audit.
    Bug("a changed record holds", "footnotary.audit.chain", "if says is None or record_hash(record.body) != record.hash:", "if says is None:", "tests/audit/test_log.py"),
    Bug("a record may be missing", "footnotary.audit.chain", "if record.seq != last.seq + 1 and not lost:", "if False:", "tests/audit/test_log.py"),
    Bug("records in another order", "footnotary.audit.chain", 'if says.get("previous") != last.hash:', "if False:", "tests/audit/test_log.py"),
    Bug("the end may be cut off", "footnotary.audit.chain", "if head.seq > last.seq:", "if False:", "tests/audit/test_log.py"),
    Bug("kept content may change", "footnotary.audit.chain", 'if says.get("stored_sha256") !=', 'if False and says.get("stored_sha256") !=', "tests/audit/test_log.py"),
    Bug("private questions are remembered", "footnotary.audit.cache", "if not profile.privacy.log_queries or scope.as_of is None:", "if scope.as_of is None:", "tests/audit"),
    # Retrieval.
    Bug("what differs in a figure is the same", "footnotary.retrieve.trim", "return not any(word in _DECIDING", "return True or not any(word in _DECIDING", f"{UNIT}/retrieve/test_trim.py"),
    Bug("the law out of force stands in", "footnotary.retrieve.in_force", "return one.score >= _STANDS_IN * other.score and", "return False and", f"{UNIT}/retrieve/test_in_force.py tests/integration/test_versions_command.py"),
)  # fmt: skip
