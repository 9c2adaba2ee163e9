#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Numerical truth: for every accepted case, what the emitted PTO IR computes equals what the PL program means.

    run_truth.py --placid build/release/bin/placid [FILE…]

Without files: the cases of tests/cases that expect no error, and examples/. A file whose kernels cannot be lowered, or
that uses what the oracle does not model, is listed with the reason; --strict makes the latter a failure.
Ends with `N kernels agree, M failed, K skipped`.
"""
import argparse
import concurrent.futures
import pathlib
import resource
import signal
import sys
import tempfile
import traceback

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE))
import harness  # noqa: E402
import pl_oracle as oracle  # noqa: E402


def defaults():
    for path in sorted((ROOT / "tests" / "cases").rglob("*.py")) + sorted((ROOT / "examples").glob("*.py")):
        head = [line for line in path.read_text(errors="replace").splitlines()[:12] if line.startswith("#")]
        if any(line.startswith("# expect: ok") for line in head) or path.parent.name == "examples":
            yield path


def tooLong(*_):
    raise TimeoutError("it takes too long")


def confine():
    """Cases are run as Python, and some were written to exhaust whoever reads them."""
    resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
    signal.signal(signal.SIGALRM, tooLong)


def check(placid, path, seed, largest=5_000_000, planner="placid"):
    """Lines "ok …", "skip …" and "FAIL …" for the kernels of one file."""
    try:
        return checkFile([placid, "--planner", planner], path, seed, largest)
    except (TimeoutError, MemoryError) as why:
        return [f"skip {path}: {why!r}"]


def checkFile(placid, path, seed, largest):
    out = []
    placid, *planner = placid
    with tempfile.TemporaryDirectory() as folder:
        try:
            built = harness.run([placid, "build", *planner, "--until", "pto", "--out", folder, str(path)], "build")
        except harness.Mismatch as why:
            code = str(why).split("error[")[-1].split("\n")[0]
            return [f"skip {path}: not lowered: {code[:110]}"]
        del built
        try:
            signal.alarm(20)
            module = oracle.loadProgram(path)
            known = oracle.entries(module)
            signal.alarm(0)
        except oracle.Unmodelled as why:
            return [f"skip {path}: the oracle has no {why}"]
        except Exception as error:  # pylint: disable=broad-except
            signal.alarm(0)
            return [f"skip {path}: not Python that runs: {error!r}"]
        text = path.read_text()
        manifest = harness.manifestOf(folder)
        for entry in harness.entriesOf(manifest):
            name = f"{path}:{entry}"
            try:
                if entry not in known:
                    raise oracle.Unmodelled(f"entry {entry}")
                kernel, owner = known[entry]
                problem = harness.Problem(kernel, owner, f"{seed}:{path.name}:{entry}", harness.readsBlock(text, kernel), largest)
                problem.solve()
                problem.derive([k for k in manifest["kernels"] if k["entry"] == entry], problem.text)
                results = pathlib.Path(folder) / "results"
                harness.run([placid, "run", *planner, "--kernel", entry, *problem.writeInputs(folder), "--out", str(results), str(path)], "run")
                problem.compare(results)
                out.append(f"ok {name}")
            except oracle.Unmodelled as why:
                out.append(f"skip {name}: the oracle has no {why}")
            except harness.TooLarge as why:
                out.append(f"skip {name}: {why}")
            except harness.Mismatch as why:
                out.append(f"FAIL {name}: {why}")
            except Exception:  # pylint: disable=broad-except
                out.append(f"FAIL {name}: the oracle: {traceback.format_exc(limit=-3)}")
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--placid", required=True)
    parser.add_argument("--planner", choices=("placid", "ptoas"), default="placid", help="who gives tiles their addresses")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--largest", type=int, default=5_000_000, help="elements of the largest tensor that is filled")
    parser.add_argument("--strict", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    lines = []
    with concurrent.futures.ProcessPoolExecutor(options.jobs, initializer=confine) as pool:
        for part in pool.map(check, *zip(*[(options.placid, f, options.seed, options.largest, options.planner) for f in options.files or defaults()])):
            lines += part
    counts = {kind: sum(line.startswith(kind) for line in lines) for kind in ("ok", "FAIL", "skip")}
    for line in lines:
        if options.verbose or not line.startswith("ok"):
            print(line)
    print(f"{counts['ok']} kernels agree, {counts['FAIL']} failed, {counts['skip']} skipped")
    unmodelled = sum("the oracle has no" in line for line in lines)
    return 1 if counts["FAIL"] or counts["ok"] == 0 or (options.strict and unmodelled) else 0


if __name__ == "__main__":
    sys.exit(main())
