"""Index expressions as people write them."""

from xtriton.analysis.indexing.algebra import Atom, Cond, CondKind, Expr, Kind, Monomial

_OPERATORS = {Kind.FLOORDIV: "//", Kind.TRUNCDIV: "/t"}


def expression_text(e: Expr) -> str:
    """Return e.g. `128*pid_x + i0 + stride_am*((i1 + 4) % M)`; remainders are written `%`."""
    remainders, rest = _remainders(e)
    parts = [*_terms(rest), *remainders]
    if not parts:
        return "0"
    text = parts[0]
    for part in parts[1:]:
        text += f" - {part[1:]}" if part.startswith("-") else f" + {part}"
    return text


def _remainders(e: Expr) -> tuple[list[str], Expr]:
    """Take every `s * (n - d * (n // d))` out of `e`."""
    found: list[str] = []
    space = e.space
    for quotient in list(e.atoms()):
        if quotient.kind not in _OPERATORS:
            continue
        n, d = quotient.args
        coefficient = e.coefficient(quotient)
        scale = (-coefficient).divided(d)
        if scale is None or not scale.terms:
            continue
        rest = e - scale * n - coefficient * space.wrap(quotient)
        if quotient in set(rest.atoms()) or len(rest.terms) >= len(e.terms):
            continue
        operator = "%" if quotient.kind is Kind.FLOORDIV else "%t"
        text = f"({_group(n)} {operator} {_group(d)})"
        if scale is -space.one:
            text = f"-{text}"
        elif scale is not space.one:
            text = f"{_group(scale)}*{text}"
        found.append(text)
        e = rest
    return found, e


def _terms(e: Expr) -> list[str]:
    atoms = e.space.atoms
    order = sorted(e.terms, key=lambda m: (not m, [atoms[u].kind is Kind.POSITION for u in m]))
    return [_term(atoms, mono, e.terms[mono]) for mono in order]


def _term(atoms: list[Atom], mono: Monomial, c: int) -> str:
    if not mono:
        return str(c)
    factors = "*".join(atom_text(atoms[u]) for u in mono)
    if c == 1:
        return factors
    return f"-{factors}" if c == -1 else f"{c}*{factors}"


def atom_text(atom: Atom) -> str:
    args = atom.args
    match atom.kind:
        case Kind.FLOORDIV | Kind.TRUNCDIV:
            return f"({_group(args[0])} {_OPERATORS[atom.kind]} {_group(args[1])})"
        case Kind.MIN | Kind.MAX:
            return f"{atom.name}({', '.join(map(str, args))})"
        case Kind.SELECT:
            return f"({args[1]} if {args[0]} else {args[2]})"
        case Kind.ELEMENT:
            return f"{args[0].name}[{', '.join(map(str, args[1:]))}]"
        case _:
            return atom.name


def _group(e: Expr) -> str:
    text = str(e)
    if e.atom() is not None or text.lstrip("-").isalnum():
        return text
    return f"({text})"


def condition_text(c: Cond) -> str:
    """Return e.g. `128*pid_x + i0 < M`; an inequality has its negative terms on the left."""
    match c.kind:
        case CondKind.TRUE:
            return "true"
        case CondKind.FALSE:
            return "false"
        case CondKind.NONNEGATIVE:
            return _inequality(c.args[0])
        case CondKind.ZERO:
            return f"{c.args[0]} == 0"
        case CondKind.NOT if c.args[0].kind is CondKind.ZERO:
            return f"{c.args[0].args[0]} != 0"
        case CondKind.NOT:
            return f"not ({c.args[0]})"
        case _:
            word = f" {c.kind.name.lower()} "
            return word.join(f"({a})" if a.kind.name in ("AND", "OR") else str(a) for a in c.args)


def _inequality(e: Expr) -> str:
    space = e.space
    left = space.make({m: -c for m, c in e.terms.items() if c < 0 and m})
    right = e + left
    if not left.terms:
        constant = right.terms.get((), 0)
        return f"{right - constant} >= {-constant}"
    return f"{left} < {right + 1}"
