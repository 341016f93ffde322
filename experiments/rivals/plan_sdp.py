"""The best plan for a graph as a semidefinite programme, by a general solver, to compare with `muffliato plan`.

    muffliato plan karate --epsilon 1 --delta 1e-6 --steps 80 --plan-out plan.json
    pip install clarabel numpy scipy
    python3 experiments/rivals/plan_sdp.py plan.json --limit 600

It reads the graph, the steps and the mask graph of a plan on file (Metropolis weights, one target for all pairs and single observers) and
minimises the same error. A source u loses at most r to an observer V where `M_V(x) - e_u e_u^T / r` is positive semidefinite, M_V the matrix of
SPEC 16 without V. With --all every pair is a constraint from the start; without it, pairs are added while a solution violates them by more than
the tolerance; on the karate club that takes some 40 s of processor time, every pair 70 s. Variances of masks are scaled by the root of their cost. The answer is scaled to meet all targets in floats; nothing is certified.
"""

import argparse
import json
import time
from fractions import Fraction

import clarabel
import numpy as np
from scipy import sparse


def programme(path):
    """Returns the number of nodes, the draws as columns, and their costs in multiples of a trusted aggregator's error; the plan's own error, too."""
    plan = json.load(open(path))
    protocol, targets = plan["protocol"], plan["targets"]
    network, sizes = protocol["network"], protocol["plan"]
    if network["weights"] != "metropolis" or "all" not in targets or plan["coalition"] != 1 or sizes.get("fresh"):
        raise SystemExit("give a plan with masks and Metropolis weights, for all pairs and single observers")
    n, masks = protocol["nodes"], sizes.get("masks", [])
    degree = np.bincount(np.array(network["edges"]).flatten(), minlength=n)
    weights = np.zeros((n, n))
    for a, b in network["edges"]:
        weights[a, b] = weights[b, a] = 1 / (1 + max(degree[a], degree[b]))
    weights += np.diag(1 - weights.sum(axis=1))
    mixed = np.linalg.matrix_power(weights, protocol["gossip_steps"])
    draws = [np.eye(n)[w] for w in range(n)] + [np.eye(n)[a] - np.eye(n)[b] for a, b, _ in masks]
    costs = np.array([n * np.sum((mixed @ draw) ** 2) for draw in draws])
    target = float(Fraction(targets["all"]))
    own = sizes["nodes"] + [variance for _, _, variance in masks]
    own = target * np.array([float(Fraction(variance)) for variance in own])
    return n, draws, costs, float(costs @ own)


def losses(n, draws, x, v):
    """Returns the losses of all other nodes to v."""
    kept = [w for w in range(n) if w != v]
    seen = [(draw, size) for draw, size in zip(draws, x) if draw[v] == 0]
    m = sum(size * np.outer(draw, draw) for draw, size in seen)[np.ix_(kept, kept)]
    return kept, np.diag(np.linalg.inv(m))


def triangle(m):
    """Returns the upper triangle of a symmetric matrix by columns, its entries off the diagonal times the root of 2, as Clarabel takes it."""
    rows, columns = np.triu_indices(len(m))
    order = np.lexsort((rows, columns))
    rows, columns = rows[order], columns[order]
    return m[rows, columns] * np.where(rows == columns, 1.0, np.sqrt(2.0))


def solve(n, draws, costs, scale, pairs, limit, tolerance):
    """Minimises the cost for the targets of these pairs."""
    blocks, right, cones = [sparse.csc_matrix(-np.eye(len(draws)))], [np.zeros(len(draws))], [clarabel.NonnegativeConeT(len(draws))]
    columns = {}
    for u, v in pairs:
        kept = [w for w in range(n) if w != v]
        if v not in columns:
            matrices = [np.outer(draw, draw)[np.ix_(kept, kept)] * (draw[v] == 0) for draw in draws]
            columns[v] = sparse.csc_matrix(np.array([-triangle(m) * s for m, s in zip(matrices, scale)]).T)
        blocks.append(columns[v])
        unit = np.zeros((n - 1, n - 1))
        unit[kept.index(u), kept.index(u)] = 1
        right.append(-triangle(unit))
        cones.append(clarabel.PSDTriangleConeT(n - 1))
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.time_limit = max(limit, 1.0)
    settings.tol_gap_rel = settings.tol_feas = tolerance
    quadratic = sparse.csc_matrix((len(draws), len(draws)))
    found = clarabel.DefaultSolver(quadratic, costs * scale, sparse.vstack(blocks, "csc"), np.concatenate(right), cones, settings).solve()
    return str(found.status), np.maximum(np.array(found.x), 0) * scale


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plan")
    parser.add_argument("--limit", type=float, default=600, help="seconds")
    parser.add_argument("--tolerance", type=float, default=1e-5)
    parser.add_argument("--all", action="store_true", help="every pair from the start")
    asked = parser.parse_args()
    n, draws, costs, plan = programme(asked.plan)
    scale = 1 / np.sqrt(np.maximum(costs, 1e-9))
    scale[:n] = 1.0
    start = time.time()
    pairs = [(u, v) for v in range(n) for u in range(n) if u != v] if asked.all else [((v + 1) % n, v) for v in range(n)]
    best, below, rounds = float("inf"), 0.0, 0
    while time.time() - start < asked.limit:
        rounds += 1
        status, x = solve(n, draws, costs, scale, pairs, asked.limit - (time.time() - start), asked.tolerance)
        if status != "Solved":
            print(f"stopped: {status}")
            break
        # A node or mask of variance 0 has no inverse without others.
        lost = [losses(n, draws, np.maximum(x, 1e-9), v) for v in range(n)]
        worst = max(loss.max() for _, loss in lost)
        best, below = min(best, costs @ x * worst), costs @ x
        print(f"round {rounds}: {len(pairs)} pairs, {below:.5f} to {best:.5f}, {time.time() - start:.1f} s", flush=True)
        more = {(int(kept[k]), v) for v, (kept, loss) in enumerate(lost) for k in np.argsort(-loss)[:2] if loss[k] > 1 + 10 * asked.tolerance}
        if not more - set(pairs) or best <= below * 1.01:
            break
        pairs += sorted(more - set(pairs))
    print(f"{best:.4f} times a trusted aggregator in {time.time() - start:.1f} s and {rounds} rounds (Clarabel {clarabel.__version__}); at least {below:.4f}")
    print(f"muffliato's plan: {plan:.4f}")


if __name__ == "__main__":
    main()
