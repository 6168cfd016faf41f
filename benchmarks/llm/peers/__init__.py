"""The same model beside peers: one set of passages and questions through LlamaIndex, Haystack, LangChain and Footnotary."""
