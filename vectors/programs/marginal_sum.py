"""The sum of the losses of single messages, each exact by itself, as if they were independent."""
from gossip import F, choices, observe, over_signs, serve


def answer(q):
    if q["ask"] != "loss":
        return None
    messages, draws = observe(q)
    variances = [sum(x * x * draws[d][0] for d, x in row.items() if not draws[d][1]) for row in messages]
    pairs = [(row, v) for row, v in zip(messages, variances) if v]
    form = lambda i, j: sum((row.get(i, F(0)) * row.get(j, F(0)) / v for row, v in pairs), F(0))
    return max(over_signs(form, inputs) for inputs in choices(q))


serve(answer)
