"""llama.cpp's own server out of the package xllamacpp, with the arguments of `llama-server` that we use.

    python -m footnotary.models.xllamacpp_server -m BASE.gguf --lora ADAPTER.gguf --alias NAME --port 8611

It runs until it is ended. `--lora` may be left out.
"""

from __future__ import annotations

import argparse
import signal
from importlib import import_module
from typing import Any


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-m", dest="model", required=True)
    parser.add_argument("--lora")
    parser.add_argument("--alias", required=True)
    parser.add_argument("-c", dest="context", type=int, default=8192)
    parser.add_argument("-np", dest="parallel", type=int, default=1)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, required=True)
    options = parser.parse_args()
    library: Any = import_module("xllamacpp")  # it has no type stubs
    parameters = library.CommonParams()
    parameters.model.path = options.model
    parameters.model_alias = {options.alias}
    parameters.hostnames = [options.host]
    parameters.port = options.port
    parameters.n_ctx = options.context
    parameters.n_parallel = options.parallel
    parameters.warmup = False
    if options.lora:
        parameters.lora_adapters = [library.CommonAdapterLoraInfo(options.lora, 1.0)]
    server = library.Server(parameters)
    print(server.listening_address, flush=True)
    signal.pause()


if __name__ == "__main__":
    main()
