#!/usr/bin/env python3
"""Writes gaussian_curve.tsv: the exact curve of a Gaussian shift to 34 digits, by mpmath (pip install mpmath).

Two kinds of rows, all inputs exact floats (printed so that they round-trip):
  delta    mu  eps    delta(eps)  ln delta(eps)
  epsilon  mu  delta  eps(delta)
The formula is evaluated as it is printed, with enough digits that its cancellation does not matter.
"""
import random
from mpmath import mp, mpf, erfc, exp, log, sqrt, nstr

mp.dps = 150
random.seed(20261127)


def cdf_tail(x):
    """Phi(-x)"""
    return erfc(x / sqrt(mpf(2))) / 2


def delta(mu, eps):
    mu, eps = mpf(mu), mpf(eps)
    return cdf_tail(eps / mu - mu / 2) - exp(eps) * cdf_tail(eps / mu + mu / 2)


def epsilon(mu, target):
    """Newton on ln delta from the left in high precision, safeguarded by bisection."""
    mu, target = mpf(mu), mpf(target)
    low, high = mpf(0), mu * mu / 2 + mu * sqrt(2 * log(1 / target))
    if delta(mu, low) <= target:
        return mpf(0)
    x = high / 2
    for _ in range(400):
        value = delta(mu, x)
        if value > target:
            low = x
        else:
            high = x
        slope = exp(x) * cdf_tail(x / mu + mu / 2) / value
        step = x + log(value / target) / slope
        if not low < step < high:
            step = (low + high) / 2
        if abs(step - x) < mpf(10) ** -45 * step:
            return step
        x = step
    raise ArithmeticError((mu, target))


MUS = [1e-6, 3.7e-5, 1e-3, 0.02, 0.1, 0.3, 0.7, 0.96875, 0.9999999, 1.0, 1.03, 1.7, 3.0, 5.5, 12.0, 40.0, 150.0, 999.0, 1000.0]
TARGETS = [0.9, 0.5, 0.3, 0.1, 1e-2, 1e-4, 1e-6, 1e-9, 1e-15, 1e-30, 1e-80, 1e-160, 1e-240, 1e-300]


def rows():
    for mu in MUS:
        for target in TARGETS:
            eps = epsilon(mu, target)
            if eps == 0:
                continue
            yield ("epsilon", mu, target, nstr(eps, 34))
            yield at(mu, float(nstr(eps, 6)))
        for eps in [0.0, mu * mu / 4, mu * 1.9999, mu * 2.0, mu * 2.1, mu * mu * 2, mu * mu * 2.0001, 1e-3, 1.0, 1e6]:
            yield at(mu, eps)
    for _ in range(120):
        mu = 10 ** random.uniform(-6, 3)
        a = random.uniform(-4, 37.5)
        yield at(mu, max(0.0, mu * (mu / 2 + a)))


def at(mu, eps):
    value = delta(mu, eps)
    return ("delta", mu, eps, nstr(value, 34), nstr(log(value), 34))


with open(__file__.replace(".py", ".tsv"), "w") as out:
    for row in rows():
        print(*(repr(x) if isinstance(x, float) else x for x in row), sep="\t", file=out)
