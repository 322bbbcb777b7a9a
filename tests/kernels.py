"""The same answers from every arithmetic kernel: `python -m tests.kernels [--seeded N] [--kernel NAME]... [FILE]...`.

OpenBLAS and numpy choose code by the processor, and the system's mathematical library does so as well. Each choice that
this processor has is made in turn by environment variables, in a process of its own, and what `check` and `steps` print
of all scenes must be equal byte for byte. Scenes that differ are named with the first place at which they do.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, islice
from itertools import product as pairs
from pathlib import Path

import numpy as np
from msgspec.structs import replace

from app.io.scene_file import load, write
from core import Scene
from core.shapes import Rounded
from tests.bench import families
from tests.core import planar_motions, planar_samples

ROOT = Path(__file__).resolve().parent.parent
KINDS = ("box", "sphere", "capsule", "cylinder", "cone", "ellipsoid", "hull", "halfspace")
FEATURES = Path("/proc/cpuinfo")
WITHOUT_AVX512 = "AVX512_ICL AVX512_SPR X86_V4"


def kernels() -> dict[str, dict[str, str]]:
    """Environment variables by a name: each choice of kernels that this processor can make; the first is plain."""
    has_avx512 = FEATURES.is_file() and " avx512f " in FEATURES.read_text("utf-8")
    cores = ("Haswell", "Prescott", "Nehalem", "Sandybridge", *(("SkylakeX",) if has_avx512 else ()))
    found = {core: {"OPENBLAS_CORETYPE": core} for core in cores}
    if has_avx512:
        found["numpy without AVX-512"] = {"NPY_DISABLE_CPU_FEATURES": WITHOUT_AVX512}
    found["numpy without AVX2"] = {
        "NPY_DISABLE_CPU_FEATURES": f"{WITHOUT_AVX512} X86_V3" if has_avx512 else "X86_V3",
    }
    found["glibc without FMA"] = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F"}
    return found


def stored() -> list[Scene]:
    """Presets, reported cases and the tests' scenes."""
    files = [
        *sorted((ROOT / "assets" / "scenes").glob("*.json")),
        *sorted((ROOT / "tests" / "scenes").rglob("*.json")),
    ]
    files = [path for path in files if path.name != "index.json"]
    return [load(path).scene for path in files] + cases()


def cases() -> list[Scene]:
    """The reported pairs of assets/cases."""
    from app.io.scene_file import from_tree
    from app.storage.strict_json import parse

    tree = parse((ROOT / "assets" / "cases" / "cases.json").read_text("utf-8"))
    return [from_tree(case["scene"]).scene for case in tree["cases"]]


def seeded(count: int, seed: int = 38) -> list[Scene]:
    """Scenes of all shapes and families: of space, one in four with a border; some flat, some moving."""
    rng = np.random.default_rng(seed)
    both = cycle([pair for pair in pairs(KINDS, KINDS) if pair != ("halfspace", "halfspace")])
    found: list[Scene] = []
    for number in range(count):
        if number % 8 == 7:
            scene = planar_samples.FAMILIES[number // 8 % len(planar_samples.FAMILIES)](rng)
        elif number % 16 == 6:
            makers = list(islice(cycle(planar_motions.MAKERS.values()), number // 16 % 4, number // 16 % 4 + 2))
            scene = planar_motions.FAMILIES[number // 16 % len(planar_motions.FAMILIES)](rng, *makers)
        else:
            first, second = next(both)
            scene = families.FAMILIES[number % len(families.FAMILIES)](first, second, rng).scene
            if number % 4 == 1 and first != "halfspace":
                rounded = Rounded(scene.a.shape, float(rng.choice((0.001, 0.01, 0.1, 1.0))))
                scene = replace(scene, a=replace(scene.a, shape=rounded))
            if number % 16 == 14:
                way = tuple((rng.normal(size=3) * families.size_of_pair(scene.a, scene.b)).tolist())
                scene = replace(scene, b=replace(scene.b, displacement=way))
        found.append(replace(scene, name=f"seeded {number}"))
    return found


def written(scenes: Iterable[Scene], log: Path) -> Path:
    """The log, written with a scene a line."""
    log.write_text("".join(" ".join(write(scene).splitlines()) + "\n" for scene in scenes), "utf-8")
    return log


def answers(log: Path, extra: dict[str, str], tree: Path = ROOT) -> list[str]:
    """The lines of `check --json --steps` about a log, by the program of a tree, with more environment variables.

    Raises RuntimeError with the end of what it said where it could not answer.
    """
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(tree)} | extra
    command = [sys.executable, "-m", "app", "check", "--json", "--jobs", "1", "--steps", str(log)]
    done = subprocess.run(command, env=environment, cwd=tree, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr[-2000:])
    return done.stdout.splitlines()


def differing(scenes: Iterable[Scene], names: Sequence[str] = ()) -> dict[str, dict[str, tuple[str, str]]]:
    """By scene and kernel the two texts from a little before the first character that differs; {} if there is none."""
    scenes = list(scenes)
    chosen = {name: extra for name, extra in kernels().items() if not names or name in names}
    with tempfile.TemporaryDirectory() as folder:
        log = written(scenes, Path(folder) / "scenes.jsonl")
        with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            told = dict(zip(chosen, pool.map(lambda extra: answers(log, extra), chosen.values()), strict=True))
    first, *others = told
    found: dict[str, dict[str, tuple[str, str]]] = {}
    for other in others:
        assert len(told[other]) == len(scenes), f"{len(told[other])} answers of {len(scenes)} under {other}"
        for scene, ours, theirs in zip(scenes, told[first], told[other], strict=True):
            if ours != theirs:
                k = next((k for k, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), 0)
                found.setdefault(scene.name, {})[other] = ours[max(k - 70, 0) : k + 50], theirs[max(k - 70, 0) : k + 50]
    return found


def main() -> int:
    """Prints what differs; 1 if anything does."""
    parser = argparse.ArgumentParser(prog="python -m tests.kernels", description=__doc__)
    parser.add_argument("--seeded", type=int, default=2000, help="scenes made up beside those stored (2000)")
    parser.add_argument("--kernel", action="append", default=[], help="one beside another; all of them without it")
    parser.add_argument("files", nargs="*", help="scene files in place of all scenes")
    asked = parser.parse_args()
    scenes = [load(file).scene for file in asked.files] if asked.files else [*stored(), *seeded(asked.seeded)]
    found = differing(scenes, asked.kernel)
    for name, others in found.items():
        for other, (ours, theirs) in others.items():
            print(f"{name}, {other}:\n    {ours}\n    {theirs}")
    print(f"{len(found)} of {len(scenes)} scenes differ under {len(asked.kernel or kernels())} kernels")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
