"""What the package costs beside the command, and what it saves beside programs in Python for the same work.

    cargo build --release && pip install ./python scipy
    python python/benchmarks/compare.py target/release/muffliato [WHEEL] | tee docs/speed-python.md

Every measurement is a process of its own, in turns, and the best counts (what takes seconds runs once); times are seconds of all processors, so that other programs on
the machine change little. Work is checked: answers agree, or the row says by how much they do not.
"""

import json
import os
import pathlib
import resource
import subprocess
import sys
from fractions import Fraction

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "fast" / "rivals" / "rows"))
TURNS = 3


def network(spec):
    """Dense Metropolis weights and the neighbours of each node, in numpy."""
    import numpy as np
    from muffliato.graphs import named

    graph = named(spec).graph
    edges = np.array(graph.edges())
    degree = np.bincount(edges.ravel(), minlength=graph.nodes)
    weights = np.zeros((graph.nodes, graph.nodes))
    u, v = edges.T
    weights[u, v] = weights[v, u] = 1 / (1 + np.maximum(degree[u], degree[v]))
    weights[np.diag_indices(graph.nodes)] = 1 - weights.sum(axis=1)
    return weights, [sorted(np.flatnonzero(row).tolist()) for row in weights - np.diag(np.diag(weights))]


class AuthorsLoop:
    """Theorem 1 by a loop over steps and neighbours with dense powers of W: the paper's formula as it stands."""

    TITLE = "paper's bound of one observer, all sources, 10-cube, T = 15"
    RIVAL = "the paper's formula as a loop: dense powers in numpy"
    MORE = "and the certified losses"
    GRAPH, STEPS = "hypercube:10", 15

    def prepared(self):
        return network(self.GRAPH)

    def rival(self, prepared):
        import numpy as np

        weights, neighbours = prepared
        power, bounds = np.eye(len(weights)), np.zeros(len(weights))
        for _ in range(self.STEPS):
            for sender in neighbours[0]:
                for source in range(len(weights)):
                    bounds[source] += power[sender, source] ** 2 / np.linalg.norm(power[sender]) ** 2
            power = power @ weights
        return bounds[1:].tolist()

    def ours(self):
        import muffliato as mf

        return mf.account(self.GRAPH, "refreshed:0.1", steps=self.STEPS, observers=[0]).to_pandas()["paper_theorem_1"].tolist()


class PseudoInverse:
    """The exact loss of gradient descent from the dense pseudo-inverse of all that an observer sees."""

    TITLE = "loss of gradient descent towards one observer, all sources but its neighbours, 9-cube, 10 rounds"
    RIVAL = "dense pseudo-inverse in numpy"
    MORE = "certified"
    GRAPH = "hypercube:9"

    def prepared(self):
        return network(self.GRAPH)[0]

    def rival(self, prepared):
        import gd_leakage
        import numpy as np

        gd_leakage.sample = lambda nodes: range(nodes)
        losses = np.asarray(gd_leakage.rival(prepared))
        return losses[prepared[0, 1:] == 0].tolist()

    def ours(self):
        import muffliato as mf

        frame = mf.account(self.GRAPH, "gd:10x1", observers=[0]).to_pandas()
        return frame["leakage"][frame["distance"] > 1].tolist()


class RowReduction:
    """The exact one-shot loss as fractions, by row reduction of the messages."""

    TITLE = "exact loss as fractions towards one observer, all sources, karate club, T = 5"
    RIVAL = "row reduction with fractions.Fraction"
    MORE = ""
    GRAPH, STEPS, OBSERVER = "karate", 5, 33

    def prepared(self):
        from muffliato.graphs import named

        graph = named(self.GRAPH).graph
        neighbours = [[] for _ in range(graph.nodes)]
        for u, v in graph.edges():
            neighbours[u].append(v)
            neighbours[v].append(u)
        weights = [[Fraction(0)] * graph.nodes for _ in neighbours]
        for u, near in enumerate(neighbours):
            for v in near:
                weights[u][v] = Fraction(1, 1 + max(len(near), len(neighbours[v])))
            weights[u][u] = 1 - sum(weights[u])
        return weights, neighbours

    def rival(self, prepared):
        weights, neighbours = prepared
        nodes, observer = range(len(weights)), self.OBSERVER
        power = [[Fraction(int(u == v)) for v in nodes] for u in nodes]
        messages = [power[observer]]
        for _ in range(self.STEPS):
            messages += [power[sender] for sender in neighbours[observer]]
            power = [[sum(w * row[v] for w, row in zip(mixed, power) if w) for v in nodes] for mixed in weights]
        orthogonal = []
        for message in messages:
            for row, square in orthogonal:
                part = sum(a * b for a, b in zip(message, row)) / square
                if part:
                    message = [a - part * b for a, b in zip(message, row)]
            square = sum(a * a for a in message)
            if square:
                orthogonal.append((message, square))
        return [str(sum(row[u] ** 2 / square for row, square in orthogonal)) for u in nodes if u != observer]

    def ours(self):
        import muffliato as mf

        account = mf.account(self.GRAPH, "one-shot", steps=self.STEPS, engine="reference")
        return [str(account.loss(node, self.OBSERVER).exact) for node in account.nodes if node != self.OBSERVER]


