"""Every parameter of what users call is documented, as numpydoc wants it."""

import inspect
import re

import pytest

import muffliato as mf


def called():
    for name in mf.__all__:
        thing = getattr(mf, name)
        if inspect.isclass(thing):
            yield from ((f"{name}.{method}", of) for method, of in vars(thing).items() if inspect.isfunction(of) and method[0] != "_")
        elif callable(thing):
            yield name, thing


@pytest.mark.parametrize("function", [pytest.param(of, id=name) for name, of in called()])
def test_every_parameter_is_documented(function):
    text = inspect.getdoc(function)
    entries = re.findall(r"^((?:\*{0,2}\w+)(?:, \*{0,2}\w+)*) :", text, re.MULTILINE)
    documented = {name.strip("* ") for entry in entries for name in entry.split(",")}
    assert set(inspect.signature(function).parameters) - {"self"} <= documented
