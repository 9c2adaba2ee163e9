#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A build service on a machine that fails: it ends in the middle of any write of its journal, its disk is full, it has no
descriptors left, its clock jumps, and what lies between it and its clients cuts, delays and swallows. What was accepted
ends once, with the files that the same sources always have.

    test_machine_faults.py --placid build/release/bin/placid --machine-faults build/release/bin/machine_faults.so
                           [--points 200] [--remote-builds 40]
"""
import argparse
import json
import os
import pathlib
import random
import resource
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import service_harness as harness  # noqa: E402
from machine_faults import MachineFaults  # noqa: E402
from service_client import Client, Refused  # noqa: E402

OPTIONS = None
STORE_FULL = -32028


class Machine(harness.Service):
    def setUp(self):
        super().setUp()
        self.faults = MachineFaults(OPTIONS.machine_faults, self.folder / "faults")
        self.env.update(self.faults.environment())

    def expected(self, sources, **wish):
        """The digests of each source, from a service without faults."""
        client = self.client()
        out = []
        for number, source in enumerate(sources):
            result = client.finish(client.submit(f"expected {number}", {"k.py": source}, **wish))
            self.assertEqual(result["status"], "succeeded", result)
            out.append(self.made(result))
        return out

    @staticmethod
    def made(result):
        return sorted((one["name"], one["digest"]) for one in result["artifacts"])

    def excused(self, result, expected, why):
        """It has succeeded with those files, or says what the machine lacks and gives none."""
        if result["status"] == "succeeded":
            self.assertTrue(expected is None or self.made(result) == expected, result)
        else:
            self.assertIn(result["status"], ("failed", "internal"), result)
            self.assertIn(why, result["err"])
            self.assertEqual(result["artifacts"], [])

    def test_every_point_of_the_journal(self):
        """SIGKILL in the middle of the n-th write. Whatever the client was told holds afterwards."""
        sources = [self.kernel(i) for i in range(4)]
        wish = {"until": "pto", "leaseMs": 0}
        self.start()
        expected = self.expected(sources, **wish)
        chance = random.Random(OPTIONS.points)
        ended_early = 0
        for point in range(OPTIONS.points):
            self.kill()
            self.faults.set(writes=point * 2 if point < 100 else chance.randrange(400), name=chance.choice(["builds.sqlite", "builds.sqlite-wal"]))
            accepted = {}
            try:
                self.start()
                client = Client.unix(self.socket)
                for number, source in enumerate(sources):
                    key = f"point {point} {number}"
                    accepted[key] = (client.submit(key, {"k.py": source}, **wish), number)
                for build, _ in accepted.values():
                    client.finish(build)
            except (OSError, EOFError, AssertionError):  # it has ended: in the start, or anywhere
                ended_early += 1
            finally:
                self.faults.set()
            self.kill()
            self.start()
            client = self.client()
            for key, (build, number) in accepted.items():
                self.assertEqual(client.submit(key, {"k.py": sources[number]}, **wish), build, "who asks again finds their own")
                result = client.finish(build)
                self.assertEqual((result["status"], self.made(result)), ("succeeded", expected[number]))
                types = [event["type"] for event in client.follow(build)]
                self.assertEqual((types.count("buildFinished"), types[-1]), (1, "buildFinished"))
        self.assertGreater(ended_early, OPTIONS.points // 3, "most of them are hit")

    def test_the_disk_is_full(self):
        self.start()
        client = self.client()
        sources = [self.kernel(i) for i in range(6)]
        wish = {"until": "object", "toolchain": "cpu-sim", "leaseMs": 0}
        expected = self.expected(sources[:2], **wish)
        # Nothing is accepted that cannot be written down.
        digest = client.put(sources[2])
        self.faults.set(full=True, name="builds.sqlite")
        with self.assertRaises(Refused) as refused:
            client.ask("build/submit", {"idempotencyKey": "full", "sources": [{"path": "k.py", "digest": digest}], **wish})
        self.assertEqual(refused.exception.code, STORE_FULL)
        self.assertEqual(client.call("build/list", {"most": 1})["builds"][0]["state"], "succeeded", "what is there is read")
        self.faults.set()
        self.assertEqual(client.finish(client.submit("full", {"k.py": sources[2]}, **wish))["status"], "succeeded")
        # An end that cannot be written yet is written later.
        (self.folder / "ptoas/bin/behaviour").write_text("hang")
        runs = self.runs()
        build = client.submit("later", {"k.py": sources[3]}, **wish)
        self.wait_for(lambda: self.runs() > runs)
        self.faults.set(full=True, name="builds.sqlite")
        client.call("build/cancel", {"id": build})
        self.wait_for(lambda: "cannot be written yet" in (self.folder / "daemon.log").read_text())
        self.assertEqual(client.call("build/status", {"id": build})["state"], "queued", "nobody is told what may be lost")
        self.faults.set()
        self.assertEqual(client.finish(build)["status"], "cancelled")
        (self.folder / "ptoas/bin/behaviour").write_text("good")
        # Without room for results a build says so, and the daemon goes on.
        self.faults.set(full=True, name="store/cas")
        with self.assertRaises(Refused) as refused:
            client.put(self.kernel(77))
        self.assertEqual(refused.exception.code, STORE_FULL)
        self.assertEqual(client.get(digest), sources[2], "what is there is given")
        result = client.finish(client.submit("known", {"k.py": sources[0]}, **wish))
        # What it has made cannot be kept, which it says; or it is known, and never others than those.
        self.excused(result, expected[0], "No space left on device")
        self.assertEqual(client.call("build/list", {"most": 1})["builds"][0]["state"], result["status"], "it goes on")
        self.faults.set()
        result = client.finish(client.submit("again", {"k.py": sources[0]}, **wish))
        self.assertEqual((result["status"], self.made(result)), ("succeeded", expected[0]))

    def test_no_descriptors_are_left(self):
        self.start()
        client = self.client()
        source = self.kernel(1)
        expected = self.expected([source], until="object", toolchain="cpu-sim")[0]
        usual = resource.prlimit(self.daemon.pid, resource.RLIMIT_NOFILE)
        open_now = len(os.listdir(f"/proc/{self.daemon.pid}/fd"))
        # Those that are there go on; who is new waits until there is room again.
        resource.prlimit(self.daemon.pid, resource.RLIMIT_NOFILE, (open_now, usual[1]))
        digest = client.put(self.kernel(1))
        self.assertEqual(client.call("blob/missing", {"digests": [digest]})["missing"], [])
        stranger = socket.socket(socket.AF_UNIX)
        self.addCleanup(stranger.close)
        stranger.connect(str(self.socket))
        fresh = self.kernel(2)
        states = []
        try:
            build = client.submit("short", {"k.py": fresh}, until="object", toolchain="cpu-sim")
            short = client.finish(build)
            states.append(short["status"])
            self.excused(short, None, "Too many open files")
        except Refused as refused:
            states.append(refused.code)
            self.assertIn("Too many open files", str(refused))
        resource.prlimit(self.daemon.pid, resource.RLIMIT_NOFILE, usual)
        stranger.settimeout(120)
        hello = {"protocol": {"min": 1, "max": 1}, "buildId": "", "role": "build"}
        stranger.sendall(harness.frame({"id": 1, "method": "placid/hello", "params": hello}))
        self.assertIn(b"result", stranger.recv(1 << 16), "it is let in when there is room")
        result = client.finish(client.submit("room", {"k.py": source}, until="object", toolchain="cpu-sim"))
        self.assertEqual((result["status"], self.made(result)), ("succeeded", expected))
        self.assertEqual(client.finish(client.submit("long", {"k.py": fresh}, until="object", toolchain="cpu-sim"))["status"], "succeeded", states)

    def test_the_clock_jumps(self):
        """Leases and deadlines go by a clock that does not, and what is known stays known."""
        self.start()
        client = self.client()
        sources = [self.kernel(i) for i in range(3)]
        wish = {"until": "object", "toolchain": "cpu-sim"}
        (self.folder / "ptoas/bin/behaviour").write_text("hang matmul1")
        expected = self.expected(sources[:1], **wish)[0]
        runs = self.runs()
        held = client.submit("held", {"k.py": sources[1]}, deadlineMs=3600000, **wish)
        self.wait_for(lambda: self.runs() > runs)
        for days in (400, -400, 36500):
            self.faults.set(seconds=days * 86400)
            self.assertEqual(client.call("build/status", {"id": held})["state"], "running", f"{days} days")
            result = client.finish(client.submit(f"known {days}", {"k.py": sources[0]}, **wish))
            self.assertEqual((result["status"], self.made(result)), ("succeeded", expected), result["err"])
            again = self.client()
            self.assertEqual(again.call("build/status", {"id": held})["state"], "running")
        client.call("build/cancel", {"id": held})
        self.assertEqual(client.finish(client.submit("new", {"k.py": sources[2]}, **wish))["status"], "succeeded")
        self.faults.set()
        self.assertEqual(client.finish(held)["status"], "cancelled")
        self.assertEqual(client.finish(client.submit("back", {"k.py": sources[2]}, **wish))["status"], "succeeded")

    def test_what_lies_between_is_bad(self):
        """`placid build --remote` through something that cuts in the middle of a message, waits, and takes without giving."""
        self.serve(tls=True)
        proxy = BadProxy(self.tls, random.Random(5))
        self.addCleanup(proxy.close)
        work = self.folder / "work"
        work.mkdir()
        sources = [self.kernel(i) for i in range(OPTIONS.remote_builds)]
        for number, source in enumerate(sources):
            (work / f"k{number}.py").write_bytes(source)
        address, self.tls = self.tls, proxy.address
        self.remote("--remote", "nobody", "k0.py")  # writes the settings
        self.tls = address

        def build(number, out):
            return subprocess.Popen([OPTIONS.placid, "build", "--no-daemon", "--remote", "farm", "--until", "object", "--toolchain", "cpu-sim", "--events", f"{out}.events",
                                     "--out", out, f"k{number}.py"], cwd=work, env=self.bare, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)  # fmt: skip

        for first in range(0, len(sources), 4):
            batch = {number: build(number, f"out{number}") for number in range(first, min(first + 4, len(sources)))}
            for number, process in batch.items():
                _, said = process.communicate(timeout=600)
                self.assertEqual(process.returncode, 0, said)
        self.assertGreater(proxy.cuts, len(sources) // 2, "it was bad")
        proxy.good = True
        for number in range(len(sources)):
            last = [json.loads(line) for line in (work / f"out{number}.events").read_text().splitlines()]
            self.assertEqual([event["type"] for event in last].count("buildFinished"), 1)
            self.assertEqual((last[-1]["type"], last[-1]["status"]), ("buildFinished", "succeeded"))
            process = build(number, f"calm{number}")
            _, said = process.communicate(timeout=600)
            self.assertEqual(process.returncode, 0, said)
            files = [{path.name: path.read_bytes() for path in (work / f"{kind}{number}").iterdir()} for kind in ("out", "calm")]
            self.assertEqual(files[0], files[1])


class BadProxy:
    """Between a client and a server: each connection is as bad as chance has it."""

    def __init__(self, target, chance):
        host, _, port = target.rpartition(":")
        self.target, self.chance, self.cuts, self.good = (host, int(port)), chance, 0, False
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def close(self):
        self.listener.close()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            server = socket.create_connection(self.target)
            # Both ways share what is left before it breaks; a third never does. The hellos of TLS take some 4 KiB.
            fate = {"left": 1 << 40 if self.good or self.chance.random() < 0.3 else 3000 + self.chance.randrange(20000),
                    "swallow": self.chance.random() < 0.2, "delay": self.chance.random() < 0.3}  # fmt: skip
            for a, b in ((client, server), (server, client)):
                threading.Thread(target=self.forward, args=(a, b, fate), daemon=True).start()

    def forward(self, source, sink, fate):
        try:
            while data := source.recv(997):  # across all messages
                if fate["delay"]:
                    time.sleep(0.002)
                part = data[: max(0, fate["left"])]
                fate["left"] -= len(data)
                sink.sendall(part)
                if fate["left"] <= 0:
                    self.cuts += 1
                    if fate["swallow"]:  # half open for a while: taken, and not passed on
                        time.sleep(1)
                    break
        except OSError:
            pass
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


def main():
    global OPTIONS
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--placid", required=True)
    parser.add_argument("--machine-faults", required=True)
    parser.add_argument("--points", type=int, default=24)
    parser.add_argument("--remote-builds", type=int, default=8)
    OPTIONS, rest = parser.parse_known_args()
    OPTIONS.placid = str(pathlib.Path(OPTIONS.placid).resolve())
    harness.OPTIONS = OPTIONS
    with tempfile.TemporaryDirectory(prefix="placid-certificates-") as folder:
        harness.CERTS = pathlib.Path(folder)
        harness.make_certificates(harness.CERTS)
        unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
