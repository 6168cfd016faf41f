"""Serves one GGUF file on loopback with llama.cpp's own OpenAI-compatible server. Run in the runtime's environment.

    python serve_gguf.py MODEL.gguf CONTEXT THREADS

Prints the URL it listens on, and exits when its standard input closes.
"""

import sys

import xllamacpp  # pyright: ignore[reportMissingImports]

model, context, threads = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
parameters = xllamacpp.CommonParams()
parameters.model.path = model
parameters.hostnames = ["127.0.0.1"]
parameters.port = 0
parameters.n_ctx = context
parameters.n_parallel = 1
parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = threads
parameters.warmup = False
server = xllamacpp.Server(parameters)
print(server.listening_address, flush=True)
sys.stdin.read()
