# SPDX-License-Identifier: Apache-2.0
"""A build service of a test: a daemon in a folder of its own with the programs of tests/toolchain/fake as tools, its
certificates, and how it is reached from outside. Holds no tests."""
import argparse
import os
import pathlib
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from service_client import Client, frame  # noqa: E402, F401

EXAMPLE = (HERE.parent.parent / "examples" / "nz_matmul.py").read_bytes()
TOKEN = "a-token-for-tests-0123456789"
OPTIONS = None
CERTS = None


def openssl(*words, cwd):
    subprocess.run(["openssl", *words], cwd=cwd, check=True, capture_output=True)


def make_certificates(folder):
    """A CA with a server and a client, each once more with its time over, and a client of another CA."""
    for ca in ("ca", "foreign"):
        openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", f"/CN={ca}",
                "-keyout", f"{ca}.key", "-out", f"{ca}.pem", cwd=folder)  # fmt: skip
    for name, ca, subject, days in (("server", "ca", "localhost", 2), ("client", "ca", "farm7", 2), ("stranger", "foreign", "farm7", 2),
                                    ("old-server", "ca", "localhost", -1), ("old-client", "ca", "farm7", -1)):  # fmt: skip
        openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", f"/CN={subject}", "-keyout", f"{name}.key",
                "-out", f"{name}.csr", cwd=folder)  # fmt: skip
        (folder / "names").write_text("subjectAltName=IP:127.0.0.1,DNS:localhost\n")
        openssl("x509", "-req", "-in", f"{name}.csr", "-CA", f"{ca}.pem", "-CAkey", f"{ca}.key", "-CAcreateserial", "-days", str(days), "-extfile", "names",
                "-out", f"{name}.pem", cwd=folder)  # fmt: skip


