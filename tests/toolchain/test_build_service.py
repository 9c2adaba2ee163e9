#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The build service from outside: over the daemon's socket and over TLS, with the programs of tests/toolchain/fake as
tools. Every message is held against docs/protocol; hostile peers get nothing; no accepted build is lost.

    test_build_service.py --placid build/release/bin/placid
"""
import hashlib
import json
import os
import pathlib
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import unittest
import urllib.request
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import service_harness as harness  # noqa: E402
from schema import Schema  # noqa: E402
from service_client import FakeService, Refused, SCHEMA, frame  # noqa: E402
from service_harness import EXAMPLE, TOKEN  # noqa: E402


def picture_of(png):
    """Width, height, the first pixel's colour, and how many rows are of more than one colour, as the filters leave them."""
    at, packed = 8, b""
    while at < len(png):
        length = int.from_bytes(png[at : at + 4], "big")
        kind, data = png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            width, height, channels = int.from_bytes(data[:4], "big"), int.from_bytes(data[4:8], "big"), {2: 3, 6: 4}[data[9]]
        packed += data if kind == b"IDAT" else b""
        at += length + 12
    raw, stride = zlib.decompress(packed), width * channels + 1
    rows = [raw[i : i + stride] for i in range(0, len(raw), stride)]
    return width, height, tuple(rows[0][1:4]), sum(len(set(row[1:])) > 4 for row in rows)


