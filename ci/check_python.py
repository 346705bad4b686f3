"""Can this interpreter be built against and embedded? Prints what is missing with the remedy; exit 4 then.

Run by the interpreter in question. --without-torch: before torch is installed. --pinned FILE: also that the versions pinned there are installed.
"""

import argparse
import glob
import importlib.metadata
import os
import sys
import sysconfig

OLDEST_PYTHON = (3, 11)
OLDEST_TORCH = (2, 13)


def interpreter_problems():
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    if sys.version_info[:2] < OLDEST_PYTHON:
        yield f"Python {version} is too old; needed: {OLDEST_PYTHON[0]}.{OLDEST_PYTHON[1]} or later"
    header = os.path.join(sysconfig.get_path("include"), "Python.h")
    remedy = f"apt-get install -y python{version}-dev   (the system's Python; else one built with --enable-shared, " \
             f"as: env PYTHON_CONFIGURE_OPTS=--enable-shared pyenv install {version})"
    if not os.path.exists(header):
        yield f"no {header}: {remedy}"
    folders = {sysconfig.get_config_var(name) or "" for name in ("LIBDIR", "LIBPL")}
    library = f"libpython{version}*.so*"
    if not any(glob.glob(os.path.join(folder, library)) for folder in folders if folder):
        yield f"no {library} in {' or '.join(sorted(filter(None, folders)))}: {remedy}"


def torch_problems():
    try:
        torch = importlib.metadata.version("torch")
    except importlib.metadata.PackageNotFoundError:
        yield f"no torch: {sys.executable} -m pip install torch"
        return
    if tuple(int(part) for part in torch.split(".")[:2]) < OLDEST_TORCH:
        yield f"torch {torch} is too old; needed: {OLDEST_TORCH[0]}.{OLDEST_TORCH[1]} or later"
    print(f"Python {sys.version.split()[0]}, torch {torch}")


def pin_problems(file):
    for line in open(file, encoding="utf-8"):
        name, equals, wanted = line.split("#")[0].strip().partition("==")
        if not equals:
            continue
        try:
            found = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            found = "missing"
        if found.split("+")[0] != wanted:
            yield f"{name} is {found}, pinned is {wanted}: {sys.executable} -m pip install -r {file}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--without-torch", action="store_true")
    parser.add_argument("--pinned")
    options = parser.parse_args()
    problems = list(interpreter_problems())
    if not options.without_torch:
        problems += torch_problems()
    if options.pinned:
        problems += pin_problems(options.pinned)
    for problem in problems:
        print(f"{sys.executable}: {problem}", file=sys.stderr)
    return 4 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
