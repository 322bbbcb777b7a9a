"""The core reckons by arithmetic that is the same on every processor: what is not is found in its source and refused.

BLAS and LAPACK choose their code, and with it the order of a sum and whether products are fused, by the processor; so
do numpy's own sine and power and its sorting, and the system's mathematical library. What scipy gives is not ours
either. `core.geometry.vector` and `core.geometry.elementary` have what takes their place.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from .sources import ROOT, files, syntax

NUMPYS = """
    sin cos tan arcsin arccos arctan arctan2 sinh cosh tanh arcsinh arccosh arctanh hypot
    exp exp2 expm1 log log2 log10 log1p logaddexp power float_power cbrt geomspace logspace
    dot matmul inner tensordot vdot vecdot matvec vecmat einsum linalg roots poly polyfit convolve correlate cov
    partition argpartition
"""
MATHS = """
    sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh hypot dist sumprod
    exp exp2 expm1 log log2 log10 log1p pow cbrt gamma lgamma erf erfc
"""
OF_NUMPY, OF_MATH = set(NUMPYS.split()), set(MATHS.split())

SEARCHED = "Of a search for a proof that an engine is wrong: what it finds is checked, and shown as it is."
ONE_CODE = "Qhull is one code for all processors of a kind; of its hull only which points and planes it has is kept."
CHECKED = f"{ONE_CODE} Planes are taken anew, and checked."
ALLOWED: dict[str, str] = {
    "core/study/differential/certificates.py _deep_point: scipy: linprog": SEARCHED,
    "core/study/differential/certificates.py _held_by_weights: scipy: nnls": SEARCHED,
    "core/study/differential/certificates.py _polytope: scipy: ConvexHull, QhullError": SEARCHED,
    "core/study/differential/hunt.py _power: **Decimal(float(rng.uniform(low, high)))": "Decimal digits, exactly.",
    "core/shapes/hull_faces.py _facets: scipy: ConvexHull, QhullError": ONE_CODE
    + " Planes are taken anew, and checked.",
    "core/shapes/margins.py _corners_within: scipy: HalfspaceIntersection, QhullError": ONE_CODE,
    "core/shapes/margins.py _corners_within: scipy: linprog": "A point inside, from which the same planes are met.",
    "core/shapes/simplified.py _hull: scipy: ConvexHull": ONE_CODE,
    "core/shapes/simplified.py extreme: scipy: ConvexHull, QhullError": ONE_CODE,
}
"""Each place, `core/room/module.py function: what`, with the reason."""


def refused(tree: ast.Module) -> Iterator[str]:
    """Every place of a module, `function: what`, that reckons as the processor likes."""
    modules = _modules(tree)
    for function, node in _within(tree, ""):
        if (what := _refused(node, modules)) is not None:
            yield f"{function or 'module'}: {what}"


def _modules(tree: ast.Module) -> dict[str, str]:
    """By the name that each has here the modules that are imported, and the functions of `math`."""
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {name.asname or name.name.split(".")[0]: name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            within = "." * node.level + (node.module or "")
            found |= {name.asname or name.name: f"{within}.{name.name}" for name in node.names}
    return found


def _within(node: ast.AST, function: str) -> Iterator[tuple[str, ast.AST]]:
    """All nodes with the function, or class and method, that they stand in."""
    for child in ast.iter_child_nodes(node):
        inner = function
        if isinstance(child, (ast.FunctionDef, ast.ClassDef)):
            inner = f"{function}.{child.name}" if function else child.name
        yield inner, child
        yield from _within(child, inner)


def _refused(node: ast.AST, modules: dict[str, str]) -> str | None:
    match node:
        case ast.BinOp(op=ast.MatMult()) | ast.AugAssign(op=ast.MatMult()):
            return "@"
        case ast.BinOp(left, ast.Pow(), right) if not (_whole(left, (2.0,)) and _whole(right)):
            return f"**{ast.unparse(right)}"
        case ast.Attribute(ast.Name(name), function) if modules.get(name) == "numpy" and function in OF_NUMPY:
            return f"np.{function}"
        case ast.Attribute(ast.Name(name), function) if modules.get(name) == "math" and function in OF_MATH:
            return f"math.{function}"
        case ast.ImportFrom("math", names) if found := sorted({it.name for it in names} & OF_MATH):
            return f"math: {', '.join(found)}"
        case ast.ImportFrom(str(module), names, 0) if module.split(".")[0] == "scipy":
            return f"scipy: {', '.join(it.name for it in names)}"
        case ast.Import(names) if any(it.name.split(".")[0] == "scipy" for it in names):
            return "scipy"
        case ast.Call(ast.Attribute(of, "dot")) if not (isinstance(of, ast.Name) and of.id in modules):
            return ".dot"
        case ast.Call(ast.Attribute(_, "argsort"), _, keywords) if not _stable(keywords):
            return "argsort"
    return None


def _whole(node: ast.expr, more: tuple[float, ...] = ()) -> bool:
    """Whether it is written as a whole number, or one of `more`: powers of these are exact everywhere."""
    if isinstance(node, ast.UnaryOp):
        return _whole(node.operand, more)
    return isinstance(node, ast.Constant) and (type(node.value) is int or node.value in more)


def _stable(keywords: list[ast.keyword]) -> bool:
    return any(it.arg == "kind" and ast.unparse(it.value) == "'stable'" for it in keywords)


def found_in_core() -> dict[str, int]:
    """How often each place stands in the core."""
    found: dict[str, int] = {}
    for path in files("core"):
        for place in refused(syntax(path)):
            key = f"{path.relative_to(ROOT).as_posix()} {place}"
            found[key] = found.get(key, 0) + 1
    return found


def test_the_core_reckons_the_same_on_every_processor() -> None:
    strange = sorted(set(found_in_core()) - set(ALLOWED))
    assert not strange, "\n".join(strange)


def test_every_exception_still_stands() -> None:
    gone = sorted(set(ALLOWED) - set(found_in_core()))
    assert not gone, "\n".join(gone)


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("a @ b", "@"),
        ("a @= b", "@"),
        ("a.dot(b)", ".dot"),
        ("np.einsum('i,i', a, b)", "np.einsum"),
        ("np.linalg.svd(a)", "np.linalg"),
        ("np.hypot(a, b)", "np.hypot"),
        ("x**0.5", "**0.5"),
        ("x**2", "**2"),
        ("math.atan2(a, b)", "math.atan2"),
        ("from math import pi, sin", "math: sin"),
        ("a.argsort()", "argsort"),
        ("np.argsort(a)", "argsort"),
        ("from scipy.spatial import ConvexHull", "scipy: ConvexHull"),
    ],
)
def test_each_means_is_seen(line: str, what: str) -> None:
    source = f"import math\nimport numpy as np\ndef f():\n    {line}\n"
    assert set(refused(ast.parse(source))) == {f"f: {what}"}


@pytest.mark.parametrize(
    "line",
    ["a.argsort(kind='stable')", "2**17", "2.0**-24", "triple.dot(p, q)", "from .elementary import sin", "np.sqrt(a)"],
)
def test_what_is_the_same_everywhere_is_not_refused(line: str) -> None:
    source = f"import numpy as np\nfrom . import triple\ndef f():\n    {line}\n"
    assert not list(refused(ast.parse(source)))