class Service(harness.Service):
    # --- over the daemon's socket

    def test_a_build_and_everything_that_can_be_asked(self):
        self.serve()
        client = self.client()
        build = client.submit("one", {"k.py": EXAMPLE}, until="link", toolchain="cpu-sim", labels={"tc": "cpu-sim", "class": "compile"})
        events = client.follow(build)
        types = [event["type"] for event in events]
        for wanted in ("buildAccepted", "buildStarted", "kernelQueued", "passFinished", "artifact"):
            self.assertIn(wanted, types)
        self.assertEqual(events[-1]["status"], "succeeded")
        result = client.call("build/result", {"id": build})
        self.assertEqual([one["name"] for one in result["artifacts"]], ["manifest.json", "matmul.cpp", "matmul.o", "matmul.pto", "matmul.so"])
        files = {one["name"]: client.get(one["digest"]) for one in result["artifacts"]}
        # The same bytes as a build by hand.
        (self.folder / "k.py").write_bytes(EXAMPLE)
        done = subprocess.run([harness.OPTIONS.placid, "build", "--no-daemon", "--toolchain", "cpu-sim", "k.py"], cwd=self.folder, env=self.env, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(files, {path.name: path.read_bytes() for path in (self.folder / "placid-out").iterdir()})
        self.assertEqual(client.submit("one", {"k.py": EXAMPLE}, until="link", toolchain="cpu-sim", labels={"tc": "cpu-sim", "class": "compile"}), build)
        again = self.client()
        self.assertEqual(again.follow(build, start=len(events) - 1), events[-1:])
        self.assertEqual([one["id"] for one in client.call("build/list")["builds"]], [build])
        self.assertEqual(client.call("build/server")["labels"]["tc"], ["cpu-sim"])
        for labels, code in (({"tc": "cann-a5"}, -32011), ({"cards": "2"}, -32011), ({"colour": "red"}, -32602)):
            with self.assertRaises(Refused) as refused:
                client.ask("build/submit", {"idempotencyKey": "x", "sources": [{"path": "k.py", "digest": client.put(EXAMPLE)}], "labels": labels})
            self.assertEqual(refused.exception.code, code)

    def test_faults_are_of_the_program(self):
        self.serve()
        client = self.client()
        (self.folder / "ptoas/bin/behaviour").write_text("error")
        build = client.submit("one", {"dir/k.py": EXAMPLE}, until="cpp")
        events = client.follow(build)
        said = [event for event in events if event["type"] == "diagnostic"]
        self.assertEqual([(event["source"], event["code"], event["path"]) for event in said], [("ptoas", "PL7001", "dir/k.py")])
        result = client.call("build/result", {"id": build})
        self.assertEqual((result["status"], result["exitCode"], result["artifacts"]), ("failed", 1, []))
        self.assertIn("error[PL7001]", result["err"])
        self.assertNotIn(str(self.folder), result["err"], "no path of this machine")

    def test_sources_with_imports_and_settings(self):
        self.serve()
        client = self.client()
        text = EXAMPLE.replace(b"import pypto.language as pl", b"import pypto.language as pl\nfrom sizes import ROWS")
        build = client.submit("one", {"k.py": text, "sizes.py": b"ROWS = 16\n", "placid.toml": b"arch = 'a9'\n"}, until="pto", paths=["k.py"])
        result = client.finish(build)
        self.assertEqual((result["status"], result["exitCode"]), ("failed", 2))
        self.assertIn("placid.toml:1", result["err"], "settings are those that came with it")

    def test_cancelled_and_left_alone(self):
        self.serve()
        client = self.client()
        (self.folder / "ptoas/bin/behaviour").write_text("hang")
        build = client.submit("cancelled", {"k.py": self.kernel(1)}, until="cpp")
        self.wait_for(lambda: self.runs() == 1)
        client.call("build/cancel", {"id": build})
        self.assertEqual(client.finish(build)["status"], "cancelled")
        left = client.call("build/submit", {"idempotencyKey": "left", "sources": [{"path": "k.py", "digest": client.put(self.kernel(2))}], "leaseMs": 1500, "until": "cpp"})["id"]
        self.assertIn("lease", client.finish(left)["reason"])
        (self.folder / "ptoas/bin/behaviour").write_text("good")
        self.assertEqual(client.finish(client.submit("after", {"k.py": self.kernel(3)}, until="cpp"))["status"], "succeeded")

    def test_a_restart_in_the_middle_of_200_builds_loses_none(self):
        self.serve()
        client = self.client()
        sources = [self.kernel(i) for i in range(20)]
        builds = [client.submit(f"b{i}", {"k.py": sources[i % 20]}, until="cpp", leaseMs=0) for i in range(200)]
        self.assertEqual(len(set(builds)), 200)
        for ended in (5, 60):
            self.wait_for(lambda: sum(b["state"] == "succeeded" for b in client.call("build/list", {"most": 1000})["builds"]) >= ended, 600)
            self.kill()
            self.start()
            client = self.client()
        again = [client.submit(f"b{i}", {"k.py": sources[i % 20]}, until="cpp", leaseMs=0) for i in range(200)]
        self.assertEqual(again, builds, "who asks again finds their own")
        artifacts = {}
        for i, build in enumerate(builds):
            result = client.finish(build)
            self.assertEqual(result["status"], "succeeded", result)
            digests = tuple(one["digest"] for one in result["artifacts"])
            self.assertEqual(artifacts.setdefault(i % 20, digests), digests, "one result of one source")
            types = [event["type"] for event in client.follow(build)]
            self.assertEqual(types.count("buildFinished"), 1)
        self.assertEqual(self.status()["builds"], 0)

    # --- from other machines

    def test_tls_with_a_token_and_with_a_certificate(self):
        self.serve(tls=True)
        by_token = self.remote_client(token=TOKEN)
        build = by_token.submit("one", {"k.py": EXAMPLE}, until="cpp")
        self.assertEqual(by_token.follow(build)[-1]["status"], "succeeded")
        result = by_token.call("build/result", {"id": build})
        self.assertIn(b"AICORE void matmul", by_token.get(next(one["digest"] for one in result["artifacts"] if one["name"] == "matmul.cpp")))
        by_certificate = self.remote_client(cert=harness.CERTS / "client.pem", key=harness.CERTS / "client.key")
        for ask in (lambda: by_certificate.call("build/status", {"id": build}), lambda: by_certificate.call("blob/get", {"digest": result["artifacts"][0]["digest"]})):
            with self.assertRaises(Refused) as refused:
                ask()
            self.assertEqual(refused.exception.code, -32004, "somebody else's is as absent as nobody's")
        self.assertEqual(by_certificate.call("build/list")["builds"], [])
        with self.assertRaises(Refused) as refused:
            by_certificate.call("build/drain")
        self.assertEqual(refused.exception.code, -32001)
        everybody = self.client().call("build/list")["builds"]
        self.assertEqual([one["client"] for one in everybody], ["team/ci"])
        # So it is with pages.
        url = f"https://{self.tls}"
        self.assertIn(f'<a href="/builds/{build}">'.encode(), self.curl(f"{url}/"))
        self.assertIn(b"NZ layout of weight", self.curl(f"{url}/builds/{build}"))
        self.assertNotIn(build.encode(), self.curl(f"{url}/", token=f"{TOKEN}-of-another"))
        self.curl(f"{url}/builds/{build}", status="404", token=f"{TOKEN}-of-another")
        self.curl(f"{url}/builds/{build}", status="401", token=None)
        self.assertNotIn(TOKEN, (self.folder / "daemon.log").read_text())

    def test_hostile_peers_get_nothing(self):
        self.serve(tls=True)
        for kwargs in ({}, {"token": "wrong-token-of-some-length"}, {"token": TOKEN[:-1]}, {"token": TOKEN, "role": "admin"}, {"token": TOKEN, "role": "lsp"}):
            with self.assertRaises(Refused) as refused:
                self.remote_client(**kwargs)
            self.assertEqual(refused.exception.code, -32001)
            self.assertNotIn("token", str(refused.exception).replace("a token", ""))
        for name in ("stranger", "old-client"):
            with self.assertRaises((ssl.SSLError, ConnectionError, EOFError)):
                self.remote_client(cert=harness.CERTS / f"{name}.pem", key=harness.CERTS / f"{name}.key", token=TOKEN)
        with self.assertRaises((ssl.SSLError, ConnectionError)):
            self.dial(maximum_version=ssl.TLSVersion.TLSv1_2)
        host, _, port = self.tls.rpartition(":")
        for bytes_ in (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"\x16\x03\x01\xff\xff" + b"x" * 70000, b"\0" * 100000):
            stream = socket.create_connection((host, int(port)), 60)
            try:
                stream.sendall(bytes_)
            except ConnectionError:
                pass
            self.closed(stream)
        big = b"Content-Length: 99999999999\r\n\r\n"
        for bytes_ in (big, b"Content-Length: 9000000\r\n\r\n", b"Content-Length: x\r\n\r\n", b"content-length" + b"y" * 5000, b"Content-Length: 2\r\n\r\n{]",
                       b"Content-Length: 2\r\n\r\n{}"):  # fmt: skip
            stream = self.dial()
            stream.sendall(bytes_)
            self.closed(stream)
        stream = self.dial()  # says nothing, or one byte of a message, and no more
        stream.sendall(b"C")
        silent = socket.create_connection((host, int(port)), 60)
        self.closed(silent)
        self.closed(stream)
        client = self.remote_client(token=TOKEN)
        for path in ("../k.py", "/etc/passwd", "a/../../k.py", "a\\..\0k.py"):
            with self.assertRaises(Refused) as refused:
                client.ask("build/submit", {"idempotencyKey": "x", "sources": [{"path": path, "digest": client.put(EXAMPLE)}]})
            self.assertEqual(refused.exception.code, -32602)
        with self.assertRaises(Refused):
            client.ask("command/run", {"words": ["check", "/etc/passwd"], "cwd": "/"})
        with self.assertRaises(Refused):
            client.ask("admin/stop")
        self.assertEqual(self.client().call("build/list")["builds"], [])
        self.assertEqual(client.finish(client.submit("good", {"k.py": EXAMPLE}, until="pto"))["status"], "succeeded", "everybody else is served")

    def test_more_answers_than_are_taken(self):
        self.serve(tls=True)
        client = self.remote_client(token=TOKEN)
        digest = client.put(os.urandom(4 << 20))
        asks = [{"jsonrpc": "2.0", "id": 100 + i, "method": "blob/get", "params": {"digest": digest}} for i in range(60)]
        body = json.dumps(asks).encode()
        client.stream.sendall(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.closed(client.stream)
        self.assertEqual(len(self.remote_client(token=TOKEN).get(digest)), 4 << 20)
        self.assertIsNone(self.daemon.poll())
        kind = ("-H", "Content-Type: application/json")
        self.curl(*kind, "--data-binary", json.dumps(asks), f"https://{self.tls}/rpc", status="400")
        (self.folder / "large").write_bytes(b" " * (9 << 20))
        self.curl(*kind, "--data-binary", f"@{self.folder}/large", f"https://{self.tls}/rpc", status="413")

    def test_who_is_nobody_says_little(self):
        self.serve(tls=True)
        for length, body, why in ((70000, b"", b"at most 65536 bytes"), (4002, b"[" + b"1," * 1999 + b"11]", b"too much for a first message")):
            stream = self.dial()
            stream.sendall(b"Content-Length: %d\r\n\r\n%s" % (length, body))
            said = b""
            while part := stream.recv(1 << 16):
                said += part
            self.assertIn(why, said)
            stream.close()

    def test_a_body_may_take_longer_than_a_greeting(self):
        self.serve(tls=True)
        content = b"x" * 1000
        slow, silent = self.dial(), self.dial()
        slow.sendall(b"PUT /cas/%s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Length: 1000\r\n\r\n"
                     % (hashlib.sha256(content).hexdigest().encode(), TOKEN.encode()))  # fmt: skip
        slow.sendall(content[:500])
        self.closed(silent)  # its time is over, and that of the other, which was there first
        slow.sendall(content[500:])
        self.assertIn(b" 200 ", slow.recv(1000))
        slow.close()

    def test_many_connections_of_one_peer(self):
        self.serve(tls=True)
        host, _, port = self.tls.rpartition(":")
        streams = [socket.create_connection((host, int(port)), 60) for _ in range(100)]
        for stream in streams[70:]:
            self.closed(stream)
        for stream in streams[:70]:
            stream.close()
        self.wait_for(lambda: self.admitted())

    def admitted(self):
        try:
            self.remote_client(token=TOKEN)
            return True
        except (OSError, EOFError):
            return False

    def test_the_http_cache(self):
        self.serve(tls=True)
        content = os.urandom(3 << 20)
        (self.folder / "content").write_bytes(content)
        digest, key = hashlib.sha256(content).hexdigest(), hashlib.sha256(b"an action").hexdigest()
        url = f"https://{self.tls}"
        self.curl(f"{url}/cas/{digest}", status="404")
        self.curl("-T", self.folder / "content", f"{url}/cas/{digest}")
        self.assertEqual(self.curl(f"{url}/cas/{digest}"), content)
        self.curl("-I", f"{url}/cas/{digest}")
        self.curl("-T", self.folder / "content", f"{url}/cas/{key}", status="400")
        self.curl("--data-binary", "a result", "-X", "PUT", f"{url}/ac/{key}")
        self.assertEqual(self.curl(f"{url}/ac/{key}"), b"a result")
        for path in ("/cas/../../etc/passwd", "/cas/" + "A" * 64, "/cas/", f"/cas/{digest}/x", f"/ac/{key}?x"):
            self.curl("--path-as-is", url + path, status="400")
        self.curl("-X", "DELETE", f"{url}/cas/{digest}", status="405")
        self.curl(f"{url}/none", status="404")
        # Others see none of it.
        self.curl(f"{url}/cas/{digest}", status="404", token=f"{TOKEN}-of-another")
        self.curl(f"{url}/ac/{key}", status="404", token=f"{TOKEN}-of-another")
        for token in (None, "wrong"):
            self.curl(f"{url}/cas/{digest}", status="401", token=token)
            self.curl("-T", self.folder / "content", f"{url}/cas/{digest}", status="401", token=token)
        call = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "build/list", "params": {}})
        sent = ("-H", "Content-Type: application/json; charset=utf-8", "-d", call, f"{url}/rpc")
        self.assertEqual(json.loads(self.curl(*sent))["result"], {"builds": []})
        # A page of another site that a browser is logged in for.
        for header in ("Origin: https://evil.example", "Origin: null", f"Origin: {url}", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site"):
            self.curl("-H", header, *sent, status="403")
            self.curl("-H", header, f"{url}/cas/{digest}", status="403")
        self.curl("-H", "Sec-Fetch-Site: none", *sent)
        for kind in ("text/plain", "application/x-www-form-urlencoded", "text/plain; application/json", "application/jsonp"):
            self.curl("-H", f"Content-Type: {kind}", *sent[2:], status="415")
        # A browser asks who its user is for pages, for nothing else.
        for path, wanted in (("/", "Basic"), ("/builds/x", "Basic"), ("/rpc", "Bearer"), ("/metrics", "Bearer")):
            answer = subprocess.run(["curl", "-s", "-i", "--cacert", harness.CERTS / "ca.pem", url + path], capture_output=True, text=True, timeout=120).stdout
            self.assertIn(f'WWW-Authenticate: {wanted} realm="placid"', answer)
        page = subprocess.run(["curl", "-s", "--cacert", harness.CERTS / "ca.pem", "-u", f"x:{TOKEN}", url + "/"], capture_output=True, text=True, timeout=120).stdout
        self.assertIn("Recent builds", page)

    def test_who_is_nobody_sends_no_body(self):
        self.serve(tls=True)
        stream = self.dial()
        stream.sendall(b"PUT /cas/" + b"0" * 64 + b" HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000\r\n\r\nx")
        self.assertIn(b" 401 ", stream.recv(1000), "before the rest has come")
        self.closed(stream)

    def test_what_was_recorded_cannot_be_replayed(self):
        self.serve(tls=True)
        digest = self.remote_client(token=TOKEN).put(EXAMPLE)
        context = ssl.create_default_context(cafile=str(harness.CERTS / "ca.pem"))
        host, _, port = self.tls.rpartition(":")
        incoming, outgoing, recorded = ssl.MemoryBIO(), ssl.MemoryBIO(), []
        peer = context.wrap_bio(incoming, outgoing, server_hostname=host)
        stream = socket.create_connection((host, int(port)), 60)

        def until(step):
            while True:
                try:
                    return step()
                except ssl.SSLWantReadError:
                    flush()
                    incoming.write(stream.recv(1 << 16))

        def flush():
            if outgoing.pending:
                recorded.append(outgoing.read())
                stream.sendall(recorded[-1])

        until(peer.do_handshake)
        for message in ({"id": 1, "method": "placid/hello", "params": {"protocol": {"min": 1, "max": 1}, "role": "build", "token": TOKEN}},
                        {"id": 2, "method": "build/submit", "params": {"idempotencyKey": "once", "until": "pto", "sources": [{"path": "k.py", "digest": digest}]}}):  # fmt: skip
            peer.write(frame(message))
            flush()
            self.assertIn(b'"result"', until(lambda: peer.read(1 << 16)))
        stream.close()
        self.assertEqual(len(self.client().call("build/list")["builds"]), 1)
        stream = socket.create_connection((host, int(port)), 60)
        for part in recorded:
            try:
                stream.sendall(part)
            except ConnectionError:
                break
        self.closed(stream)
        self.assertEqual(len(self.client().call("build/list")["builds"]), 1)

    def test_ccache(self):
        self.serve(tls=True, http=True)
        (self.folder / "a.c").write_text("int f(int x) { return x + 1; }\n")
        url = f"http://ci:{TOKEN}@{self.http}|layout=bazel"
        for name, hits in (("first", 0), ("second", 1)):
            env = {"PATH": "/usr/bin:/bin", "HOME": str(self.folder), "CCACHE_DIR": str(self.folder / name), "CCACHE_REMOTE_STORAGE": url, "CCACHE_REMOTE_ONLY": "1"}
            subprocess.run(["ccache", "clang-22", "-c", "a.c"], cwd=self.folder, env=env, check=True, timeout=120)
            said = subprocess.run(["ccache", "--print-stats"], env=env, capture_output=True, text=True, check=True, timeout=120).stdout
            self.assertIn(f"remote_storage_hit\t{hits}\n", said)

    def test_the_page_and_the_metrics(self):
        self.serve(http=True)
        client = self.client()
        (self.folder / "ptoas/bin/behaviour").write_text("error")
        build = client.submit("<one>", {"<k>.py": EXAMPLE}, until="cpp")
        self.assertEqual(client.finish(build)["status"], "failed")
        page = urllib.request.urlopen(f"http://{self.http}/", timeout=60).read().decode()
        self.assertNotIn(build, page, "it is its client's")
        keyed = self.status()["listen"]["page"]
        self.assertRegex(keyed, rf"^http://{self.http}/\?key=[0-9a-f]{{32}}$")
        key = keyed.partition("?")[2]
        listed = urllib.request.urlopen(keyed, timeout=60).read().decode()
        self.assertIn("1 errors", listed)
        self.assertNotIn("k&gt;", listed, "what it said is on its own page")
        whole = urllib.request.urlopen(f"http://{self.http}/builds/{build}?{key}", timeout=60).read().decode()
        self.assertIn("&lt;k&gt;.py:", whole, "with the key it is shown, and is no markup")
        self.assertIn("PL7001 ptoas", whole)
        self.assertIn("NZ layout of weight", whole)
        line = next(line for line in EXAMPLE.decode().splitlines() if "pl.store" in line)
        self.assertIn(f'<pre class="line">{line[: line.index("pl.store")]}<mark>pl.store', whole, "the line that has to change")
        self.assertRegex(whole, r"rows 0 … \+256, columns 0 … \+512", "who reads which part")
        if browser := shutil.which("chromium"):
            def dom(address):
                return subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", f"--user-data-dir={self.folder}/browser", "--dump-dom", address],
                                      capture_output=True, text=True, timeout=170).stdout  # fmt: skip

            shown = dom(f"http://{self.http}/")
            self.assertIn("Recent builds", shown)
            shown = dom(keyed)
            self.assertIn('<td class="failed">failed</td>', shown)
            self.assertIn(f'<a href="/builds/{build}?{key}">', shown)
            shown = dom(f"http://{self.http}/builds/{build}?{key}")
            self.assertIn("PL7001 ptoas", shown)
            self.assertRegex(shown, r'<div id="pictures"><svg [^>]*role="img"')
            # Drawn, in the light and in the dark: the page's ground is what its style says, and on it lies the picture.
            for scheme, ground in ((1, (255, 255, 255)), (0, (0x14, 0x18, 0x1F))):
                shot = self.folder / f"shot{scheme}.png"
                subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", f"--user-data-dir={self.folder}/browser", f"--screenshot={shot}",
                                f"--blink-settings=preferredColorScheme={scheme}", "--window-size=1000,1600", f"http://{self.http}/builds/{build}?{key}"],
                               capture_output=True, timeout=170)  # fmt: skip
                width, height, corner, different = picture_of(shot.read_bytes())
                self.assertEqual((width, corner), (1000, ground))
                self.assertGreater(different, height // 10, "rows that are not all ground")
        metrics = urllib.request.urlopen(f"http://{self.http}/metrics", timeout=60).read().decode()
        self.assertIn('placid_builds_finished_total{status="failed"} 1\n', metrics)
        for line in metrics.splitlines():
            self.assertRegex(line, r"^# (HELP|TYPE) placid_\w+ .+$|^placid_\w+(\{\w+=\"\w+\"\})? \d+$")
        for path, host, code in (("/cas/" + "0" * 64, None, 401), ("/rpc", None, 401), ("/", "evil.example", 403), ("/none", None, 401),
                                 (f"/builds/{build}", None, 401), (f"/builds/{build}?key={'0' * 32}", None, 401), (f"/builds/{build}?key=", None, 401),
                                 (f"/builds/none?{key}", None, 404), (f"/builds/{build}?{key}", "evil.example", 403)):
            request = urllib.request.Request(f"http://{self.http}{path}", headers={"Host": host} if host else {})
            with self.assertRaises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(request, timeout=60)
            self.assertEqual(refused.exception.code, code)
            refused.exception.close()

    def test_a_log_for_machines(self):
        self.level = "info,json"
        self.serve(tls=True)
        client = self.client()
        self.assertEqual(client.finish(client.submit("one", {"k.py": EXAMPLE}, until="pto"))["status"], "succeeded")
        self.kill()
        lines = [json.loads(line) for line in (self.folder / "daemon.log").read_text().splitlines()]
        self.assertTrue(lines)
        for line in lines:
            self.assertEqual(list(line), ["t", "level", "pid", "topic", "message"])

    def test_settings_that_cannot_be_served(self):
        for text, why in ((f'tls = "127.0.0.1:0"\ncert = "{harness.CERTS}/server.pem"\nkey = "{harness.CERTS}/server.key"\n', "neither `client-ca` nor `tokens`"),
                          (f'tls = "127.0.0.1:0"\ncert = "{harness.CERTS}/none.pem"\nkey = "/x"\nclient-ca = "{harness.CERTS}/ca.pem"\n', "none.pem"),
                          (f'tls = "127.0.0.1:0"\ncert = "{harness.CERTS}/server.pem"\nkey = "{harness.CERTS}/ca.key"\nclient-ca = "{harness.CERTS}/ca.pem"\n', "key"),
                          ('http = "0.0.0.0:0"\n', "for this machine alone"), ('http = "nonsense"\n', "no address"), ('tls = 3\n', "an address")):  # fmt: skip
            self.configure("[serve]\n" + text)
            done = subprocess.run([harness.OPTIONS.placid, "serve", "--listen", str(self.folder / "socket2")], env=self.env, capture_output=True, text=True, timeout=120)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(why, done.stderr)

    # --- placid build --remote

    def test_a_build_elsewhere(self):
        self.serve(tls=True)
        work = self.folder / "work"
        (work / "lib").mkdir(parents=True)
        (work / "k.py").write_bytes(EXAMPLE.replace(b"import pypto.language as pl", b"import pypto.language as pl\nfrom lib.sizes import ROWS"))
        (work / "lib/sizes.py").write_text("ROWS = 16\n")
        (work / "lib/__init__.py").write_text("")
        done = self.remote("--remote", "farm", "--toolchain", "cpu-sim", "--out", "there", "--events", "events", "--trace", "trace.json", "k.py")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "wrote 1 kernel and manifest.json to there\n", ""))
        local = subprocess.run([harness.OPTIONS.placid, "build", "--no-daemon", "--toolchain", "cpu-sim", "--out", "here", "k.py"], cwd=work, env=self.env, capture_output=True, text=True)
        self.assertEqual(local.returncode, 0, local.stderr)
        self.assertEqual({path.name: path.read_bytes() for path in (work / "there").iterdir()}, {path.name: path.read_bytes() for path in (work / "here").iterdir()})
        events = [json.loads(line) for line in (work / "events").read_text().splitlines()]
        self.assertEqual([event["seq"] for event in events], list(range(len(events))))
        self.assertEqual((events[0]["type"], events[-1]["type"], events[-1]["status"]), ("buildStarted", "buildFinished", "succeeded"))
        bars = {event["name"] for event in json.loads((work / "trace.json").read_text())["traceEvents"] if event["ph"] == "X"}
        self.assertLessEqual({"build", "lower k.py", "matmul", "ptoas", "compile", "link"}, {name.removesuffix(" (known)") for name in bars}, "as they went there")
        self.assertEqual(len([event for event in events if event["type"] == "artifact"]), 4)
        (self.folder / "ptoas/bin/behaviour").write_text("error")
        failed = self.remote("--remote", "farm", "--until", "cpp", "--out", "there", "k.py")
        local = subprocess.run([harness.OPTIONS.placid, "build", "--no-daemon", "--until", "cpp", "--out", "there", "k.py"], cwd=work, env=self.env, capture_output=True, text=True)
        self.assertEqual((failed.returncode, failed.stdout, failed.stderr), (local.returncode, local.stdout, local.stderr))

    def test_reports_of_a_build_elsewhere(self):
        """Byte for byte those of a build by hand: places, related places and all, in files below folders and imported."""
        self.serve(tls=True)
        work = self.folder / "work"
        (work / "lib").mkdir(parents=True)
        (work / "lib/a b.py").write_bytes(EXAMPLE)
        (work / "bad.py").write_bytes(EXAMPLE.replace(b"weight, [0, 0], [256, 512]", b"weight, [8, 0], [248, 512]"))

        def both(*words):
            there = self.remote("--remote", "farm", "--out", "there", *words)
            here = subprocess.run([harness.OPTIONS.placid, "build", "--no-daemon", "--out", "there", *words], cwd=work, env=self.env, capture_output=True, text=True)
            return there, here

        (self.folder / "ptoas/bin/behaviour").write_text("error")
        for form in ("sarif", "github", "junit"):
            for words, code in ((("lib",), "PL7001"), (("./bad.py", "lib"), "PL3")):
                there, here = both("--until", "cpp", "--format", form, *words)
                self.assertEqual((there.returncode, there.stdout, there.stderr), (here.returncode, here.stdout, here.stderr))
                self.assertEqual(there.returncode, 1)
                self.assertIn(code, there.stdout)
        there = self.remote("--remote", "farm", "--format", "ndjson", "--until", "cpp", "lib")
        events = [json.loads(line) for line in there.stdout.splitlines()]
        self.assertEqual([(event["code"], event["path"]) for event in events if event["type"] == "diagnostic"], [("PL7001", "lib/a b.py")])
        self.assertEqual(events[-1]["type"], "buildFinished")
        self.assertNotIn("error[", there.stderr)
        (self.folder / "ptoas/bin/behaviour").write_text("good")
        there, here = both("--until", "cpp", "--format", "sarif", "lib")
        self.assertEqual((there.returncode, there.stdout, there.stderr), (0, here.stdout, here.stderr))
        self.kill()
        gone = self.remote("--remote", "farm", "--format", "sarif", "lib")
        self.assertEqual(gone.returncode, 4)
        self.assertFalse(json.loads(gone.stdout)["runs"][0]["invocations"][0]["executionSuccessful"])

    def test_a_remote_that_is_not_there(self):
        self.serve(tls=True)
        work = self.folder / "work"
        work.mkdir()
        (work / "k.py").write_bytes(EXAMPLE)
        unknown = self.remote("--remote", "fram", "k.py")
        self.assertEqual(unknown.returncode, 2)
        self.assertIn("did you mean `farm`", unknown.stderr)
        outside = self.remote("--remote", "farm", str(work / "k.py"))
        self.assertEqual(outside.returncode, 2)
        self.assertEqual(self.remote("--remote-fallback", "k.py").returncode, 2)
        (self.folder / "token").write_text("a-token-that-is-wrong\n")
        self.assertEqual(self.remote("--remote", "farm", "k.py", config=False).returncode, 4)
        (self.folder / "token").chmod(0o644)
        self.assertIn("may be read by others", self.remote("--remote", "farm", "k.py", config=False).stderr)
        self.configure(f'[remote.farm]\naddress = "{self.tls}"\nca = "{harness.CERTS}/foreign.pem"\n', "config2")
        self.assertIn("certificate", self.remote("--remote", "farm", "k.py", config=False).stderr)
        address = self.tls
        self.kill()
        self.tls = address
        gone = self.remote("--remote", "farm", "k.py")
        self.assertEqual(gone.returncode, 4, gone.stderr)
        self.assertFalse((work / "placid-out").exists(), "nothing is built here unless that is asked for")
        here = self.remote("--remote", "farm", "--remote-fallback", "--until", "pto", "k.py")
        self.assertEqual(here.returncode, 0, here.stderr)
        self.assertIn("built here instead", here.stderr)

    def test_a_remote_that_is_restarted_meanwhile(self):
        self.serve(tls=True)
        address = self.tls
        work = self.folder / "work"
        work.mkdir()
        (work / "k.py").write_bytes(EXAMPLE)
        self.remote("--remote", "nobody", "k.py")
        (self.folder / "ptoas/bin/behaviour").write_text("hang")
        command = subprocess.Popen([harness.OPTIONS.placid, "build", "--no-daemon", "--remote", "farm", "--until", "cpp", "k.py"], cwd=work, env=self.bare, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)  # fmt: skip
        self.wait_for(lambda: self.runs() >= 1)
        self.kill()
        (self.folder / "ptoas/bin/behaviour").write_text("good")
        config = self.folder / "config/placid/config.toml"
        config.write_text(config.read_text().replace("127.0.0.1:0", address))
        self.start()
        out, err = command.communicate(timeout=300)
        self.assertEqual(command.returncode, 0, err)
        self.assertIn("wrote 1 kernel", out)

    def test_a_lease_is_renewed_while_there_is_much_to_hear(self):
        work = self.folder / "work"
        work.mkdir()
        (work / "k.py").write_bytes(EXAMPLE)
        service = FakeService(self.folder / "fake")
        self.addCleanup(service.close)
        self.configure(f'[remote.farm]\naddress = "unix:{self.folder}/fake"\n', "config2")
        done = self.remote("--remote", "farm", "k.py", config=False)
        self.assertEqual((service.renewed, done.returncode), (True, 1), done.stderr)

    def test_a_service_whose_certificate_is_over(self):
        self.serve(tls=True, name="old-server")
        work = self.folder / "work"
        work.mkdir()
        (work / "k.py").write_bytes(EXAMPLE)
        done = self.remote("--remote", "farm", "--until", "pto", "k.py")
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("certificate", done.stderr)
        self.assertNotIn(TOKEN, (self.folder / "daemon.log").read_text())

    def test_a_hostile_service_writes_nothing(self):
        """Names that lead out, names that it may not have, content that is not what it is said to be: nothing of it is written."""
        work = self.folder / "work"
        work.mkdir()
        (work / "k.py").write_bytes(EXAMPLE)
        (work / "setup.py").write_text("mine\n")
        (self.folder / "mine").write_text("mine\n")

        def manifest(*names):
            files = [{"path": name, "sha256": hashlib.sha256(b"evil").hexdigest()} for name in names]
            return ("manifest.json", json.dumps({"schema": 1, "kernels": [{"name": "k", "pto": names[0], "files": files}]}).encode())

        good = [("k.pto", b"evil"), manifest("k.pto")]
        cases = [[(name, b"evil"), manifest(name)] for name in
                 ("../mine", f"{self.folder}/mine", "a/../../mine", "../work/setup.py", "setup.py", ".profile", "a/b.pto", "", "..", "k.pto\n", "k.sh", "Makefile")]  # fmt: skip
        cases += [[("k.pto", b"evil")], [("k.pto", b"evil"), ("k.cpp", b"more"), manifest("k.pto")], [("k.pto", b"evil"), ("k.pto", b"evil"), manifest("k.pto")],
                  [("k.pto", b"evil", "0" * 64), manifest("k.pto")], [("k.pto", b"other"), manifest("k.pto")], [("k.pto", b"evil"), ("manifest.json", b"[]")]]  # fmt: skip
        for number, files in enumerate([*cases, good]):
            service = FakeService(self.folder / f"fake{number}", files)
            self.configure(f'[remote.farm]\naddress = "unix:{self.folder}/fake{number}"\n', "config2")
            done = self.remote("--remote", "farm", "--until", "pto", "--out", ".", "k.py", config=False)
            service.close()
            made = {path.name for path in work.iterdir()} - {"k.py", "setup.py"}
            self.assertEqual((work / "setup.py").read_text(), "mine\n", files)
            self.assertEqual((self.folder / "mine").read_text(), "mine\n", files)
            if files is good:
                self.assertEqual((done.returncode, made), (0, {"k.pto", "manifest.json"}), done.stderr)
            else:
                self.assertEqual((done.returncode, made), (4, set()), (files, done.stderr))

    def test_interrupted_elsewhere(self):
        self.serve(tls=True)
        work = self.folder / "work"
        work.mkdir()
        (work / "k.py").write_bytes(EXAMPLE)
        self.remote("--remote", "nobody", "k.py")
        (self.folder / "ptoas/bin/behaviour").write_text("hang")
        command = subprocess.Popen([harness.OPTIONS.placid, "build", "--no-daemon", "--remote", "farm", "--until", "cpp", "k.py"], cwd=work, env=self.bare, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)  # fmt: skip
        self.wait_for(lambda: self.runs() >= 1)
        command.send_signal(signal.SIGTERM)
        self.assertEqual(command.wait(120), 143)
        client = self.client()
        build = client.call("build/list")["builds"][0]["id"]
        self.assertEqual(client.finish(build)["status"], "cancelled")


class Schemas(unittest.TestCase):
    def test_that_a_schema_can_be_broken(self):
        good = {"id": "0" * 24, "new": True}
        self.assertEqual(SCHEMA.faults(good, "build/submit.result"), [])
        for bad in ({}, {**good, "new": 1}, {**good, "id": "X" * 24}, {**good, "more": 1}, [], None):
            self.assertNotEqual(SCHEMA.faults(bad, "build/submit.result"), [])
        for name in SCHEMA.root["$defs"]:
            SCHEMA.faults({}, name)  # every word of it is known
        self.assertIsInstance(SCHEMA, Schema)


if __name__ == "__main__":
    harness.main(__doc__)
