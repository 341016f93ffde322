"""Reads protocols and runs them on symbols, in fractions, for the programs in this folder."""
import itertools, json, sys
from fractions import Fraction as F


def matrix(n, edges, weights):
    """The gossip matrix, as a list of dictionaries."""
    if isinstance(weights, dict):
        rows = [{} for _ in range(n)]
        for v, w, above in weights["entries"]:
            rows[v][w] = F(above, weights["denominator"])
        return rows
    lazy, scheme = weights.startswith("lazy:"), weights.removeprefix("lazy:")
    degree = [sum(v in edge for edge in edges) for v in range(n)]
    rows = [{} for _ in range(n)]
    for v, w in edges:
        rows[v][w] = rows[w][v] = F(1, max(degree[v], degree[w]) + (scheme == "metropolis")) / (1 + lazy)
    for v in range(n):
        rows[v][v] = 1 - sum(rows[v].values())
    return rows


def step(protocol, t):
    """The edges that speak at time t, and the matrix that mixes."""
    n = protocol["nodes"]
    if "averages" in protocol:
        a, b = protocol["averages"][t]
        rows = [{v: F(1)} for v in range(n)]
        rows[a] = {a: F(1, 2), b: F(1, 2)}
        rows[b] = dict(rows[a])
        return [(a, b)], rows
    network = protocol["networks"][t // protocol["each"]] if "networks" in protocol else protocol["network"]
    return network["edges"], matrix(n, network["edges"], network["weights"])


def beyond_the_paper(protocol):
    """Whether a protocol has something that the paper's formulas are not about."""
    return any(key in protocol for key in ("refresh", "masks", "plan", "reaction", "every"))


def senders(edges, observers):
    heard = {a for e in edges for a, b in (e, e[::-1]) if b in observers}
    return sorted(heard - set(observers))


def combine(row, rows):
    """sum_w row[w] rows[w] of sparse rows."""
    total = {}
    for w, weight in row.items():
        for column, entry in rows[w].items():
            total[column] = total.get(column, 0) + weight * entry
    return total


def masks(p, edges):
    """The pairs that share masks in a round which begins on these edges, and the variances."""
    planned = p.get("plan", {}).get("masks", [])
    shared = []
    if "masks" in p:
        shared = p["masks"].get("edges") or (p["network"]["edges"] if "averages" in p else edges)
    uniform = [(sorted(edge), F(p["masks"]["kappa"]) ** 2) for edge in shared]
    return uniform + [(sorted((a, b)), F(variance)) for a, b, variance in planned]


def own_noise(p, first):
    """The variance of the noise of each node, at inputs or later in a round; nothing if none is drawn."""
    n, plan = p["nodes"], p.get("plan", {})
    if first:
        return map(F, plan.get("nodes") or [1] * n)
    return map(F, plan.get("fresh") or ([F(p["refresh"]) ** 2] * n if "refresh" in p else []))


def observe(question):
    """The messages as sparse rows over draws, and of each draw its variance and whether the observers know it.

    A draw is (time, node), or (time, a, b) for a mask; inputs enter where the draw of their node does.
    """
    p, observers = question["protocol"], question["observers"]
    n, steps = p["nodes"], p["gossip_steps"]
    full = question.get("view", "full") == "full"
    state, before, draws, messages = [{} for _ in range(n)], None, {}, []
    for t in range(p["rounds"] * steps):
        edges, mixing = step(p, t)
        if t % steps == 0:
            before = None
            if t > 0 and "reaction" in p:
                state = [{d: x * F(f) for d, x in row.items()} for row, f in zip(state, p["reaction"])]
            for (a, b), variance in masks(p, edges):
                draws[t, a, b] = variance, a in observers or b in observers
                state[a][t, a, b], state[b][t, a, b] = F(1), F(-1)
        for v, variance in enumerate(own_noise(p, t % steps == 0)):
            draws[t, v] = variance, full and v in observers
            state[v][t, v] = F(1)
        messages += [dict(state[w]) for w in senders(edges, observers)]
        g = F(p.get("acceleration", 1))
        mixed = [combine(row, state) for row in mixing]
        if before is not None and g != 1:
            mixed = [combine({0: g, 1: 1 - g}, [m, b]) for m, b in zip(mixed, before)]
        state, before = mixed, state
    return messages, draws


def choices(question):
    """For each assignment of phases to the sources, the draws that protect their inputs."""
    p = question["protocol"]
    every = p.get("every", 1)
    for phases in itertools.product(range(min(every, p["rounds"])), repeat=len(question["sources"])):
        yield [
            (r * p["gossip_steps"], u)
            for r in range(p["rounds"])
            for u, phase in zip(question["sources"], phases)
            if r % every == phase
        ]


def over_signs(form, inputs):
    """The largest sum of signs s_i s_j form(i, j)."""
    table = [[form(i, j) for j in inputs] for i in inputs]
    k = range(len(inputs))
    signs = itertools.product((1, -1), repeat=max(len(inputs) - 1, 0))
    return max(sum(s[i] * s[j] * table[i][j] for i in k for j in k) for s in ((1,) + s for s in signs))


def serve(answer):
    """Answers every line of the standard input; None is "unsupported", and so is the view of sums."""
    for line in sys.stdin:
        question = json.loads(line)
        found = None if question.get("view") == "sum" else answer(question)
        print(json.dumps("unsupported" if found is None else str(found)), flush=True)
