"""Puts empty libraries where a CUDA build of torch expects CUDA's, so that it can be loaded without them.

    python stub_cuda.py SITE_PACKAGES

Each stub has the name, the symbol versions and the functions that torch's own libraries ask for. Every function answers
100, which is cudaErrorNoDevice and CUDA_ERROR_NO_DEVICE: torch then says that there is no GPU, and trains on the
processor. Needs gcc and readelf; Linux only.
"""

import collections
import pathlib
import re
import subprocess
import sys
import tempfile

NO_DEVICE = 100
# Libraries of NVIDIA's by the names torch asks for them.
NVIDIA_LIBRARY = re.compile(r"lib(cu|nv|nccl)")
# Functions of NVIDIA's, where the symbol itself does not say which library it comes from.
NVIDIA_FUNCTION = re.compile(r"_*(cu|nv|nccl)|__(cuda|fatbin)")


def readelf(*arguments):
    return subprocess.run(["readelf", "-W", *arguments], capture_output=True, text=True, check=True).stdout


def stubs(torch):
    """For each missing library, its functions by symbol version; version "" for functions without one."""
    present = {path.name for path in (torch / "lib").iterdir()}
    objects = [*(torch / "lib").glob("*.so*"), *torch.glob("_C*.so")]
    missing = set()
    for path in objects:
        needed = re.findall(r"NEEDED.*\[(.+?)\]", readelf("-d", path))
        missing.update(name for name in needed if name not in present and NVIDIA_LIBRARY.match(name))

    functions = {library: collections.defaultdict(set) for library in missing}
    defined, unversioned = set(), set()
    for path in objects:
        library = None
        for line in readelf("-V", path).splitlines():
            if match := re.search(r"File: (\S+)", line):
                library = match[1]
            elif (match := re.search(r"Name: (\S+)\s+Flags", line)) and library in missing:
                functions[library][match[1]]
        for line in readelf("--dyn-syms", path).splitlines():
            fields = line.split()
            if len(fields) < 8 or not fields[0].endswith(":"):
                continue
            name, _, version = fields[7].partition("@")
            if fields[6] != "UND":
                defined.add(name)
            elif version:
                for versions in functions.values():
                    if version.lstrip("@") in versions:
                        versions[version.lstrip("@")].add(name)
            elif fields[4] != "WEAK" and NVIDIA_FUNCTION.match(name):
                unversioned.add(name)
    # The loader looks for these in every library, so one of them is enough; all of torch's need the runtime.
    runtime = next(library for library in missing if library.startswith("libcudart."))
    functions[runtime][""] |= unversioned - defined
    return functions


def build(library, functions, folder):
    with tempfile.TemporaryDirectory() as work:
        source, script = pathlib.Path(work, "stub.c"), pathlib.Path(work, "stub.map")
        # A library without a single symbol would have no section for the loader to find.
        marker = "stub_" + re.sub(r"\W", "_", library)
        names = sorted(set().union(*functions.values()))
        source.write_text(
            f"int {marker};\n" + "".join(f"long {name}(void) {{ return {NO_DEVICE}; }}\n" for name in names)
        )
        command = ["gcc", "-shared", "-fPIC", "-O1", "-w", f"-Wl,-soname,{library}", "-o", folder / library, source]
        versions = {version: names for version, names in functions.items() if version}
        if versions:
            script.write_text(
                "".join(
                    f"{version} {{ global: {''.join(f'{name};' for name in sorted(names)) or 'none_;'} }};\n"
                    for version, names in sorted(versions.items())
                )
            )
            command.append(f"-Wl,--version-script={script}")
        subprocess.run(command, check=True)
    return len(names)


def main():
    torch = pathlib.Path(sys.argv[1]) / "torch"
    libraries = stubs(torch)
    # torch's libraries search their own folder first.
    total = sum(build(library, functions, torch / "lib") for library, functions in sorted(libraries.items()))
    print(f"{len(libraries)} empty libraries with {total} functions in {torch / 'lib'}")


if __name__ == "__main__":
    main()
