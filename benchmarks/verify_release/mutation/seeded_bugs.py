"""Bugs to seed in the product, each with the quick tests of which one must fail.

A bug is a change of source text made while the module is imported; no file is changed. `finds_nothing` makes a function
return nothing.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SeededBug:
    """In `module`, `old` becomes `new`; `tests` must fail."""

    name: str
    module: str
    old: str
    new: str
    tests: str


def finds_nothing(module: str, function: str, tests: str, value: str = "None") -> SeededBug:
    """Makes a function return `value` for any arguments."""
    old = f"def {function}("
    new = f"def {function}(*_: object, **__: object):\n    return {value}\n\n\ndef _not_{function}("
    return SeededBug(f"{function} sees nothing", module, old, new, tests)


BUGS = (
    finds_nothing("footnotary.verify.exact.numbers", "numbers_disagree", "tests/unit/verify/exact/test_numbers.py"),
    finds_nothing("footnotary.verify.exact.dates", "dates_disagree", "tests/unit/verify/exact/test_dates.py"),
    finds_nothing(
        "footnotary.verify.exact.provisions", "sections_disagree", "tests/unit/verify/exact/test_provisions.py"
    ),
    finds_nothing(
        "footnotary.verify.wording.negation.agreement",
        "negation_disagrees",
        "tests/unit/verify/wording/test_negation.py",
    ),
    finds_nothing(
        "footnotary.verify.wording.modality.agreement",
        "modality_disagrees",
        "tests/unit/verify/wording/test_modality.py",
    ),
    finds_nothing(
        "footnotary.verify.wording.quantifiers", "quantifiers_disagree", "tests/unit/verify/wording/test_quantifiers.py"
    ),
    finds_nothing("footnotary.verify.exact.bounds", "comparators_disagree", "tests/unit/verify/exact/test_bounds.py"),
    finds_nothing(
        "footnotary.verify.wording.connectives", "connectives_disagree", "tests/unit/verify/wording/test_connectives.py"
    ),
    finds_nothing(
        "footnotary.verify.wording.conditions.agreement",
        "exceptions_dropped",
        "tests/unit/verify/wording/test_exceptions.py",
    ),
    finds_nothing("footnotary.verify.wording.names", "names_disagree", "tests/unit/verify/wording/test_names.py"),
    finds_nothing(
        "footnotary.verify.wording.roles.agreement", "roles_disagree", "tests/unit/verify/wording/test_roles.py"
    ),
    finds_nothing(
        "footnotary.verify.wording.substituted_terms",
        "terms_substituted",
        "tests/unit/verify/wording/test_substituted_terms.py",
    ),
    finds_nothing(
        "footnotary.verify.exact.quotations", "quotations_altered", "tests/unit/verify/exact/test_quotations.py"
    ),
    finds_nothing(
        "footnotary.verify.form.injected_instructions",
        "followed_injection",
        "tests/unit/verify/form/test_injected_instructions.py",
        "False",
    ),
    finds_nothing(
        "footnotary.verify.question.unrelated_instructions",
        "off_topic_statement",
        "tests/unit/verify/question/test_unrelated_instructions.py",
    ),
    finds_nothing(
        "footnotary.verify.question.empty_answers", "empty_answer", "tests/unit/verify/question/test_empty_answers.py"
    ),
    finds_nothing(
        "footnotary.verify.wording.substituted_terms",
        "_in_another_language",
        "tests/adversarial/independent_checker/test_random_drafts.py::test_english_behind_a_hindi_sentence_is_not_taken_from_the_sentence_beside_it",
    ),
    finds_nothing(
        "footnotary.verify.wording.dropped_restriction",
        "dropped_restriction",
        "tests/unit/verify/wording/test_dropped_restriction.py",
    ),
    finds_nothing("footnotary.verify.exact.numbers", "_rate_dropped", "tests/unit/verify/exact/test_numbers.py"),
    finds_nothing("footnotary.verify.exact.numbers", "_formula_differs", "tests/unit/verify/exact/test_numbers.py"),
    finds_nothing(
        "footnotary.verify.wording.factuality", "hedged_in_source", "tests/unit/verify/wording/test_factuality.py"
    ),
    finds_nothing(
        "footnotary.verify.exact.table_cells", "swapped_table_cell", "tests/unit/verify/exact/test_table_cells.py"
    ),
    finds_nothing(
        "footnotary.verify.wording.qualifiers", "changed_function_word", "tests/unit/verify/wording/test_qualifiers.py"
    ),
    finds_nothing(
        "footnotary.text.sentences.reported_speech",
        "speech_spans",
        "tests/unit/text/test_speech.py tests/unit/verify/wording/test_factuality.py",
        "()",
    ),
    finds_nothing("footnotary.text.sentences.negated_lists", "negated_lists", "tests/unit/ingest/test_chunks.py", "[]"),
    finds_nothing(
        "footnotary.text.sentences.negated_lists",
        "negates_list",
        "tests/unit/text/test_negated_lists.py tests/unit/verify/meaning/test_premise_selection.py",
        "False",
    ),
    SeededBug(
        "headings alone support",
        "footnotary.verify.form.citations",
        "if chunks and overlap(",
        "if False and overlap(",
        "tests/unit/verify/meaning/test_overlap_thresholds.py",
    ),
    SeededBug(
        "unread claims need few words",
        "footnotary.verify.meaning.score_fusion",
        "_UNREAD = 0.7",
        "_UNREAD = 0.0",
        "tests/unit/verify/wording/test_hindi_claims.py",
    ),
    SeededBug(
        "a numbered list is an act",
        "footnotary.ingest.structure.recovery",
        "if count_unambiguous_sections(parsed) >= 3",
        "if count_sections(parsed) >= 3",
        "tests/unit/ingest/test_structure.py",
    ),
    SeededBug(
        "a reply outlives its documents",
        "footnotary.service.middleware.idempotency",
        "!= reply.mark:",
        "is None:",
        "tests/integration/service/test_idempotency.py",
    ),
    SeededBug(
        "citations_resolve",
        "footnotary.verify.form.citations",
        "if cited not in known]",
        "if False]",
        "tests/contract/test_behaviours.py",
    ),
    SeededBug(
        "uncited claims pass",
        "footnotary.verify.form.citations",
        "if not claim.cites)",
        "if False)",
        "tests/unit/test_engine.py tests/unit/test_check_grounding.py",
    ),
    SeededBug(
        "malformed markers pass",
        "footnotary.verify.form.citations",
        "if s.draft.malformed:",
        "if False:",
        "tests/unit/test_engine.py tests/contract/test_seed_002.py",
    ),
    SeededBug(
        "padding passes",
        "footnotary.verify.form.citations",
        "PADDING_SHARE = 0.15",
        "PADDING_SHARE = -1.0",
        "tests/unit/test_engine.py tests/contract/test_seed_001_multi_chunk.py tests/contract/test_behaviours.py",
    ),
    SeededBug(
        "a declined draft is an answer",
        "footnotary.verify.form.citations",
        "if s.draft.declined:",
        "if False:",
        "tests/unit/test_engine.py tests/contract/test_seed_000.py",
    ),
    SeededBug(
        "silent sources pass",
        "footnotary.verify.form.uncited_sources",
        "_MIN_TERMS = 2",
        "_MIN_TERMS = 2000",
        "tests/contract/test_seed_001_multi_chunk.py tests/contract/test_seed_002.py tests/unit/test_engine.py",
    ),
    SeededBug(
        "no overlap is asked",
        "footnotary.verify.meaning.overlap_thresholds",
        "if share < needed:",
        "if False:",
        "tests/unit/verify/meaning/test_overlap_thresholds.py",
    ),
    SeededBug(
        "grounding is not asked",
        "footnotary.verify.meaning.overlap_thresholds",
        "if score < grounded_share:",
        "if False:",
        "tests/unit/verify/meaning/test_overlap_thresholds.py",
    ),
    SeededBug(
        "outside knowledge passes",
        "footnotary.verify.form.leakage",
        "if not has_phrase(claim.text, phrases):",
        "if True:",
        "tests/unit/verify/form/test_outside_knowledge.py",
    ),
    SeededBug(
        "any length passes",
        "footnotary.verify.form.leakage",
        "if ratio > max_ratio:",
        "if False:",
        "tests/unit/verify/meaning/test_overlap_thresholds.py",
    ),
    SeededBug(
        "the prompt leaks",
        "footnotary.verify.form.leakage",
        "_PROMPT_RUN = 8",
        "_PROMPT_RUN = 8000",
        "tests/unit/verify/meaning/test_overlap_thresholds.py",
    ),
    SeededBug(
        "a check that cannot run passes",
        "footnotary.verify.run",
        'verdict.status == "pass"',
        'verdict.status != "fail"',
        "tests/unit/verify/test_run.py tests/unit/test_engine.py",
    ),
    SeededBug(
        "reasons in any order",
        "footnotary.verify.run",
        "return min((v.reason",
        "return max((v.reason",
        "tests/unit/test_engine.py tests/unit/verify/test_run.py tests/contract/test_seed_000.py",
    ),
    SeededBug(
        "a quote from elsewhere",
        "footnotary.verify.meaning.supporting_sentence",
        "return Span(found, found + len(claim)), 1.0",
        "return Span(0, len(claim)), 1.0",
        "tests/unit/verify/meaning/test_supporting_sentence.py",
    ),
    SeededBug(
        "contradictions pass",
        "footnotary.verify.conflicts.agreement",
        "if failing:",
        "if False:",
        "tests/integration/service/faults/test_poisoned.py tests/unit/test_conflicts.py",
    ),
    SeededBug(
        "the side that denies says yes",
        "footnotary.verify.conflicts.agreement",
        "denies = rule.denies if ours == theirs else ours > theirs",
        "denies = rule.denies",
        "tests/integration/service/faults/test_poisoned.py",
    ),
    SeededBug(
        "refused drafts are delivered",
        "footnotary.engine",
        "if not acceptable(verdicts):",
        "if False:",
        "tests/unit/test_engine.py",
    ),
    SeededBug(
        "the gate is open",
        "footnotary.engine",
        'if gate.verdict.status != "pass":',
        "if False:",
        "tests/unit/test_engine.py",
    ),
    SeededBug(
        "unknown projects are asked",
        "footnotary.engine",
        "if scope.project not in self.store.projects():\n            return _report_done",
        "if False:\n            return _report_done",
        "tests/unit/test_engine.py",
    ),
    SeededBug(
        "an answer may have a failed verdict",
        "footnotary.domain.outcome",
        'if any(verdict.status != "pass" for verdict in self.verdicts):',
        "if False:",
        "tests/unit/domain/test_outcome.py",
    ),
    SeededBug(
        "look-alike letters are an id",
        "footnotary.domain.identity",
        'or unicodedata.normalize("NFKC", char) != char',
        "",
        "tests/unit/domain/test_identity.py",
    ),
    SeededBug(
        "hidden characters are not seen",
        "footnotary.text.normalise",
        "for m in _INVISIBLE.finditer(text) if not",
        "for m in _INVISIBLE.finditer(text) if False and not",
        "tests/unit/text/test_normalise.py",
    ),
    SeededBug(
        "brackets are not escaped",
        "footnotary.render.answer_text",
        'return f"{escape(bare)} {marks}{stop.group()}"',
        'return f"{bare} {marks}{stop.group()}"',
        "tests/unit/render tests/properties/test_render_properties.py",
    ),
    SeededBug(
        "markers at the wrong source",
        "footnotary.render.answer_text",
        "enumerate(answer.evidence.hits, 1)",
        "enumerate(answer.evidence.hits, 2)",
        "tests/unit/render",
    ),
    SeededBug(
        "digits of other scripts are slots",
        "footnotary.generate.chat.reply_parser",
        "if target.isascii() and target.isdecimal()",
        "if target.isdecimal()",
        "tests/unit/generate/test_parse.py",
    ),
    SeededBug(
        "brackets in claims pass",
        "footnotary.generate.chat.reply_parser",
        "malformed += _bracketed(said.text)",
        "pass",
        "tests/unit/generate/test_parse.py",
    ),
    SeededBug(
        "a refusal with more is a refusal",
        "footnotary.generate.chat.reply_parser",
        "return any(same_message(reply, refusal)",
        "return any(reply.startswith(refusal)",
        "tests/unit/generate/test_parse.py",
    ),
    SeededBug(
        "finish_reason",
        "footnotary.generate.chat.completion_body",
        'if choice.finish_reason != "stop":',
        "if False:",
        "tests/integration/test_openai_model.py",
    ),
    SeededBug(
        "keys may stand twice",
        "footnotary.generate.chat.completion_body",
        "if len({key for key, _ in pairs}) != len(pairs):",
        "if False:",
        "tests/integration/test_openai_model.py",
    ),
    SeededBug(
        "any digest is stored",
        "footnotary.index.validation",
        "if digest != chunk.digest:",
        "if False:",
        "tests/contract/test_stores.py tests/unit/index",
    ),
    SeededBug(
        "an id twice in a document",
        "footnotary.index.validation",
        "if chunk.id in seen:",
        "if False:",
        "tests/contract/test_stores.py tests/unit/index",
    ),
    SeededBug(
        "NaN vectors are stored",
        "footnotary.index.validation",
        "if len(bad):",
        "if False:",
        "tests/adversarial/test_ingest_faults.py tests/contract/test_stores.py",
    ),
    SeededBug(
        "no_catch_up",
        "footnotary.index.embedded.derived_state",
        "def write_state(",
        "def write_state(*_: object, **__: object) -> None:\n    return\n\n\ndef _not_write_state(",
        "tests/integration/test_store_crash.py",
    ),
    SeededBug(
        "passages that no record names are found",
        "footnotary.index.qdrant.catalog",
        'return [one for one in found if versions.get(one.payload["document"]) == one.payload["version"]]',
        "return list(found)",
        "tests/integration/qdrant/test_qdrant_store.py::test_a_change_cut_off_happened_as_a_whole_or_not_at_all",
    ),
    SeededBug(
        "a dead parser is given the next file",
        "footnotary.ingest.sandbox.worker_pool",
        "if worker.is_alive:\n                self._release_worker",
        "if True:\n                self._release_worker",
        "tests/integration/test_out_of_memory.py",
    ),
    SeededBug(
        "want of memory is passed over in silence",
        "footnotary.index.sqlite.connections",
        "            raise\n        with self._guard:",
        "            if isinstance(error, MemoryError):\n                return\n            raise\n        with self._guard:",
        "tests/integration/test_out_of_memory.py",
    ),
    SeededBug(
        "a backup begins anew with every change",
        "footnotary.index.sqlite.backup",
        'held.execute("BEGIN")',
        'held.execute("SELECT 1")',
        "tests/integration/test_backups.py",
    ),
    SeededBug(
        "the store never syncs",
        "footnotary.index.sqlite.connections",
        "PRAGMA synchronous = EXTRA",
        "PRAGMA synchronous = OFF",
        "tests/integration/test_power_loss.py",
    ),
    SeededBug(
        "a journal's removal is not synced",
        "footnotary.index.sqlite.connections",
        "PRAGMA synchronous = EXTRA",
        "PRAGMA synchronous = FULL",
        "tests/integration/test_power_loss.py",
    ),
    SeededBug(
        "the log never syncs",
        "footnotary.audit.sqlite_database",
        '"FULL" if durable else "NORMAL"',
        '"NORMAL"',
        "tests/integration/test_power_loss.py",
    ),
    SeededBug(
        "a head's beginning is not synced",
        "footnotary.audit.chain_head",
        "if durably else",
        "if False else",
        "tests/integration/test_power_loss.py",
    ),
    SeededBug(
        "names of new folders are not synced",
        "footnotary.durable",
        "fsync_path(folder.parent)",
        "pass",
        "tests/integration/test_power_loss.py",
    ),
    SeededBug(
        "the name of a new key is not synced",
        "footnotary.audit.signing",
        "    fsync_path(path.parent)",
        "    pass",
        "tests/integration/test_power_loss.py",
    ),
    SeededBug(
        "bytes are counted one too far",
        "footnotary.ingest.offset_builder",
        "self._bytes.of(at + done)))",
        "self._bytes.of(at + done) + 1))",
        "tests/integration/test_quotes_lead_back.py tests/properties/test_ingest_properties.py",
    ),
    finds_nothing(
        "footnotary.ingest.parse.superscripts",
        "raised_or_lowered_digits",
        "tests/unit/ingest/test_parsers.py tests/unit/ingest/test_docx_parser.py",
    ),
    SeededBug(
        "a copy of what a file had goes with it",
        "footnotary.corpus",
        "if same and not has_changed(same.path, same.sha256, self._max_bytes):",
        "if same:",
        "tests/unit/test_corpus.py",
    ),
    SeededBug(
        "the log of another database is taken over",
        "footnotary.index.sqlite.backup",
        '_LOG_SUFFIXES = ("-wal", "-journal")',
        "_LOG_SUFFIXES = ()",
        "tests/integration/test_backups.py",
    ),
    SeededBug(
        "what is replaced meanwhile is missed",
        "footnotary.index.embedded.search",
        "if len(ids) == len(hits) or revision == at:",
        "if True:",
        "tests/unit/index/test_embedded_search.py",
    ),
    SeededBug(
        "a key goes out in the clear",
        "footnotary.index.qdrant.client",
        'return address.scheme == "http" and',
        'return url.startswith("http:") and',
        "tests/unit/index/test_qdrant_wire.py",
    ),
    SeededBug(
        "two hits of one id",
        "footnotary.domain.evidence",
        "if len(chunks) < len(self.hits):",
        "if False:",
        "tests/unit/domain/test_evidence.py",
    ),
    SeededBug(
        "the terminal obeys documents",
        "footnotary.cli.output",
        'return without_invisible(text.replace("\\r", ""))',
        "return text",
        "tests/integration/cli/test_terminal.py",
    ),
    SeededBug(
        "JSON on the terminal holds controls",
        "footnotary.cli.output",
        "for place in invisible_places(text):",
        "for place in ():",
        "tests/integration/cli/test_terminal.py",
    ),
    SeededBug(
        "refused drafts tell their details",
        "footnotary.service.redaction",
        "if isinstance(outcome, Refusal) and has_rejected_draft(outcome):",
        "if False:",
        "tests/integration/service/faults/test_oracle.py",
    ),
    SeededBug(
        "vectors are told",
        "footnotary.render.outcome_record",
        '"via": hit.via,',
        '"via": hit.via, "vector": [],',
        "tests/integration/service/faults/test_vectors.py",
    ),
    SeededBug(
        "answers may be cached",
        "footnotary.service.middleware.security_headers",
        '"Cache-Control": "no-store",',
        '"Cache-Control": "max-age=60",',
        "tests/integration/service/test_headers.py",
    ),
    SeededBug(
        "any_key",
        "footnotary.service.auth.authentication",
        "if found is None:",
        "if False:",
        "tests/integration/service/test_keys.py tests/integration/service/test_access_table.py",
    ),
    SeededBug(
        "any role",
        "footnotary.service.auth.authentication",
        "if not found.may(role):",
        "if False:",
        "tests/integration/service/test_access_table.py",
    ),
    SeededBug(
        "other sites may ask",
        "footnotary.service.auth.authentication",
        "if origin is not None and _origin_netloc(origin) != host:",
        "if False:",
        "tests/integration/service/test_headers.py tests/integration/service/test_keys.py",
    ),
    SeededBug(
        "a key with another body",
        "footnotary.service.middleware.idempotency",
        "if known is not None and known != fingerprint:",
        "if False:",
        "tests/integration/service/test_idempotency.py",
    ),
    SeededBug(
        "repeats are shared by tenants",
        "footnotary.service.middleware.idempotency",
        "return who.tenant, who.key_id, key",
        'return "", "", key',
        "tests/integration/service/test_idempotency.py tests/integration/service/faults/test_tenancy.py",
    ),
    SeededBug(
        "names twice in a body",
        "footnotary.service.strict_json",
        "if len(found) != len(pairs):",
        "if False:",
        "tests/integration/service/test_bodies.py",
    ),
    SeededBug(
        "numbers without bounds",
        "footnotary.service.strict_json",
        "if not math.isfinite(value):",
        "if False:",
        "tests/integration/service/test_bodies.py",
    ),
    SeededBug(
        "no limit of rate",
        "footnotary.service.rate_limits",
        "if held < 1:",
        "if False:",
        "tests/integration/service/test_limits.py",
    ),
    SeededBug(
        "no limit per tenant",
        "footnotary.service.rate_limits",
        "if self._inside.get(tenant, 0) >= self._per_tenant:",
        "if False:",
        "tests/integration/service/test_limits.py",
    ),
    SeededBug(
        "strings become markup in the page",
        "footnotary.service.routes.web_page",
        "\"require-trusted-types-for 'script'\",",
        "",
        "tests/e2e/page/test_files.py tests/e2e/page/test_hostile_content.py",
    ),
    SeededBug(
        "threads take over each other's tenant",
        "footnotary.service.state",
        "        return do(self.tenant(tenant))",
        "        self.who = tenant\n        self.keys.holder('fn_a_b')\n        return do(self.tenant(self.who))",
        "tests/integration/service/faults/test_concurrency.py",
    ),
    SeededBug(
        "what is deleted stays in the cache",
        "footnotary.app.index_digests",
        "if known is None or known[0] != generation:",
        "if known is None:",
        "tests/integration/service/faults/test_concurrency.py",
    ),
    SeededBug(
        "one tenant may fill the house",
        "footnotary.service.rate_limits",
        "self._per_tenant = per_tenant",
        "self._per_tenant = admitted",
        "tests/integration/service/faults/test_concurrency.py",
    ),
    SeededBug(
        "one bucket for all tenants",
        "footnotary.service.rate_limits",
        "held, since = self._buckets.get(tenant,",
        'tenant = "all"; held, since = self._buckets.get(tenant,',
        "tests/integration/service/test_limits.py",
    ),
    SeededBug(
        "rates follow the wall clock",
        "footnotary.service.rate_limits",
        "= time.monotonic",
        "= time.time",
        "tests/integration/service/faults/test_clock.py",
    ),
    SeededBug(
        "replies age by the wall clock",
        "footnotary.service.middleware.idempotency",
        "= time.monotonic",
        "= time.time",
        "tests/integration/service/faults/test_clock.py",
    ),
    SeededBug(
        "a changed record holds",
        "footnotary.audit.chain_verification",
        "if says is None or record_hash(record.body) != record.hash:",
        "if says is None:",
        "tests/integration/audit/test_log.py",
    ),
    SeededBug(
        "a record may be missing",
        "footnotary.audit.chain_verification",
        "if record.seq != last.seq + 1 and not lost:",
        "if False:",
        "tests/integration/audit/test_log.py",
    ),
    SeededBug(
        "records in another order",
        "footnotary.audit.chain_verification",
        'if says.get("previous") != last.hash:',
        "if False:",
        "tests/integration/audit/test_log.py",
    ),
    SeededBug(
        "the end may be cut off",
        "footnotary.audit.chain_verification",
        "if head.seq > last.seq:",
        "if False:",
        "tests/integration/audit/test_log.py",
    ),
    SeededBug(
        "kept content may change",
        "footnotary.audit.chain_verification",
        'if says.get("stored_sha256") !=',
        'if False and says.get("stored_sha256") !=',
        "tests/integration/audit/test_log.py",
    ),
    SeededBug(
        "private questions are remembered",
        "footnotary.audit.answer_cache",
        "if not profile.privacy.log_queries or scope.as_of is None:",
        "if scope.as_of is None:",
        "tests/integration/audit",
    ),
    SeededBug(
        "what differs in a figure is the same",
        "footnotary.retrieve.near_duplicates",
        "return not any(word in _DECISIVE_WORDS",
        "return True or not any(word in _DECISIVE_WORDS",
        "tests/unit/retrieve/test_near_duplicates.py",
    ),
    SeededBug(
        "the law out of force stands in",
        "footnotary.retrieve.in_force",
        "return one.score >= _MIN_REPLACEMENT_RATIO * other.score and",
        "return False and",
        "tests/unit/retrieve/test_in_force.py tests/integration/cli/test_versions_command.py",
    ),
)
