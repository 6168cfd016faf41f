"""OpenAI's formats: chat completions, responses, structured output and the URLs of citations."""
