"""Privacy accounting for gossip averaging: how much each node of a graph leaks to each other node.

Losses are multiples of the local (LDP) loss ``L = alpha Delta^2 / (2 sigma^2)``. 0 is perfect privacy; for averaging, 1 is no
better than publishing the noisy value. Two datasets are neighbours if they differ in one user's input, by at most
``sensitivity``. Guarantees are certified upper bounds, rounded up.

>>> import muffliato as mf
>>> account = mf.account([("a", "b"), ("b", "c")], "one-shot", steps=2)
>>> account.loss("a", "c").exact
Fraction(1, 1)
>>> account.guarantee("a", "c").epsilon(sigma=5, delta=1e-6) < 1
True
"""

from ._muffliato import MuffliatoError, __version__
from .accounts import Account, account
from .calibration import calibrate
from .losses import Guarantee, Loss
from .pairwise import BudgetSpent, PairwiseAccountant
from .plans import Plan, plan
from .protocols import Averaging, GradientDescent
from .running import Conformance, attack, audit, average, command, conform, train, verify
from .sharding import Pairs, PartialWarning, merge
from .systems import LinearSystem
from .tables import Table

__all__ = [
    "Account",
    "Averaging",
    "BudgetSpent",
    "Conformance",
    "GradientDescent",
    "Guarantee",
    "LinearSystem",
    "Loss",
    "MuffliatoError",
    "Pairs",
    "PairwiseAccountant",
    "PartialWarning",
    "Plan",
    "Table",
    "__version__",
    "account",
    "attack",
    "audit",
    "average",
    "calibrate",
    "command",
    "conform",
    "merge",
    "plan",
    "train",
    "verify",
]
