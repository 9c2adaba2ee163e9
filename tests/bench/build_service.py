#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long a build service takes around the tools, which are those of tests/toolchain/fake: over the daemon's socket and
over TLS; and with the program placid-build-bench beside it, inside. Prints numbers, judges none.

    build_service.py --placid build/release/bin/placid [--builds 50]
"""
import argparse
import hashlib
import http.client
import pathlib
import ssl
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "toolchain"))
import service_harness as harness  # noqa: E402


class Bench(harness.Service):
    def runTest(self):
        pass


def percentiles(name, seconds):
    seconds.sort()
    print(f"{name:44} p50 {seconds[len(seconds) // 2] * 1e3:8.2f} ms   p99 {seconds[int(len(seconds) * 0.99)] * 1e3:8.2f} ms")


def timed(count, call):
    out = []
    for i in range(count):
        start = time.perf_counter()
        call(i)
        out.append(time.perf_counter() - start)
    return out


def measure(client, name, builds):
    def build(i):
        client.follow(client.submit(f"{name}{i}", {"k.py": harness.EXAMPLE}, until="link", toolchain="cpu-sim"))

    build(-1)
    percentiles(f"{name}: a known build, to its last event", timed(builds, build))
    last = client.call("build/list", {"most": 1})["builds"][0]["id"]
    percentiles(f"{name}: build/result", timed(500, lambda _: client.ask("build/result", {"id": last})))
    data = b"\x00\xff" * 8192
    digest = client.put(data)
    percentiles(f"{name}: blob/get, 16 KiB", timed(500, lambda _: client.ask("blob/get", {"digest": digest})))


def cached(address, context):
    """A known result and its 16 KiB as build tools ask for them: over one connection that stays."""
    connection = http.client.HTTPSConnection(address, context=context)
    headers = {"Authorization": "Bearer " + harness.TOKEN}
    data = b"\x07\xff" * 8192
    key = hashlib.sha256(b"key").hexdigest()

    def ask(method, body=None):
        connection.request(method, "/ac/" + key, body=body, headers=headers)
        answer = connection.getresponse()
        answer.read()
        assert answer.status == 200, answer.status

    ask("PUT", data)
    percentiles("TLS: /ac, 16 KiB", timed(1000, lambda _: ask("GET")))
    connection.close()


def many(clients, name, requests):
    """Requests a second when each client has 100 under way, so that the time of Python is left out as far as can be."""
    begin = time.perf_counter()

    def one(client):
        method, params = requests
        for _ in range(20):
            client.stream.sendall(b"".join(harness.frame({"id": i, "method": method, "params": params}) for i in range(100)))
            for _ in range(100):
                client.message()

    threads = [threading.Thread(target=one, args=[client]) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(f"{name:44} {len(clients) * 2000 / (time.perf_counter() - begin):12.0f} a second")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--placid", required=True)
    parser.add_argument("--builds", type=int, default=50)
    harness.OPTIONS = parser.parse_args()
    harness.OPTIONS.placid = str(pathlib.Path(harness.OPTIONS.placid).resolve())
    with tempfile.TemporaryDirectory(prefix="placid-certificates-") as folder:
        harness.CERTS = pathlib.Path(folder)
        harness.make_certificates(harness.CERTS)
        bench = Bench()
        bench.setUp()
        bench.serve(tls=True)
        try:
            print(f"{'memory of the daemon, nothing done yet':44} {bench.status()['memory'] / (1 << 20):12.1f} MiB")
            measure(bench.client(), "socket", harness.OPTIONS.builds)
            measure(bench.remote_client(token=harness.TOKEN), "TLS", harness.OPTIONS.builds)
            cached(bench.tls, ssl.create_default_context(cafile=str(harness.CERTS / "ca.pem")))
            local = [bench.client() for _ in range(8)]
            digest = local[0].put(b"x" * 1000)
            last = local[0].call("build/list", {"most": 1})["builds"][0]["id"]
            many(local, "socket: blob/get, 1 KB, 8 clients", ("blob/get", {"digest": digest}))
            many(local, "socket: build/result, 8 clients", ("build/result", {"id": last}))
            clients = [bench.remote_client(token=harness.TOKEN) for _ in range(8)]
            digest = clients[0].put(b"x" * 1000)
            threads = [threading.Thread(target=lambda c=c: timed(500, lambda _: c.ask("blob/get", {"digest": digest}))) for c in clients]
            start = time.perf_counter()
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            print(f"TLS: blob/get, 1 KB, 8 clients: {8 * 500 / (time.perf_counter() - start):.0f} a second, the client's Python included")
        finally:
            bench.doCleanups()
    inside = pathlib.Path(harness.OPTIONS.placid).with_name("placid-build-bench")
    if inside.exists():
        subprocess.run([inside], check=True)


if __name__ == "__main__":
    main()