class Service(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="placid-service-")).resolve()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.log = self.folder / "log"
        for where, what in (("ptoas/bin/ptoas", "ptoas"), ("host/clang++-29", "cxx")):
            path = self.folder / where
            path.parent.mkdir(parents=True)
            shutil.copy(HERE / "fake" / what, path)
            (path.parent / "log").write_text(str(self.log))
        (self.folder / "isa/include/pto").mkdir(parents=True)
        (self.folder / "isa/include/pto/pto-inst.hpp").write_text("// headers\n")
        bare = {**{k: v for k, v in os.environ.items() if k.endswith("SAN_OPTIONS")}, "HOME": str(self.folder), "XDG_CACHE_HOME": str(self.folder / "cache"), "XDG_CONFIG_HOME": str(self.folder / "config"),
                "XDG_RUNTIME_DIR": str(self.folder)}  # fmt: skip
        self.env = {**bare, "PATH": f"{self.folder}/host:/usr/bin:/bin", "PTOAS_ROOT": str(self.folder / "ptoas"), "PTO_ISA_ROOT": str(self.folder / "isa"),
                    "PLACID_IDLE_SECONDS": "0", "PLACID_WORKERS": "2"}  # fmt: skip
        self.bare = {**bare, "XDG_CACHE_HOME": str(self.folder / "cache2"), "XDG_CONFIG_HOME": str(self.folder / "config2"), "PATH": "/usr/bin:/bin",
                     "PLACID_IDLE_SECONDS": "3"}  # fmt: skip
        self.daemon = None
        self.level = "info"

    def configure(self, text, which="config"):
        path = self.folder / which / "placid/config.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def serve(self, tls=False, http=False, name="server"):
        text = "[serve]\n"
        if tls:
            tokens = self.folder / "tokens"
            tokens.write_text(f"team/ci {TOKEN}\nother {TOKEN}-of-another\n")
            tokens.chmod(0o600)
            text += f'tls = "127.0.0.1:0"\ncert = "{CERTS}/{name}.pem"\nkey = "{CERTS}/{name}.key"\nclient-ca = "{CERTS}/ca.pem"\ntokens = "{tokens}"\n'
        if http:
            text += 'http = "127.0.0.1:0"\n'
        self.configure(text)
        self.start()
        status = self.wait_for(lambda: (s := self.status()) and ("tls" in s["listen"]) == tls and ("http" in s["listen"]) == http and s)
        self.tls, self.http = status["listen"].get("tls"), status["listen"].get("http")

    def start(self):
        self.socket = self.folder / "socket"
        self.error = open(self.folder / "daemon.log", "ab")
        self.daemon = subprocess.Popen([OPTIONS.placid, "serve", "--listen", str(self.socket)], env={**self.env, "PLACID_LOG": self.level}, cwd=self.folder, stderr=self.error)
        self.addCleanup(self.kill)
        self.wait_for(lambda: self.status())

    def kill(self):
        if self.daemon:
            self.daemon.kill()
            self.daemon.wait()
            self.error.close()
            self.daemon = None

    def wait_for(self, condition, seconds=120):
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if got := condition():
                return got
            if self.daemon and self.daemon.poll() is not None:
                break
            time.sleep(0.02)
        raise AssertionError("did not happen; the daemon said:\n" + (self.folder / "daemon.log").read_text())

    def status(self):
        try:
            client = Client.unix(self.socket, role="admin")
        except OSError:
            return None
        try:
            return client.ask("admin/status")
        finally:
            client.close()

    def client(self, **kwargs):
        client = Client.unix(self.socket, **kwargs)
        self.addCleanup(client.close)
        return client

    def remote_client(self, **kwargs):
        client = Client.tls(self.tls, CERTS / "ca.pem", **kwargs)
        self.addCleanup(client.close)
        return client

    def kernel(self, number):
        return EXAMPLE.replace(b"def matmul", b"def matmul%d" % number)

    def runs(self):
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        return len([line for line in lines if "--version" not in line])

    # --- from other machines

    def dial(self, **kwargs):
        context = ssl.create_default_context(cafile=str(CERTS / "ca.pem"))
        for name, value in kwargs.items():
            setattr(context, name, value)
        host, _, port = self.tls.rpartition(":")
        return context.wrap_socket(socket.create_connection((host, int(port)), 60), server_hostname=host)

    def closed(self, stream):
        """Waits until the other side has hung up."""
        stream.settimeout(120)
        try:
            while stream.recv(1 << 16):
                pass
        except (ssl.SSLError, ConnectionError):
            pass
        stream.close()

    def curl(self, *words, status="200", token=TOKEN):
        out = self.folder / "answer"
        head = ["-H", f"Authorization: Bearer {token}"] if token else []
        done = subprocess.run(["curl", "-s", "--cacert", CERTS / "ca.pem", "-o", out, "-w", "%{http_code}", *head, *words], capture_output=True, text=True, timeout=120)
        self.assertEqual(done.stdout, status, done.stderr)
        return out.read_bytes() if out.exists() else b""

    def remote(self, *words, config=True):
        if config:
            token = self.folder / "token"
            token.write_text(TOKEN + "\n")
            token.chmod(0o600)
            self.configure(f'[remote.farm]\naddress = "{self.tls}"\nca = "{CERTS}/ca.pem"\ntoken-file = "{token}"\n', "config2")
        return subprocess.run([OPTIONS.placid, "build", "--no-daemon", *words], cwd=self.folder / "work", env=self.bare, capture_output=True, text=True, timeout=300)


def main(doc):
    """Runs the tests of the program that is called."""
    global OPTIONS, CERTS
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--placid", required=True)
    OPTIONS, rest = parser.parse_known_args()
    OPTIONS.placid = str(pathlib.Path(OPTIONS.placid).resolve())
    with tempfile.TemporaryDirectory(prefix="placid-certificates-") as folder:
        CERTS = pathlib.Path(folder)
        make_certificates(CERTS)
        unittest.main(argv=[sys.argv[0], *rest])
