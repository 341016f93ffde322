"""Privacy accounting for gossip averaging: what each node of a graph leaks to each other node.

Losses are multiples of the local (LDP) loss ``L = alpha Delta^2 / (2 sigma^2)``: 0 is perfect privacy, and for averaging 1 is
no better than telling the noisy value to everybody. The neighbouring relation is that one user's input is replaced by another
one at a distance of at most ``sensitivity``. Guarantees are made from certified upper ends and are rounded up.

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
from .running import attack, audit, average, command, train, verify
from .sharding import Pairs, PartialWarning, merge
from .tables import Table

__all__ = [
    "Account",
    "BudgetSpent",
    "Guarantee",
    "Loss",
    "MuffliatoError",
    "Pairs",
    "PairwiseAccountant",
    "PartialWarning",
    "Table",
    "__version__",
    "account",
    "attack",
    "audit",
    "average",
    "calibrate",
    "command",
    "merge",
    "train",
    "verify",
]
