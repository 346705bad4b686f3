"""Reads source names, one a line; prints those that the given compile_commands.json compiles without torch's headers."""

import json
import os
import sys


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        commands = {os.path.relpath(entry["file"]): entry["command"] for entry in json.load(file)}
    for name in sys.stdin.read().split():
        if name in commands and "/torch/include" not in commands[name]:
            print(name)


if __name__ == "__main__":
    main()
