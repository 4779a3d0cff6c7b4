"""Makes mutants of kernels and asks the judge about each."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import VerifyException

from measurements.mutation.lowered import FORMS
from measurements.mutation.operators import Mutation, mutated, mutations
from measurements.mutation.same import why_the_same
from xtriton.errors import UserError
from xtriton.interpreter.equivalence import Options, check_equivalent, shared
from xtriton.interpreter.machine import Program
from xtriton.ir.reading.parser import parse_module
from xtriton.ir.versions import copied
from xtriton.passes.manager import PassManager, make_steps
from xtriton.passes.pipeline import parse_pipeline
from xtriton.universe import context

CAUGHT, THOROUGH, SAME, SURVIVED, REFUSED = "caught", "thorough", "same", "survived", "refused"
"""By the default effort; by the thorough one only; equivalent; by none; not comparable."""


LOWERED = 0.75
"""Of how many kernels the form is chosen at random; of the others it is the front end's."""


@dataclass(frozen=True)
class Result:
    """What the judge made of one mutant; `note` says why it is the same, or was refused."""

    kernel: str
    mutation: Mutation
    verdict: str
    note: str = ""


def chosen(module: ModuleOp, count: int, rng: random.Random) -> list[Mutation]:
    """Return `count` mutations of a module, each class of slips as likely as the others."""
    by_kind: dict[str, list[Mutation]] = {}
    for mutation in mutations(module):
        by_kind.setdefault(mutation.kind, []).append(mutation)
    for some in by_kind.values():
        rng.shuffle(some)
    found: list[Mutation] = []
    while by_kind and len(found) < count:
        kind = rng.choice(sorted(by_kind))
        found.append(by_kind[kind].pop())
        if not by_kind[kind]:
            del by_kind[kind]
    return found


def judged(name: str, original: Program, module: ModuleOp, mutation: Mutation) -> Result | None:
    """
    Return what the judge says of a mutant, or None if it is no valid module.

    The mutant is one of `module`, which is what some passes made of the original.
    """
    rewritten = mutated(module, mutation)
    try:
        rewritten.verify()
    except VerifyException:
        return None
    for verdict, options in ((CAUGHT, Options()), (THOROUGH, Options(thorough=True))):
        try:
            if not check_equivalent(original, rewritten, options=options):
                return Result(name, mutation, verdict)
        except UserError as error:
            return Result(name, mutation, REFUSED, error.message)
    reason = why_the_same(module, rewritten)
    return Result(name, mutation, SAME if reason else SURVIVED, reason)


def results(
    paths: Iterable[Path], count: int, seed: int = 0, record: Path | None = None
) -> Iterator[Result]:
    """
    Yield what the judge says of `count` mutants of each kernel, without those that are invalid.

    Half of the mutants are made of what passes make of a kernel, see `lowered.FORMS`. What is in
    the file `record` is taken from there, what is not is added to it.
    """
    known = read(record)
    for path in paths:
        rng = random.Random(f"{seed} {path.parent.name}/{path.stem}")
        original = parse_module(path.read_text(), context(), file=str(path))
        form = rng.choice(FORMS) if rng.random() < LOWERED else ""
        module = _lowered(original, form)
        name = f"{path.parent.name}/{path.stem}" + (f" after {form}" if form else "")
        program = shared(original)
        for mutation in chosen(module, count, rng):
            key = (name, mutation)
            result = known.get(key) or judged(name, program, module, mutation)
            if result is None:
                continue
            if record is not None and key not in known:
                with record.open("a") as file:
                    file.write(json.dumps(asdict(result)) + "\n")
            yield result


def _lowered(original: ModuleOp, form: str) -> ModuleOp:
    """Return what a pipeline makes of a module; the module itself if the pipeline fails."""
    module = copied(original)
    try:
        PassManager(context(), make_steps(parse_pipeline(form))).run(module)
    except (UserError, VerifyException):
        return original
    return module


def read(record: Path | None) -> dict[tuple[str, Mutation], Result]:
    """Return the results in a file, by kernel and mutation."""
    if record is None or not record.exists():
        return {}
    found: dict[tuple[str, Mutation], Result] = {}
    for line in record.read_text().splitlines():
        entry = json.loads(line)
        mutation = Mutation(**entry.pop("mutation"))
        found[entry["kernel"], mutation] = Result(mutation=mutation, **entry)
    return found


def score(found: Sequence[Result], verdicts: tuple[str, ...]) -> float:
    """Return the share in percent of the wrong mutants that have one of these verdicts."""
    wrong = [r for r in found if r.verdict in (CAUGHT, THOROUGH, SURVIVED)]
    return 100 * sum(r.verdict in verdicts for r in wrong) / max(len(wrong), 1)
