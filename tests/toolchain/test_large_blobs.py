#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Large results and blobs through the build service, in every way that they go: in pieces, never whole in memory.

    test_large_blobs.py --placid build/release/bin/placid
"""
import base64
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import service_harness as harness  # noqa: E402
from service_harness import EXAMPLE, TOKEN  # noqa: E402


class LargeBlobs(harness.Service):
    def memory(self):
        """MiB that the daemon has had at most."""
        status = (pathlib.Path("/proc") / str(self.daemon.pid) / "status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+) kB", status).group(1)) >> 10

    def test_what_is_large_goes_in_pieces(self):
        """300 MiB out of a tool, to another machine, over HTTP both ways and over JSON-RPC: nobody ever holds it."""
        size = 300 << 20
        (self.folder / "host/behaviour").write_text(f"large {size}")
        self.serve(tls=True)
        work = self.folder / "work"
        work.mkdir()
        (work / "k.py").write_bytes(EXAMPLE)
        before = self.memory()
        done = self.remote("--remote", "farm", "--toolchain", "cpu-sim", "--until", "object", "--out", "there", "--events", "events", "k.py")
        self.assertEqual(done.returncode, 0, done.stderr)
        large = work / "there/matmul.o"
        self.assertEqual(large.stat().st_size, size)
        with open(large, "rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        said = {event["path"]: event for event in map(json.loads, (work / "events").read_text().splitlines()) if event["type"] == "artifact"}
        self.assertEqual((said["there/matmul.o"]["digest"], said["there/matmul.o"]["size"]), (digest, size))
        url = f"https://{self.tls}/cas/{digest}"
        self.curl(url)
        (self.folder / "answer").rename(self.folder / "got")
        with open(self.folder / "got", "rb") as file:
            self.assertEqual(hashlib.file_digest(file, "sha256").hexdigest(), digest)
        self.assertIn(str(size), self.curl("-I", url).decode())
        # Another one up, over HTTP; a wrong name, and more than there may be, is not kept.
        with open(self.folder / "got", "r+b") as file:
            file.write(b"other")
            file.seek(0)
            other = hashlib.file_digest(file, "sha256").hexdigest()
        self.curl("-T", self.folder / "got", f"https://{self.tls}/cas/{digest[:-4]}0000", status="400")
        self.curl("-T", self.folder / "got", f"https://{self.tls}/cas/{other}")
        self.curl("-X", "POST", "--data-binary", f"@{self.folder}/got", f"https://{self.tls}/rpc", status="413")
        client = self.remote_client(token=TOKEN)
        self.assertEqual(client.call("blob/missing", {"digests": [digest, other]})["missing"], [other], "HTTP's own")
        self.assertEqual(base64.b64decode(client.call("blob/get", {"digest": digest, "offset": size - 3})["base64"]), bytes(3), "from anywhere")
        part = 4 << 20
        with open(self.folder / "got", "rb") as file:
            for at in range(0, size, part):
                answer = client.call("blob/put", {"digest": other, "size": size, "offset": at, "base64": base64.b64encode(file.read(part)).decode()})
        self.assertTrue(answer["complete"])
        if not os.environ.get("SANITIZED"):
            self.assertLess(self.memory() - before, 120, "MiB")
        # Damaged where it lies: it is never given whole, and not at all afterwards.
        blob = self.folder / "cache/placid/store/cas" / digest[:2] / digest
        blob.chmod(0o600)
        with open(blob, "r+b") as file:
            file.seek(size // 2)
            file.write(b"x")
        cut = subprocess.run(["curl", "-s", "--cacert", harness.CERTS / "ca.pem", "-H", f"Authorization: Bearer {TOKEN}", "-o", self.folder / "got", url], timeout=300)
        self.assertEqual(cut.returncode, 18, "a part of the whole")
        self.curl(url, status="404")


if __name__ == "__main__":
    harness.main(__doc__)