ROWS = {row.__name__: row() for row in (AuthorsLoop, PseudoInverse, RowReduction)}


def used():
    """Seconds of all processors, of this process."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def measured(name, side):
    """In a process of its own: what one side of a row takes, and its answers."""
    import muffliato  # noqa: F401  (importing is not the work)
    import pandas  # noqa: F401

    row = ROWS[name]
    prepared = row.prepared() if side == "rival" else None
    before = used()
    answers = row.rival(prepared) if side == "rival" else row.ours()
    seconds = used() - before
    print(json.dumps({"seconds": seconds, "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, "answers": answers}))


def in_turns(name):
    found = {"ours": [], "rival": []}
    for _ in range(TURNS):
        for side, runs in found.items():
            if runs and runs[0]["seconds"] > 1:
                continue  # what takes seconds runs once
            done = subprocess.run([sys.executable, __file__, "--row", name, side], capture_output=True, text=True, check=True)
            runs.append(json.loads(done.stdout))
    return [min(runs, key=lambda run: run["seconds"]) for runs in found.values()]


def agreement(ours, rival):
    if all(isinstance(answer, str) for answer in ours):
        return "the same fractions" if ours == rival else "DIFFERENT fractions"
    off = max(abs(a - b) / max(abs(b), 1e-300) for a, b in zip(ours, rival, strict=True))
    return f"{'agree to' if off < 1e-6 else 'DIFFER by'} {off:.0e}"


OVERHEAD = {
    "karate, one-shot, T = 4, all pairs": (["karate", "--steps", "4"], {"steps": 4}, 20),
    "karate, refreshed:0.1, T = 8, all pairs": (["karate", "--steps", "8", "--protocol", "refreshed:0.1"], {"steps": 8}, 20),
    "11-cube (2048 nodes), refreshed:0.1, T = 8, 16 observers": (
        ["hypercube:11", "--steps", "8", "--protocol", "refreshed:0.1", "--observers", "sample:16"],
        {"steps": 8, "observers": "sample:16"},
        5,
    ),
}


def of_python(name):
    """In a process of its own: one account by distance, after the package was imported."""
    import muffliato as mf

    arguments, options, times = OVERHEAD[name]
    protocol = arguments[arguments.index("--protocol") + 1] if "--protocol" in arguments else "one-shot"
    mf.account("path:3", steps=2).by_distance()
    before = used()
    for _ in range(times):
        mf.account(arguments[0], protocol, **options).by_distance()
    print((used() - before) / times)


def of_command(command, arguments, times):
    def children():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    before = children()
    for _ in range(times):
        subprocess.run([command, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return (children() - before) / times


def main(command, wheel=None):
    print("# Speed of the Python package\n\nMade by `python/benchmarks/compare.py`, which says how. Times are seconds of all processors, the best of three turns; what takes seconds runs once.\n")
    if wheel is not None:
        print(f"The wheel has {os.path.getsize(wheel) / 1e6:.1f} MB; one serves Python 3.10 and later.\n")
    print("## Beside the command\n\nLosses by distance. The command's time is that of its process; Python's is that of the call, without starting "
          "Python and importing numpy.\n")
    print("| account | command | Python | Python over command |\n| --- | --- | --- | --- |")
    for name, (arguments, _, times) in OVERHEAD.items():
        theirs, ours = [], []
        for _ in range(TURNS):
            theirs.append(of_command(command, ["account", *arguments], times))
            ours.append(float(subprocess.run([sys.executable, __file__, "--python", name], capture_output=True, text=True, check=True).stdout))
        print(f"| {name} | {min(theirs):.4f} s | {min(ours):.4f} s | {min(ours) / min(theirs):.2f} |", flush=True)
    print("\n## Beside programs in Python\n\nOurs ends with a data frame of all sources, or with fractions.\n")
    print("| work | program | its time | ours | less work by | its memory | ours | answers |\n|" + " --- |" * 8)
    for name, row in ROWS.items():
        ours, rival = in_turns(name)
        more = f" ({row.MORE})" if row.MORE else ""
        print(f"| {row.TITLE} | {row.RIVAL} | {rival['seconds']:.3f} s | {ours['seconds']:.3f} s{more} | {rival['seconds'] / ours['seconds']:.0f}x "
              f"| {rival['megabytes']:.0f} MB | {ours['megabytes']:.0f} MB | {agreement(ours['answers'], rival['answers'])} |", flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "--row":
        measured(*sys.argv[2:])
    elif sys.argv[1] == "--python":
        of_python(sys.argv[2])
    else:
        main(*sys.argv[1:])
