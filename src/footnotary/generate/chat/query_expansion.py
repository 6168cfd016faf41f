"""Optional query expansion by a chat model, only for questions that the corpus covers."""

from dataclasses import replace

from footnotary.domain.query import Query
from footnotary.errors import ModelError
from footnotary.ports import ChatModel, Message
from footnotary.text.tokens import content_terms

_MAX_WORDS = 12
_RULES = (
    "You help a search engine. Reply with up to ten other words or short phrases that documents may use for what the "
    "question asks about, separated by commas. Reply with nothing else and do not answer the question."
)


class ModelQueryExpander:
    """Adds a model's words to the search terms; they never count as key terms and never reach an answer.

    If the model fails, the search continues with the question's own words.
    """

    def __init__(self, model: ChatModel) -> None:
        self._model = model

    def __call__(self, query: Query) -> Query:
        try:
            reply = self._model.complete((Message("system", _RULES), Message("user", query.text)))
        except ModelError:
            return query
        added = content_terms(reply)[:_MAX_WORDS]
        return replace(
            query,
            facets=tuple(replace(f, terms=tuple(dict.fromkeys((*f.terms, *added)))) for f in query.facets),
        )
