"""What clang-tidy is given. Reads source names, one a line, and prints those that the build compiles without headers of torch or GoogleTest. Writes
FOLDER/compile_commands.json with the commands of all such files, less GCC's precompiled headers, which clang cannot read.

Usage: tidy_commands.py build/compile_commands.json FOLDER"""

import json
import os
import re
import sys

PRECOMPILED = re.compile(r" -Winvalid-pch| -include \S*cmake_pch\.hxx")


def readable(entries):
    """The entries that clang-tidy can read in a few seconds, with commands it understands."""
    return [entry | {"command": PRECOMPILED.sub("", entry["command"])}
            for entry in entries if not any(part in entry["command"] for part in ("/torch/include", "GTEST_"))]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        entries = readable(json.load(file))
    os.makedirs(sys.argv[2], exist_ok=True)
    with open(os.path.join(sys.argv[2], "compile_commands.json"), "w", encoding="utf-8") as file:
        json.dump(entries, file, indent=1)
    known = {os.path.relpath(entry["file"]) for entry in entries}
    for name in sys.stdin.read().split():
        if name in known:
            print(name)


if __name__ == "__main__":
    main()
