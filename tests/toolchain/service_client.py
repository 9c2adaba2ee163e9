# SPDX-License-Identifier: Apache-2.0
"""A client of the build service for tests: framed JSON-RPC over a daemon's socket or TLS, every message held against
docs/protocol."""
import base64
import hashlib
import json
import pathlib
import select
import socket
import ssl
import threading
import time

from schema import Schema

SCHEMA = Schema(pathlib.Path(__file__).resolve().parents[2] / "docs/protocol/build.schema.json")


class Refused(Exception):
    def __init__(self, error):
        super().__init__(error["message"])
        self.code = error["code"]


def frame(message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def expect(value, definition):
    faults = SCHEMA.faults(value, definition)
    assert not faults, faults


class Client:
    def __init__(self, stream, token=None, role="build"):
        self.stream = stream
        self.stream.settimeout(120)
        self.unread = b""
        self.events = []
        self.id = 0
        hello = {"protocol": {"min": 1, "max": 1}, "buildId": "", "role": role, **({"token": token} if token else {})}
        expect(hello, "hello.params")
        expect(self.ask("placid/hello", hello), "hello.result")

    @staticmethod
    def unix(path, **kwargs):
        stream = socket.socket(socket.AF_UNIX)
        stream.connect(str(path))
        return Client(stream, **kwargs)

    @staticmethod
    def tls(address, ca, cert=None, key=None, **kwargs):
        context = ssl.create_default_context(cafile=str(ca))
        if cert:
            context.load_cert_chain(str(cert), str(key))
        host, _, port = address.rpartition(":")
        return Client(context.wrap_socket(socket.create_connection((host, int(port)), 60), server_hostname=host), **kwargs)

    def close(self):
        self.stream.close()

    def message(self):
        while True:
            head, found, rest = self.unread.partition(b"\r\n\r\n")
            if found:
                length = int(head.rpartition(b":")[2])
                if len(rest) >= length:
                    self.unread = rest[length:]
                    return json.loads(rest[:length])
            got = self.stream.recv(1 << 16)
            if not got:
                raise EOFError("the connection was closed")
            self.unread += got

    def ask(self, method, params=None):
        self.id += 1
        self.stream.sendall(frame({"id": self.id, "method": method, "params": params or {}}))
        while True:
            message = self.message()
            if "method" in message:
                expect(message["params"], message["method"])
                self.events.append(message["params"])
            elif message.get("id") == self.id or "error" in message:
                if "error" in message:
                    expect(message["error"], "error")
                    raise Refused(message["error"])
                return message["result"]

    def call(self, method, params=None):
        """As `ask`, both sides held against the schema."""
        expect(params or {}, method + ".params")
        result = self.ask(method, params)
        expect(result, method + ".result")
        return result

    def put(self, data, chunk=1 << 20):
        digest = hashlib.sha256(data).hexdigest()
        if self.call("blob/missing", {"digests": [digest]})["missing"]:
            for at in range(0, max(len(data), 1), chunk):
                part = base64.b64encode(data[at : at + chunk]).decode()
                done = self.call("blob/put", {"digest": digest, "size": len(data), "offset": at, "base64": part})
            assert done["complete"], done
        return digest

    def get(self, digest):
        data = b""
        while True:
            part = self.call("blob/get", {"digest": digest, "offset": len(data)})
            data += base64.b64decode(part["base64"])
            if len(data) == part["size"]:
                assert hashlib.sha256(data).hexdigest() == digest
                return data

    def submit(self, key, sources, **more):
        listed = [{"path": path, "digest": self.put(data)} for path, data in sources.items()]
        return self.call("build/submit", {"idempotencyKey": key, "sources": listed, "leaseMs": 600000, **more})["id"]

    def follow(self, build, start=0):
        """The events of a build from number `start` to its last."""
        self.call("build/events", {"id": build, "from": start})
        heard = []
        while not heard or heard[-1]["type"] != "buildFinished":
            fresh, self.events = [event for event in self.events if event["id"] == build], []
            heard += fresh
            if not fresh:
                message = self.message()
                expect(message["params"], message["method"])
                self.events.append(message["params"])
        assert [event["seq"] for event in heard] == list(range(start, start + len(heard))), heard
        assert [event["type"] for event in heard].count("buildFinished") == 1
        return heard

    def finish(self, build, seconds=600):
        """The result, once there is one."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if self.call("build/status", {"id": build})["state"] not in ("queued", "running"):
                return self.call("build/result", {"id": build})
            time.sleep(0.05)
        raise TimeoutError(build)


class FakeService:
    """A build service for one client that says something all the time, until its lease is renewed; with `files`, a list of
    names and bytes, and of digests where they are to be wrong, one that has built these."""

    def __init__(self, path, files=None):
        self.files = files
        self.blobs = {}
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(path))
        self.listener.listen(8)
        self.renewed = False
        threading.Thread(target=self.serve, daemon=True).start()

    def close(self):
        self.listener.close()

    def serve(self):
        stream, _ = self.listener.accept()
        build, unread, seq, over, until = "0" * 24, b"", None, False, time.monotonic() + 240
        answers = {"placid/hello": {"protocol": 1, "buildId": "", "version": "0", "pid": 0}, "blob/missing": {"missing": []},
                   "build/submit": {"id": build, "new": True}, "build/events": {"events": 0}, "build/renew": {"ended": False},
                   "build/result": {"id": build, "status": "failed", "exitCode": 1, "err": "", "artifacts": []}}  # fmt: skip
        if self.files is not None:
            artifacts = []
            for name, data, *wrong in self.files:
                digest = wrong[0] if wrong else hashlib.sha256(data).hexdigest()
                self.blobs[digest] = data
                artifacts.append({"name": name, "digest": digest, "size": len(data)})
            answers["build/result"] = {"id": build, "status": "succeeded", "exitCode": 0, "err": "", "artifacts": artifacts}

        def say(message):
            stream.sendall(frame(message))

        while True:
            if seq is not None and not over:
                over = self.renewed or self.files is not None or time.monotonic() > until
                last = {"type": "buildFinished", "status": "failed" if self.files is None else "succeeded"} if over else {"type": "log", "text": ""}
                say({"method": "build/event", "params": {"v": 1, "seq": seq, "id": build, **last}})
                seq += 1
            if not select.select([stream], [], [], 0.02 if seq is not None else 240)[0]:
                continue
            if not (got := stream.recv(1 << 16)):
                return
            unread += got
            while b"\r\n\r\n" in unread:
                head, _, rest = unread.partition(b"\r\n\r\n")
                length = int(head.rpartition(b":")[2])
                if len(rest) < length:
                    break
                asked, unread = json.loads(rest[:length]), rest[length:]
                self.renewed = self.renewed or asked["method"] == "build/renew"
                seq = 0 if asked["method"] == "build/events" else seq
                if asked["method"] == "blob/get":
                    data, at = self.blobs[asked["params"]["digest"]], asked["params"].get("offset", 0)
                    answers["blob/get"] = {"size": len(data), "offset": at, "base64": base64.b64encode(data[at:]).decode()}
                say({"id": asked["id"], "result": answers[asked["method"]]})
