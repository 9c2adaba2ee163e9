#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds under load while everything around them fails: the daemon killed, tools killed, stopped, changed and leaving
processes behind, blobs damaged, cut and deleted, the index lost and telling nonsense, connections dropped, with
--machine-faults the disk full and the clock jumping, and with --farm the remote engine restarted, misbehaving and its
results damaged. At the end every build has the digests of a run without faults, and exactly one last event.

    build_faults.py --placid build/release/bin/placid [--farm .../reapi_farm] [--machine-faults .../machine_faults.so] [--builds 60] [--kernels 40] [--faults 20]
                    [--delay SECONDS] [--seed N]

The load is that of a CI run of many cases: --builds 1760 --kernels 1232 --faults 400 --delay 0.6 is its full size, and
takes an hour.
"""
import argparse
import hashlib
import os
import pathlib
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import service_harness as harness  # noqa: E402
from machine_faults import MachineFaults  # noqa: E402

OPTIONS = None


class Load(harness.Service):
    """One service, all builds of the load, perhaps with faults."""

    def runTest(self):
        pass

    def begin(self, farm):
        self.setUp()
        if OPTIONS.delay:
            for tool in ("ptoas/bin", "host"):
                (self.folder / tool / "delay").write_text(str(OPTIONS.delay))
        self.farm, self.settings = None, ""
        self.machine = MachineFaults(OPTIONS.machine_faults, self.folder / "faults") if OPTIONS.machine_faults else None
        if self.machine:
            self.env.update(self.machine.environment())
        if farm:
            address = f"unix:{self.folder}/farm"
            self.farm = subprocess.Popen([OPTIONS.farm, address, str(OPTIONS.seed or 1), "6"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            self.addCleanup(self.end_farm)
            assert self.farm.stdout.readline() == "ready\n"
            self.configure(f'executor = "reapi"\n[reapi]\naddress = "{address}"\n')
        self.start()
        self.sources = [self.kernel(i) for i in range(OPTIONS.kernels)]
        self.names, self.ids, self.again, self.killed = {}, {}, 0, set()
        self.full = 0  # builds asked for again because the disk was full
        for number in range(OPTIONS.builds):
            self.names[number] = f"b{number}"

    def end_farm(self):
        self.farm.stdin.close()
        self.farm.stdout.close()
        self.farm.wait(60)

    def ask_farm(self, command):
        self.farm.stdin.write(command + "\n")
        self.farm.stdin.flush()
        return int(self.farm.stdout.readline())

    def ask(self, call):
        """A connection each time; one that is lost with its daemon is made again."""
        for _ in range(400):
            client = None
            try:
                client = harness.Client.unix(self.socket)
                return call(client)
            except (OSError, EOFError):
                time.sleep(0.05)
            finally:
                if client:
                    client.close()
        raise AssertionError("the daemon does not come back:\n" + (self.folder / "daemon.log").read_text()[-2000:])

    def submit(self, number):
        source = self.sources[number % len(self.sources)]
        self.ids[number] = self.ask(lambda c: c.submit(self.names[number], {"k.py": source}, until="object", toolchain="cpu-sim", leaseMs=0))

    def states(self):
        listed = self.ask(lambda c: c.call("build/list", {"most": 1000})["builds"])
        states = {build["id"]: build["state"] for build in listed}
        for build in set(self.ids.values()) - set(states):
            states[build] = self.ask(lambda c, b=build: c.call("build/status", {"id": b}))["state"]
        return states

    # --- what goes wrong: each says whether there was something to hit

    def tools(self):
        """Processes of ours that tools are: their number and what they were asked."""
        out = []
        for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            try:
                words = path.read_bytes().decode().split("\0")
            except OSError:
                continue
            if any(word.startswith(str(self.folder / tool)) for word in words[:3] for tool in ("ptoas", "host")) and "--version" not in words:
                out.append((int(path.parent.name), " ".join(words)))
        return out

    def fault_daemon(self, _):
        self.kill()
        self.start()
        return True

    def fault_index(self, _):
        self.kill()
        for path in (self.folder / "cache/placid/store").glob("index.sqlite*"):
            path.unlink()
        self.start()
        return True

    def fault_tool(self, chance):
        # One that is killed twice is given up, as it should be: each is killed once.
        for pid, words in chance.sample(found := self.tools(), len(found)):
            if words not in self.killed:
                self.killed.add(words)
                try:
                    os.kill(pid, signal.SIGKILL)
                    return True
                except OSError:
                    pass
        return False

    def fault_stopped_tool(self, chance):
        if found := self.tools():
            pid, _ = chance.choice(found)
            try:
                os.kill(pid, signal.SIGSTOP)
                time.sleep(0.5)
                os.kill(pid, signal.SIGCONT)
                return True
            except OSError:
                pass
        return False

    def blob(self, chance):
        """Not a source: without that nobody could build."""
        sources = {hashlib.sha256(source).hexdigest() for source in self.sources}
        blobs = sorted(path for path in (self.folder / "cache/placid/store/cas").glob("??/*") if path.name not in sources)
        return chance.choice(blobs) if blobs else None

    def fault_flipped_blob(self, chance):
        if (path := self.blob(chance)) and (data := bytearray(path.read_bytes())):
            data[chance.randrange(len(data))] ^= 0x40
            path.chmod(0o644)
            path.write_bytes(data)
            return True
        return False

    def fault_cut_blob(self, chance):
        if path := self.blob(chance):
            path.chmod(0o644)
            path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
        return path is not None

    def fault_deleted_blob(self, chance):
        if path := self.blob(chance):
            path.unlink(missing_ok=True)
        return path is not None

    def fault_dropped_connections(self, _):
        for number in range(8):
            client = harness.Client.unix(self.socket)
            if number in self.ids:
                client.stream.sendall(harness.frame({"id": 9, "method": "build/events", "params": {"id": self.ids[number], "from": 0}}))
            client.close()
        return True

    def fault_disk_full(self, chance):
        self.machine.set(full=True, name=chance.choice(["store/cas", "builds.sqlite", "index.sqlite"]))
        time.sleep(0.5)
        self.machine.set()
        return True

    def fault_clock(self, chance):
        self.machine.set(seconds=chance.choice([-1, 1]) * chance.randrange(1 << 28))
        time.sleep(0.5)
        self.machine.set()
        return True

    def fault_nonsense_in_the_index(self, chance):
        """What it says of a result names content that nobody has, or is no result at all."""
        with sqlite3.connect(self.folder / "cache/placid/store/index.sqlite", timeout=60) as index:
            keys = [key for (key,) in index.execute("SELECT key FROM results ORDER BY key")]
            for key in chance.sample(keys, min(5, len(keys))):
                good, = index.execute("SELECT value FROM results WHERE key=?", (key,)).fetchone()
                bad = chance.choice([b"", b"[]", bytes(good)[: len(good) // 2], re.sub(rb"[0-9a-f]{64}", b"0" * 64, bytes(good))])
                index.execute("UPDATE results SET value=? WHERE key=?", (bad, key))
        return bool(keys)

    def fault_changed_tool(self, chance):
        """Another ptoas or compiler of the same answers takes its place, while it runs too."""
        path = self.folder / chance.choice(["ptoas/bin/ptoas", "host/clang++-29"])
        new = path.with_name("new")
        new.write_bytes(path.read_bytes() + b"# changed\n")
        new.chmod(0o755)
        os.replace(new, path)
        return True

    def fault_farm_restart(self, _):
        self.ask_farm("restart")
        return True

    def fault_farm_damage(self, _):
        self.ask_farm("damage")
        return True

    def fault_farm_misbehaves(self, _):
        self.ask_farm("faults 2")
        return True

    # --- the load

    def run_all(self, faults):
        chance = random.Random(OPTIONS.seed)
        names = ["daemon", "index", "flipped_blob", "cut_blob", "deleted_blob", "dropped_connections", "nonsense_in_the_index"]
        names += ["farm_restart", "farm_damage", "farm_misbehaves"] if self.farm else ["tool", "stopped_tool", "changed_tool"]
        names += ["disk_full", "clock"] if self.machine else []
        plan = [names[i % len(names)] for i in range(faults)]
        chance.shuffle(plan)
        injected = {}
        for number in range(OPTIONS.builds):
            self.submit(number)
        deadline = time.monotonic() + OPTIONS.patience
        while True:
            states = self.states()
            waiting = [n for n, build in self.ids.items() if states.get(build, "queued") in ("queued", "running")]
            failed = [n for n, build in self.ids.items() if states.get(build) in ("failed", "internal")]
            for number in failed:
                # The machine has failed it more often than it is tried again: whoever asked asks again.
                said = self.ask(lambda c, n=number: c.call("build/result", {"id": self.ids[n]}))
                if faults == 0 or "PL7030" not in said["err"] and said["status"] != "internal":
                    raise AssertionError(said)
                self.again += 1
                # Mostly the daemon tries again itself, but a full disk ends whatever writes meanwhile.
                self.full += "No space left" in said["err"]
                if self.again - self.full > max(1, OPTIONS.builds // 10) or self.full > OPTIONS.builds:
                    raise AssertionError("builds fail over and over: " + said["err"])
                self.ended.append(self.ids[number])
                self.names[number] += "+"
                self.submit(number)
            if not waiting and not failed:
                break
            if time.monotonic() > deadline:
                raise AssertionError(f"{len(waiting)} builds do not end:\n" + (self.folder / "daemon.log").read_text()[-2000:])
            # Spread over the whole: the next one comes when enough has ended.
            if plan and (OPTIONS.builds - len(waiting)) * faults >= (faults - len(plan)) * OPTIONS.builds:
                if getattr(self, "fault_" + plan[-1])(chance):
                    name = plan.pop()
                    injected[name] = injected.get(name, 0) + 1
                else:  # nothing is there to be hit yet
                    plan.insert(0, plan.pop())
                    time.sleep(0.01)
            else:
                time.sleep(0.02)
        missed = set(names[:faults]) - set(injected)
        assert not missed, f"never hit: {missed}"
        return injected

    def digests(self):
        """By source; and the oracle of events."""
        out = {}
        for number, build in self.ids.items():
            result = self.ask(lambda c, b=build: c.call("build/result", {"id": b}))
            assert result["status"] == "succeeded", result
            made = tuple(sorted((one["name"], one["digest"]) for one in result["artifacts"] if one["name"] != "manifest.json"))
            assert out.setdefault(number % len(self.sources), made) == made, "one source, one result"
        for build in [*self.ids.values(), *self.ended]:
            types = [event["type"] for event in self.ask(lambda c, b=build: c.follow(b))]
            assert types.count("buildFinished") == 1 and types[-1] == "buildFinished", types
        return out

    def whole(self, farm, faults):
        self.begin(farm)
        self.ended = []
        try:
            begin = time.monotonic()
            injected = self.run_all(faults)
            took = time.monotonic() - begin
            return self.digests(), injected, took
        finally:
            self.doCleanups()


class Faults(unittest.TestCase):
    def check(self, farm):
        calm = Load()
        expected, _, took = calm.whole(farm, 0)
        print(f"without faults: {OPTIONS.builds} builds of {len(expected)} sources, {took:.1f} s", flush=True)
        load = Load()
        got, injected, took = load.whole(farm, OPTIONS.faults)
        print(f"with {sum(injected.values())} faults {injected}: {took:.1f} s, {load.again} builds asked for again", flush=True)
        self.assertEqual(got, expected)

    def test_on_this_machine(self):
        self.check(False)

    def test_on_a_farm(self):
        if not OPTIONS.farm:
            self.skipTest("no --farm")
        self.check(True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--placid", required=True)
    parser.add_argument("--farm")
    parser.add_argument("--machine-faults")
    parser.add_argument("--builds", type=int, default=60)
    parser.add_argument("--kernels", type=int, default=40)
    parser.add_argument("--faults", type=int, default=20)
    parser.add_argument("--delay", type=float, default=0.2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--patience", type=float, default=600.0)
    OPTIONS, rest = parser.parse_known_args()
    OPTIONS.placid = str(pathlib.Path(OPTIONS.placid).resolve())
    harness.OPTIONS = OPTIONS
    unittest.main(argv=[sys.argv[0], *rest], defaultTest="Faults")
