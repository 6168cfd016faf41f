"""The same model next to peers: one set of passages and questions through LlamaIndex, Haystack, LangChain and Footnotary."""
