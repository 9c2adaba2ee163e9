#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The recipes of docs/builds.md do what they say: what the two for CI run is run, against a service with the tools of
tests/toolchain/fake; the unit is one for systemd; the container file installs what the programs need, and copies what a
build makes.

    test_recipes.py --placid build/release/bin/placid
"""
import argparse
import configparser
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

try:
    import yaml
except ImportError:  # an interpreter of somebody's own in front of the one that the packages are for
    SYSTEM = "/usr/bin/python3"
    if os.path.realpath(sys.executable) == os.path.realpath(SYSTEM) or not os.path.exists(SYSTEM):
        print("SKIP: no python3-yaml")
        sys.exit(77)
    os.execv(SYSTEM, [SYSTEM, *sys.argv])

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import service_harness as harness  # noqa: E402

OPTIONS = None
PAGE = (HERE.parents[1] / "docs/builds.md").read_text()
#: Of any Debian: what its base image has.
BASE = {"libc6", "libgcc-s1", "libstdc++6", "zlib1g", "libzstd1", "liblzma5", "libtinfo6", "libcrypt1"}


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.M | re.S)


def recipe(key):
    """The block of that language whose top level has `key`."""
    found = [block for block in map(yaml.safe_load, blocks("yaml")) if key in block]
    assert len(found) == 1, key
    return found[0]


class Recipes(harness.Service):
    def prepare(self):
        """A checkout with kernels and the settings of CI, as the pages assume them; and the farm."""
        self.serve(tls=True)
        work = self.folder / "checkout"
        (work / "kernels").mkdir(parents=True)
        (work / "kernels/k.py").write_bytes(harness.EXAMPLE)
        (work / "ci").mkdir()
        shutil.copy(harness.CERTS / "ca.pem", work / "ci/ca.pem")
        token = self.bare["HOME"] + "/token"  # where the recipes put it
        (work / "ci/placid.toml").write_text(f'[remote.farm]\naddress = "{self.tls}"\nca = "{work}/ci/ca.pem"\ntoken-file = "{token}"\n')
        programs = self.folder / "programs"
        programs.mkdir()
        (programs / "placid").symlink_to(OPTIONS.placid)
        environment = {**self.bare, "PATH": f"{programs}:/usr/bin:/bin", "PLACIDD": str(pathlib.Path(OPTIONS.placid).with_name("placidd"))}
        environment.pop("XDG_CONFIG_HOME")  # below HOME, as on a runner
        return work, environment

    def run_script(self, script, work, environment):
        done = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", script], cwd=work, env=environment, capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual([one["status"] for one in map(self.ended, self.client().call("build/list")["builds"])], ["succeeded"], "it was built there")
        return done

    def ended(self, build):
        return self.client().call("build/result", {"id": build["id"]})

    def test_github_actions(self):
        job = recipe("jobs")["jobs"]["kernels"]
        self.assertEqual(job["runs-on"], "ubuntu-latest")
        runs = [step for step in job["steps"] if "run" in step]
        self.assertEqual(len(runs), 1)
        for step in job["steps"]:
            self.assertEqual(len({"run", "uses"} & set(step)), 1, step)
        self.assertEqual(runs[0]["env"], {"TOKEN": "${{ secrets.PLACID_TOKEN }}"})
        work, environment = self.prepare()
        done = self.run_script(runs[0]["run"], work, {**environment, "TOKEN": harness.TOKEN})
        self.assertIn("0 errors", done.stdout)
        events = [json.loads(line) for line in (work / "events.ndjson").read_text().splitlines()]
        self.assertEqual((events[-1]["type"], events[-1]["status"]), ("buildFinished", "succeeded"))
        upload = next(step for step in job["steps"] if step.get("uses", "").startswith("actions/upload-artifact"))
        self.assertTrue((work / upload["with"]["path"] / "manifest.json").exists())

    def test_gitlab_ci(self):
        job = recipe("kernels")["kernels"]
        self.assertEqual(set(job), {"image", "script", "artifacts"})
        work, environment = self.prepare()
        token = self.folder / "secret"
        token.write_text(harness.TOKEN)
        self.run_script("\n".join(job["script"]), work, {**environment, "PLACID_TOKEN_FILE": str(token)})
        self.assertTrue((work / job["artifacts"]["paths"][0] / "manifest.json").exists())
        report = ElementTree.parse(work / job["artifacts"]["reports"]["junit"]).getroot()
        self.assertEqual((report.tag, report.get("failures"), report.get("errors")), ("testsuites", "0", "0"))

    def test_a_systemd_unit(self):
        text = next(block for block in blocks("ini") if "[Service]" in block)
        unit = configparser.ConfigParser(interpolation=None, strict=True)
        unit.optionxform = str
        unit.read_string(text)
        self.assertEqual(unit["Service"]["ExecStart"].split()[1:], ["serve"])
        # What it sets is heard: the service comes up where these say.
        variables = dict(word.split("=", 1) for word in unit["Service"]["Environment"].split())
        self.assertEqual(set(variables), {"XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR", "PLACID_LOG"})
        if analyze := shutil.which("systemd-analyze"):
            path = self.folder / "placid.service"
            path.write_text(text.replace(unit["Service"]["ExecStart"].split()[0], OPTIONS.placid))
            done = subprocess.run([analyze, "verify", "--man=no", path], capture_output=True, text=True, timeout=120)
            said = [line for line in done.stderr.splitlines() if "placid.service" in line]
            self.assertEqual(said, [], "of other units it says what it likes")
            broken = self.folder / "broken.service"
            broken.write_text(path.read_text().replace("Restart=always", "Restart=allways"))
            done = subprocess.run([analyze, "verify", "--man=no", broken], capture_output=True, text=True, timeout=120)
            self.assertIn("allways", done.stderr, "it looks at values")

    def test_a_container_file(self):
        text = blocks("dockerfile")[0].replace("\\\n", " ")
        steps = [line.split(None, 1) for line in text.splitlines() if line.strip()]
        self.assertEqual([step for step, _ in steps], ["FROM", "RUN", "COPY", "USER", "ENTRYPOINT"])
        words = dict(steps)
        programs = [pathlib.Path(word) for word in words["COPY"].split()[:-1]]
        built = pathlib.Path(OPTIONS.placid).parent
        for program in programs:
            self.assertEqual(program.parts[:1] + program.parts[2:3], ("build", "bin"))
            self.assertTrue((built / program.name).exists(), program)
        self.assertEqual(json.loads(words["ENTRYPOINT"]), ["placid"])
        packages = {word for word in re.search(r"apt-get install (.*?)&&", words["RUN"]).group(1).split() if not word.startswith("-")}
        if not shutil.which("dpkg-query"):
            self.skipTest("no dpkg")
        needed = set()
        for program in programs:
            said = subprocess.run(["ldd", built / program.name], capture_output=True, text=True, timeout=120).stdout
            for library in re.findall(r"=> (/\S+)", said):
                # Packages know a library by the path that it was installed to, before /lib was one with /usr/lib.
                for path in (library, os.path.realpath(library), os.path.realpath(library).removeprefix("/usr")):
                    owner = subprocess.run(["dpkg-query", "-S", path], capture_output=True, text=True, timeout=120)
                    if owner.returncode == 0:
                        needed.add(owner.stdout.split(":")[0])
                        break
                else:
                    self.fail(f"{library} is nobody's")
        if any("asan" in name or "tsan" in name for name in needed):
            self.skipTest("a build with sanitizers needs more")
        self.assertLessEqual(needed - BASE - self.of_those(packages), set(), "what is not installed")
        self.assertEqual(packages - needed - {"ca-certificates"}, set(), "what nobody needs")

    def of_those(self, packages):
        """With what they depend on in turn."""
        out = set(packages)
        for package in packages:
            done = subprocess.run(["dpkg-query", "-W", "-f", "${Depends}", package], capture_output=True, text=True, timeout=120)
            out |= {re.split(r"[ (:]", word.strip())[0] for word in re.split(r"[,|]", done.stdout) if word.strip()}
        return out


def main():
    global OPTIONS
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--placid", required=True)
    OPTIONS, rest = parser.parse_known_args()
    OPTIONS.placid = str(pathlib.Path(OPTIONS.placid).resolve())
    harness.OPTIONS = OPTIONS
    names = ["Recipes." + name for name in vars(Recipes) if name.startswith("test_")]
    with tempfile.TemporaryDirectory(prefix="placid-certificates-") as folder:
        harness.CERTS = pathlib.Path(folder)
        harness.make_certificates(harness.CERTS)
        unittest.main(argv=[sys.argv[0], *(rest or names)])


if __name__ == "__main__":
    main()
