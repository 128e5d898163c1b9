#!/usr/bin/env python3
"""Runs a suite of SQLAlchemy's examples/performance, unmodified, and writes its times as `suites` does.

Usage: suites.py --sources FOLDER --suite bulk_inserts --dir ../.work --json out.json [--round R] [--num N] [--wal]
FOLDER has SQLAlchemy's sources, `examples` among them. With --wal, connections have a write-ahead log and synchronous=NORMAL.
"""
import argparse, importlib, json, os, re, sqlite3, subprocess, sys

RESULT = re.compile(r"^(test_\w+) : .*?\((\d+) iterations\); total time ([\d.]+) sec", re.MULTILINE | re.DOTALL)
# Their tests read without a change of the file: one process does them all.
READING = ("large_resultsets", "short_selects")


def names_of_tests(sources, suite):
    sys.path.insert(0, sources)
    importlib.import_module("examples.performance." + suite)
    return [test.__name__ for test in sys.modules["examples.performance"].Profiler.tests]


def remove(path):
    for suffix in ("", "-wal", "-shm", "-journal"):
        if os.path.exists(path + suffix):
            os.unlink(path + suffix)


def figures_of(path):
    """The number of customers, and a digest of their values; as in SuiteRunner."""
    database = sqlite3.connect(path)
    rows, total = database.execute(
        "SELECT count(*), sum(id + 31 * (length(name) + length(description))) FROM customer"
    ).fetchone()
    database.close()
    return {"rows": rows, "sum": total}


def run(options, tests, path):
    """Runs the tests in a process of theirs; yields names, numbers of iterations and seconds."""
    launcher = ["-m", "examples.performance"]
    if options.wal:
        launcher = [os.path.join(os.path.dirname(os.path.abspath(__file__)), "suites_wal.py")]
    command = [sys.executable, "-W", "ignore", *launcher, options.suite, "--dburl", "sqlite:///" + path]
    command += ["--test", *tests]
    if options.num:
        command += ["--num", str(options.num)]
    output = subprocess.run(command, cwd=options.sources, check=True, stdout=subprocess.PIPE, text=True).stdout
    return [(name, int(count), float(seconds)) for name, count, seconds in RESULT.findall(output)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sources", required=True)
    parser.add_argument("--suite", required=True)
    parser.add_argument("--dir", required=True)
    parser.add_argument("--json", required=True)
    parser.add_argument("--round", type=int, default=1)
    parser.add_argument("--num", type=int)
    parser.add_argument("--wal", action="store_true")
    options = parser.parse_args()

    path = os.path.join(os.path.abspath(options.dir), "suite-theirs.sqlite")
    tests = names_of_tests(options.sources, options.suite)
    samples = []
    for part in [tests] if options.suite in READING else [[test] for test in tests]:
        remove(path)
        for name, count, seconds in run(options, part, path):
            sample = dict(
                workload=options.suite + ("_normal " if options.wal else " ") + name,
                peer="sqlalchemy-wal" if options.wal else "sqlalchemy",
                count=count, round=options.round, operations=count, wall=seconds, processor=0,
            )
            # The ids of short_selects are theirs, at random.
            if options.suite != "short_selects":
                sample["figures"] = figures_of(path)
            samples.append(sample)
    remove(path)
    if {sample["workload"].split()[1] for sample in samples} != set(tests):
        sys.exit(f"{options.suite}: the times of some tests are missing")
    with open(options.json, "w") as file:
        json.dump(samples, file)


if __name__ == "__main__":
    main()
