"""Runs ours and the rivals' programs row by row, checks that the answers agree, prints a table of ratios; then
work that has no rival, and whole commands.

A row is one file rows/NAME.py, see rows/all_pairs_hypercube.py, and a row of the same name in fast/examples/ours/main.rs.
"""

import importlib
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
TURNS = 3
sys.path.insert(0, str(HERE / "rows"))


def run_rival(name, file):
    """In a process of its own: the best times, the peak memory and the answers of a rival."""
    row = importlib.import_module(name)
    graph = row.read(file)
    seconds = processor = float("inf")
    for _ in range(row.REPETITIONS):
        start, used = time.perf_counter(), time.process_time()
        answers = row.rival(graph)
        seconds = min(seconds, time.perf_counter() - start)
        processor = min(processor, time.process_time() - used)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    answers = [float(answer) for answer in answers]
    print(json.dumps(dict(seconds=seconds, processor=processor, peak_mb=peak, answers=answers)))


def call(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{command}: {done.stderr}")
    return json.loads(done.stdout)


def best(runs):
    """The best times of several runs, the largest memory, and what else the first one said."""
    times = {key: min(run[key] for run in runs) for key in ["seconds", "processor"]}
    return runs[0] | times | dict(peak_mb=max(run["peak_mb"] for run in runs))


def in_turns(ours_program, name):
    """Ours and the rival by turns, so that what else the machine does for a while falls on both. A rival that is too slow to be
    repeated runs once."""
    ours, rival = [], []
    turns = TURNS if importlib.import_module(name).REPETITIONS > 1 else 1
    with tempfile.NamedTemporaryFile() as file:
        for _ in range(turns):
            ours.append(call(ours_program, name, file.name))
            rival.append(call(sys.executable, __file__, "--rival", name, file.name))
    return best(ours), best(rival)


def saved(rival, ours):
    """The kernel counts processor time in hundredths of a second: nothing can be said of less."""
    return f"{rival / ours:.1f}x" if ours > 0.005 else "-"


def alone(ours_program):
    print("\n## Without a rival\n\n| work | time | memory | found |\n| --- | --- | --- | --- |")
    for name in ["all_observers", "million_account", "million_gap"]:
        found = call(ours_program, "alone", name)
        print(f"| {found['work']} | {found['seconds']:.1f} s | {found['peak_mb']:.0f} MB | {found['found']} |", flush=True)


DATA = pathlib.Path(os.environ.get("MUFFLIATO_DATA", HERE / "../../../shared/data")).resolve()
HUB = "refreshed:0.1 --steps 4"

# What is asked of the command, the seconds it may take on two idle cores.
COMMANDS = [
    ("calibrate karate --epsilon 1 --delta 1e-6 --protect distance>=3 --protocol refreshed", 5),
    ("calibrate karate --epsilon 1 --delta 1e-6 --protect distance>=3", 5),
    (f"account {DATA}/facebook/107.edges --protocol {HUB} --observers all", 40),
    (f"account {DATA}/facebook/107.edges --protocol {HUB} --observer 1888", 0.7),
    (f"account {DATA}/facebook/107.edges --protocol gd:10x4:0.1 --observers sample:16", 60),
    ("account les-miserables.edges --steps 6", 1),
    (f"account {DATA}/facebook/414.edges --steps 10 --observer 596", 5),
    ("account erdos-renyi:20000:c=2:seed=1 --protocol refreshed:0.05 --steps 6 --observers all", 600),
]


def commands(program, limit):
    """What users wait for: whole commands, with reading and writing. Those that need more than `limit` seconds are left out."""
    print("\n## Commands\n\n| command | time | processor time | memory | needed |\n| --- | --- | --- | --- | --- |")
    import networkx  # not in the rivals' processes, whose memory is measured

    folder = tempfile.TemporaryDirectory()
    miserables = networkx.convert_node_labels_to_integers(networkx.les_miserables_graph())
    networkx.write_edgelist(miserables, f"{folder.name}/les-miserables.edges", data=False)
    for text, needed in COMMANDS:
        shown = text.replace(f"{DATA}/", "")
        if needed > limit or (str(DATA) in text and not DATA.exists()):
            continue
        start = time.perf_counter()
        process = subprocess.Popen([program, *text.split(), "--quiet"], stdout=subprocess.DEVNULL, cwd=folder.name)
        _, status, used = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        verdict = "FAILED" if status else "met" if seconds <= needed else "MISSED"
        print(f"| `{shown}` | {seconds:.2f} s | {used.ru_utime + used.ru_stime:.2f} s | {used.ru_maxrss / 1024:.0f} MB | {needed} s {verdict} |", flush=True)


def compare(ours_program, names):
    print("# Speed\n\nMade by `fast/rivals/compare.sh | tee docs/speed.md` on an otherwise idle machine; what each row is, and how to read it: "
          "`fast/rivals/README.md`.\n")
    print(f"Machine: {os.cpu_count()} threads. Times are the best of several; rivals that take seconds run once.\n")
    print("| work | rival | rival's time | ours | faster by | needed | processor time saved | rival's memory "
          "| ours | answers |")
    print("|" + " --- |" * 10)
    failed = False
    for name in names:
        row = importlib.import_module(name)
        if getattr(row, "NEEDS_DATA", False) and not DATA.exists():
            print(f"| {row.TITLE} | {row.RIVAL} |" + " - |" * 7 + " no data |", flush=True)
            continue
        ours, rival = in_turns(ours_program, name)
        pairs = list(zip(ours["answers"], rival["answers"], strict=True))
        off = max(abs(a - b) / max(abs(b), 1e-300) for a, b in pairs)
        wrong = getattr(row, "WRONG", False)
        agree = off <= row.TOLERANCE
        ratio = rival["seconds"] / ours["seconds"]
        small = ours["peak_mb"] <= row.MEMORY_MB
        failed |= agree == wrong
        needed = f"{row.FACTOR}x {'met' if ratio >= row.FACTOR else 'MISSED'}" if row.FACTOR else "-"
        verdict = f"{'agree to' if agree else 'DIFFER by'} {off:.0e}"
        if wrong:
            verdict = f"rival WRONG: {rival['answers'][0]:g}, exactly {ours['answers'][0]:g}"
        print(f"| {row.TITLE} | {row.RIVAL} | {rival['seconds']:.3f} s | {ours['seconds']:.3f} s | {ratio:.1f}x "
              f"| {needed} "
              f"| {saved(rival['processor'], ours['processor'])} "
              f"| {rival['peak_mb']:.0f} MB | {ours['peak_mb']:.0f} MB{'' if small else ' TOO MUCH'} "
              f"| {verdict} |", flush=True)
    return failed


if __name__ == "__main__":
    if sys.argv[1] == "--rival":
        run_rival(*sys.argv[2:])
    else:
        everything = sorted(path.stem for path in (HERE / "rows").glob("[a-z]*.py"))
        ours_program, program, *names = sys.argv[1:]
        failed = False
        if names != ["commands"]:
            failed = compare(ours_program, names or everything)
        if not names:
            alone(ours_program)
        if not names or names == ["commands"]:
            commands(pathlib.Path(program).resolve(), float(os.environ.get("MOST_SECONDS", "inf")))
        sys.exit(failed)
