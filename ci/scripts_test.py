"""Tests of the checks in this folder: each must fail on what it is there to catch."""

import importlib.util
import pathlib
import subprocess
import sys
import tempfile
import unittest
from importlib.machinery import SourceFileLoader

FOLDER = pathlib.Path(__file__).resolve().parent


def load(name):
    loader = SourceFileLoader(name, str(FOLDER / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


style = load("style_check.py")
tidy = load("tidy_commands.py")


class Functions(unittest.TestCase):
    def lengths(self, text):
        return [(name, lines) for _, name, lines in style.functions(text)]

    def test_measures_free_functions_members_and_constructors(self):
        text = ("namespace a {\nint f(int x,\n      int y) {\n  if (x) {\n    return 1;\n  }\n  return y;\n}\n"
                "struct S {\n  S() : a_(1) {\n  }\n  int g() const { return 1; }\n};\n}  // namespace a\n")
        self.assertEqual(self.lengths(text), [("f", 7), ("S", 2), ("g", 1)])

    def test_braces_in_strings_and_comments_do_not_count(self):
        text = 'void f() {\n  // }\n  puts("}");\n  char c = \'}\';\n  const char* r = R"(})";\n}\n'
        self.assertEqual(self.lengths(text), [("f", 6)])

    def test_tables_are_no_functions(self):
        self.assertEqual(self.lengths("const std::vector<Row> kRows = {\n  row(1),\n  {row(2), [](int x) {\n return x; }},\n};\n"), [])

    def test_a_long_function_is_an_error_and_a_longish_one_a_warning(self):
        def severity(lines):
            text = "void f() {\n" + "  g();\n" * (lines - 2) + "}\n"
            return [is_error for _, is_error, _ in style.code_findings(pathlib.Path("a.cpp"), text)]
        self.assertEqual([severity(40), severity(41), severity(61)], [[], [False], [True]])

    def test_gtest_bodies_are_functions(self):
        self.assertEqual(self.lengths("TEST(A, Does) {\n  f();\n}\n"), [("TEST", 3)])


class Texts(unittest.TestCase):
    def test_finds_trailing_blanks_and_absolute_paths(self):
        found = [number for number, _, _ in style.text_findings("a \nsee " + "/ro" + "ot/x\n-I/usr/include\n./wo" + "rk/x\n")]
        self.assertEqual(found, [1, 2])

    def test_long_files_are_errors_by_their_kind(self):
        def count(name, lines):
            return len(list(style.code_findings(pathlib.Path(name), "\n" * lines)))
        self.assertEqual([count("a.h", 151), count("a.cpp", 400), count("a.cpp", 401), count("suites/rows/a.cpp", 800)], [1, 0, 1, 0])


class Tidy(unittest.TestCase):
    def test_leaves_out_torch_tests_and_precompiled_headers(self):
        def entry(command):
            return {"file": "a.cpp", "command": command}
        kept = tidy.readable([entry("c++ -O2 -Winvalid-pch -include x/plain_pch.dir/cmake_pch.hxx -c a.cpp"), entry("c++ -isystem x/torch/include -c b.cpp"),
                              entry("c++ -DGTEST_HAS_PTHREAD=1 -c c.cpp"), entry("c++ -include other.h -c d.cpp")])
        self.assertEqual([one["command"] for one in kept], ["c++ -O2 -c a.cpp", "c++ -include other.h -c d.cpp"])

    def test_names_nothing_when_nothing_is_to_be_read(self):
        with tempfile.TemporaryDirectory() as folder:
            commands = pathlib.Path(folder, "compile_commands.json")
            commands.write_text("[]", encoding="utf-8")
            run = subprocess.run([sys.executable, FOLDER / "tidy_commands.py", commands, folder], input="a.cpp\n", capture_output=True, text=True, check=True)
        self.assertEqual(run.stdout, "")


class Layers(unittest.TestCase):
    def breaches(self, files):
        layers = load("layers")
        with tempfile.TemporaryDirectory() as folder:
            layers.ROOT = pathlib.Path(folder)
            for name, text in files.items():
                file = layers.ROOT / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8")
            return [*layers.room_breaches(), *layers.torch_breaches()]

    def test_a_room_that_looks_up_is_found(self):
        self.assertEqual(len(self.breaches({"harness/a.h": '#include "db/store.h"\n', "suites/b.h": '#include "db/store.h"\n'})), 1)
        self.assertEqual(len(self.breaches({"oracles/a.h": '#include "generators/draft.h"\n'})), 1)

    def test_includes_are_relative_to_the_root(self):
        self.assertEqual(len(self.breaches({"harness/a.h": '#include "dtype.h"\n'})), 1)

    def test_torch_in_a_torch_free_library_is_found_through_headers(self):
        files = {
            "harness/CMakeLists.txt": "room_library(harness SOURCES a.cpp)\nroom_library(harness_torch TORCH SOURCES t.cpp)\n",
            "harness/a.cpp": '#include "harness/a.h"\n', "harness/a.h": "#include <ATen/ATen.h>\n", "harness/t.cpp": "#include <ATen/ATen.h>\n",
        }
        found = self.breaches(files)
        self.assertEqual(len(found), 1)
        self.assertIn("harness/a.h:1: <ATen/ATen.h> in harness", found[0])


if __name__ == "__main__":
    unittest.main()
