"""Makes mutants of kernels and asks the judge about each."""

from __future__ import annotations

import json
import random
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import VerifyException

from measurements.mutation.limits import OutOfTime, processor_seconds
from measurements.mutation.lowered import AFTER, FORMS
from measurements.mutation.operators import Mutation, mutated, mutations
from measurements.mutation.readings import Key, key_of
from measurements.mutation.same import clean, why_the_same
from xtriton.errors import UserError
from xtriton.ir.reading.parser import parse_module
from xtriton.ir.versions import copied
from xtriton.judge.equivalence import Options, check_equivalent, shared
from xtriton.passes.manager import PassManager, make_steps
from xtriton.passes.pipeline import parse_pipeline
from xtriton.universe import context

CAUGHT, THOROUGH, SAME, SURVIVED, REFUSED, MISSED = (
    "caught", "thorough", "same", "survived", "refused", "missed"
)  # fmt: skip
"""By the default effort; by the thorough one only; equivalent; by none; not comparable; not by the
default effort, and the thorough one has still to look."""

PROVED = "proved by z3"

FIRST_SECONDS, SECOND_SECONDS = 60, 300
"""Of the processor for a look at the default effort, and for the thorough one and a proof."""

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


@dataclass
class Subject:
    """A kernel, and what some passes made of it: slips are made in that, see `lowered.FORMS`."""

    name: str
    original: ModuleOp
    module: ModuleOp

    def __post_init__(self) -> None:
        self.text = clean(self.module)
        self.forget()

    @classmethod
    def read(cls, path: Path, form: str) -> Subject:
        """Read a kernel and run a pipeline on it."""
        original = parse_module(path.read_text(), context(), file=str(path))
        name = short(path) + (AFTER + form if form else "")
        return cls(name, original, _lowered(original, form))

    def forget(self) -> None:
        """Forget what the original's launches did: a look that was broken off may be half of it."""
        self.program = shared(self.original)

    def judged(self, mutation: Mutation) -> Result | None:
        """Return what the judge says of a mutant at both efforts; None if it is no valid module."""
        found = self.at_first(mutation)
        if found is None or found.verdict != MISSED:
            return found
        return self.at_second(found)

    def at_first(self, mutation: Mutation) -> Result | None:
        """Return what the default effort says of a mutant, or None if it is no valid module."""
        rewritten = mutated(self.module, mutation)
        try:
            rewritten.verify()
        except VerifyException:
            return None
        if self.text == clean(rewritten):
            return Result(self.name, mutation, SAME, "the same when cleaned up")
        try:
            with processor_seconds(FIRST_SECONDS):
                verdict = check_equivalent(self.program, rewritten, options=Options())
        except UserError as error:
            return Result(self.name, mutation, REFUSED, error.message)
        except OutOfTime:
            self.forget()
            return Result(self.name, mutation, MISSED, f"no verdict in {FIRST_SECONDS} seconds")
        if verdict.proved:
            return Result(self.name, mutation, SAME, PROVED)
        return Result(self.name, mutation, MISSED if verdict else CAUGHT)

    def at_second(self, first: Result) -> Result:
        """Return what becomes of a mutant that the default effort missed."""
        rewritten = mutated(self.module, first.mutation)
        try:
            with processor_seconds(SECOND_SECONDS):
                # The form against itself is easier to prove than against the kernel.
                if self.module is not self.original and (
                    reason := why_the_same(self.module, rewritten, self.original)
                ):
                    return replace(first, verdict=SAME, note=reason)
                options = Options(thorough=True)
                verdict = check_equivalent(self.program, rewritten, options=options)
        except UserError as error:
            return replace(first, verdict=REFUSED, note=error.message)
        except OutOfTime:
            self.forget()
            note = f"no verdict in {SECOND_SECONDS} seconds"
            return replace(first, verdict=SURVIVED, note=note)
        if not verdict:
            return replace(first, verdict=THOROUGH)
        if verdict.proved:
            return replace(first, verdict=SAME, note=PROVED)
        return replace(first, verdict=SURVIVED)


def results(
    paths: Iterable[Path], count: int, seed: str = "0", record: Path | None = None
) -> Iterator[Result]:
    """
    Yield what the default effort says of `count` mutants of each kernel, but for invalid ones.

    Half of the mutants are made of what passes make of a kernel. What is in the file `record` is
    taken from there, what is not is added to it.
    """
    known = read(record)
    for path in paths:
        rng = random.Random(f"{seed} {short(path)}")
        subject = Subject.read(path, rng.choice(FORMS) if rng.random() < LOWERED else "")
        for mutation in chosen(subject.module, count, rng):
            result = known.get((subject.name, mutation))
            if result is None:
                result = subject.at_first(mutation)
                if result is None:
                    continue
                write(record, result)
            yield result


def second_look(
    paths: Iterable[Path], found: Iterable[Result], record: Path | None = None
) -> Iterator[Result]:
    """Yield `found`, with what the thorough effort and a proof say of those that were missed."""
    missed: dict[str, list[Result]] = {}
    for result in found:
        if result.verdict == MISSED:
            missed.setdefault(result.kernel, []).append(result)
        else:
            yield result
    by_name = {short(path): path for path in paths}
    for name, some in missed.items():
        kernel, _, form = name.partition(AFTER)
        subject = Subject.read(by_name[kernel], form)
        for first in some:
            result = subject.at_second(first)
            write(record, result)
            yield result


def _lowered(original: ModuleOp, form: str) -> ModuleOp:
    """Return what a pipeline makes of a module; the module itself if the pipeline fails."""
    module = copied(original)
    try:
        PassManager(context(), make_steps(parse_pipeline(form))).run(module)
    except (UserError, VerifyException):
        return original
    return module


def short(path: Path) -> str:
    """Return what a kernel is called here."""
    return f"{path.parent.name}/{path.stem}"


def write(record: Path | None, result: Result) -> None:
    """Add a result to a file; what was said of a mutant before does not count any more."""
    if record is not None:
        with record.open("a") as file:
            file.write(json.dumps(asdict(result)) + "\n")


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


def score(
    found: Sequence[Result], verdicts: tuple[str, ...], equal: Container[Key] = frozenset[Key]()
) -> float:
    """
    Return the share in percent of the wrong mutants that have one of these verdicts.

    Those that survive and are read to be `equal` are not wrong.
    """
    wrong = [r for r in found if is_wrong(r, equal)]
    return 100 * sum(r.verdict in verdicts for r in wrong) / max(len(wrong), 1)


def is_wrong(result: Result, equal: Container[Key] = frozenset[Key]()) -> bool:
    """Whether a mutant was seen, or survives without a proof and is not read to be `equal`."""
    if result.verdict in (SURVIVED, MISSED):
        return key_of(result.kernel, result.mutation) not in equal
    return result.verdict in (CAUGHT, THOROUGH)
