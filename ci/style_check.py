"""What clang-format and clang-tidy do not see: lengths of functions, files and headers; absolute paths; trailing blanks. Files are its arguments.

Exit 1 on an error; warnings (functions over 40 lines) are only printed.
"""

import pathlib
import re
import sys

FUNCTION_WARNING, FUNCTION_ERROR = 40, 60
FILE_LIMIT, ROWS_LIMIT, HEADER_LIMIT = 400, 800, 150
CODE = {".h", ".cpp"}
ABSOLUTE_PATH = re.compile(r"(?<![\w.$}~/-])/(?:work|root|home|opt/wheels|opt/pypi)/")
# Comments, raw strings, strings and characters: blanked, so that braces in them do not count. Digit separators are no characters.
QUIET = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9A-Fa-f])\'(?:\\.|[^\'\\\n])+\'', re.DOTALL)
SCOPE = re.compile(r"\b(?:namespace|class|struct|union|extern)\b[^()=]*$")  # what is inside is looked at, too
DATA = re.compile(r"=\s*$|^[^()]*$")                                      # tables and enumerations: what is inside is skipped


def blank(match):
    return re.sub(r"[^\n]", " ", match.group(0))


def functions(text):
    """(line, name, lines) of every function that is not inside another."""
    text = QUIET.sub(blank, text)
    text = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", blank, text, flags=re.MULTILINE)
    skipped, head, depth = None, 0, 0  # skipped: the function or table that is being passed over
    for place in re.finditer(r"[{};]", text):
        mark, at = place.group(0), place.start()
        if depth:
            depth += {"{": 1, "}": -1}.get(mark, 0)
            if depth == 0:
                if skipped:
                    yield skipped[0], skipped[1], text.count("\n", skipped[2], at) + 1
                head = at + 1
            continue
        opening = text[head:at]
        if mark != "{" or SCOPE.search(opening):
            head = at + 1
            continue
        start = head + len(opening) - len(opening.lstrip())
        name = re.search(r"([\w:~]+|operator\S+)\s*\(", opening)
        skipped = None if DATA.search(opening) else (text.count("\n", 0, start) + 1, name.group(1) if name else "?", start)
        depth = 1


def code_findings(path, text):
    lines = text.count("\n")
    limit = HEADER_LIMIT if path.suffix == ".h" else ROWS_LIMIT if "rows" in path.parts or "rows" in path.stem else FILE_LIMIT
    if lines > limit:
        yield 1, True, f"{lines} lines, allowed {limit}: split it by noun"
    for line, name, length in functions(text):
        if length > FUNCTION_WARNING:
            yield line, length > FUNCTION_ERROR, f"{name} has {length} lines, meant {FUNCTION_WARNING}, allowed {FUNCTION_ERROR}"


def text_findings(text):
    for number, line in enumerate(text.splitlines(), 1):
        if line != line.rstrip() and not line.endswith("\f"):
            yield number, True, "trailing blanks"
        if ABSOLUTE_PATH.search(line) and "ABSOLUTE_PATH" not in line:
            yield number, True, "an absolute path of one machine"


def main():
    failed = False
    for name in sys.argv[1:]:
        path = pathlib.Path(name)
        try:
            text = path.read_text(encoding="utf-8")
        except (UnicodeDecodeError, FileNotFoundError):
            continue  # binary, or deleted in the work tree
        findings = [] if path.name == "LICENSE" else list(text_findings(text))
        if path.suffix in CODE:
            findings += code_findings(path, text)
        for line, is_error, message in sorted(findings):
            failed |= is_error
            print(f"{name}:{line}: {'error' if is_error else 'warning'}: {message}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
