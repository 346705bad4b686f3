"""What clang-tidy is given: reads source names, one a line; prints those that the build compiles without torch's headers or a test's and writes their commands,
without GCC's precompiled headers (clang reads none of them), to FOLDER/compile_commands.json.

Usage: tidy_commands.py build/compile_commands.json FOLDER"""

import json
import os
import re
import sys

PRECOMPILED = re.compile(r" -Winvalid-pch| -include \S*cmake_pch\.hxx")


def without_precompiled(command):
    return PRECOMPILED.sub("", command)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        entries = [entry for entry in json.load(file) if not any(part in entry["command"] for part in ("/torch/include", "GTEST_"))]
    for entry in entries:
        entry["command"] = without_precompiled(entry["command"])
    os.makedirs(sys.argv[2], exist_ok=True)
    with open(os.path.join(sys.argv[2], "compile_commands.json"), "w", encoding="utf-8") as file:
        json.dump(entries, file, indent=1)
    known = {os.path.relpath(entry["file"]) for entry in entries}
    print("\n".join(name for name in sys.stdin.read().split() if name in known))


if __name__ == "__main__":
    main()
