"""Decentralized training with PyTorch: 64 nodes on a hypercube, a plan for noise and masks, and a budget that stops it.

Every node keeps its own logistic regression. In a round it averages the gradients of its examples, each clipped to norm CLIP, adds
its noise and the masks of its edges, takes a step, and averages its parameters with its neighbours. The plan has the sizes of all
draws for one run at the budget; losses of rounds add up, so that ROUNDS rounds take sqrt(ROUNDS) times these. The accountant counts
rounds and says what they cost the pair of nodes that loses most. One node's whole data is replaced by other data: that moves its
clipped mean by at most 2 CLIP. Logistic regression is convex, clipping single examples keeps its steps 1-Lipschitz, and STEP is below
2 / beta; for other models give the accountant their `lipschitz`.

    pip install torch networkx        # the CPU is enough
    python examples/train_with_torch.py
"""

import networkx as nx
import torch
from torch.func import functional_call, grad, vmap

import muffliato as mf

CLIP, STEP, GOSSIP, ROUNDS = 0.5, 0.5, 14, 14
EPSILON, DELTA = 2.0, 1e-5

torch.manual_seed(0)
graph = nx.hypercube_graph(6)
nodes = list(graph)
gossip = torch.tensor([[1 / 7 if graph.has_edge(u, v) or u == v else 0.0 for v in nodes] for u in nodes])

plan = mf.plan(graph, epsilon=EPSILON, delta=DELTA, steps=GOSSIP, sensitivity=2 * CLIP)
scale = ROUNDS**0.5

# Two classes in the plane, 200 examples a node, and 2000 for the test.
truth = torch.tensor([2.0, -1.0])
features = torch.randn(len(nodes), 200, 2)
labels = (features @ truth + 0.5 * torch.randn(len(nodes), 200) > 0).float()
unseen = torch.randn(2000, 2)
expected = unseen @ truth > 0

model = torch.nn.Linear(2, 1)
shapes = {name: value.shape for name, value in model.named_parameters()}
size = sum(shape.numel() for shape in shapes.values())


def parameters(flat):
    """The parameters of the model from one vector."""
    pieces = flat.split([shape.numel() for shape in shapes.values()])
    return {name: piece.view(shape) for piece, (name, shape) in zip(pieces, shapes.items())}


def loss(flat, x, y):
    return torch.nn.functional.binary_cross_entropy_with_logits(functional_call(model, parameters(flat), (x,)).squeeze(-1), y)


def clipped_mean(flat, x, y):
    """The mean of the gradients of single examples, each clipped."""
    each = vmap(grad(loss), in_dims=(None, 0, 0))(flat, x, y)
    return (each * (CLIP / each.norm(dim=1, keepdim=True)).clamp(max=1)).mean(dim=0)


def draws():
    """The noise of every node, and a mask an edge that one end adds and the other subtracts, so that masks cancel in the sum."""
    total = torch.stack([scale * plan.noise[v] * torch.randn(size) for v in nodes])
    for (u, v), deviation in plan.masks.items():
        mask = scale * deviation * torch.randn(size)
        total[nodes.index(u)] += mask
        total[nodes.index(v)] -= mask
    return total


def main():
    budget = dict(sigma=scale * plan.sigma, sensitivity=2 * CLIP, epsilon=EPSILON, delta=DELTA)
    accountant = mf.PairwiseAccountant(graph, mf.GradientDescent(rounds=1, steps=GOSSIP), plan=plan, **budget)
    print(plan)
    state = torch.zeros(len(nodes), size)  # a row of parameters for each node
    while not accountant.would_exceed():
        gradients = torch.stack([clipped_mean(*node) for node in zip(state, features, labels)])
        state = torch.linalg.matrix_power(gossip, GOSSIP) @ (state - STEP * (gradients + draws()))
        accountant.step()
        logits = functional_call(model, parameters(state.mean(dim=0)), (unseen,)).squeeze(-1)
        right = ((logits > 0) == expected).float().mean()
        print(f"round {accountant.runs:2}: accuracy {right:.0%}, epsilon {accountant.get_epsilon(DELTA):.3f}")
    alone = mf.account(graph, mf.GradientDescent(accountant.runs, steps=GOSSIP), sigma=scale * max(plan.noise.values()), sensitivity=2 * CLIP)
    neighbours = nodes[0], nodes[1]
    print("the next round would exceed the budget:", accountant)
    print(f"without masks, a neighbour: epsilon {alone.guarantee(*neighbours).epsilon(delta=DELTA):.3f}")


if __name__ == "__main__":
    main()
