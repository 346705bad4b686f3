"""What comes from outside the tables of rows: OpInfo samples of the installed torch, scripts that baselines name. python sources_test.py BUILD."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(sys.argv[1]).resolve()
ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = str(BUILD / "bin" / "neuroncheck")


class Sources(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def call(self, *arguments):
        return subprocess.run([PROGRAM, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=1500, check=False)


class Samples(Sources):
    """The first call captures them, which takes some minutes."""

    def test_are_judged_on_every_path_and_counted(self):
        chosen = ["opinfo::add", "opinfo::linalg.qr", "opinfo::nn.functional.gelu", "opinfo::gather", "opinfo::equal"]
        ops = [word for op in chosen for word in ("--op", op)]
        run = self.call("run", "--suite", "opinfo", "--quiet", *ops)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        rows = json.loads(self.call("query", "opinfo", "--json").stdout)
        judged = {row["path"]: row["opinfos"] for row in rows if row["answer"] == "judged"}
        self.assertEqual(set(judged), {"eager", "eager_backward", "compiled", "compiled_backward"})
        self.assertEqual(judged["eager"], len(chosen))
        self.assertEqual(judged["compiled"], len(chosen) - 1)  # no graph ends in a number
        self.assertGreater(sum(row["opinfos"] for row in rows if row["path"] == "eager"), len(chosen))  # the others have a reason
        self.assertTrue(all(row["answer"] for row in rows))
        others = {row["path"]: row["opinfos"] for row in rows if row["answer"] == "not in this run"}
        self.assertEqual(len(set(others.values())), 1)
        self.assertGreater(others["compiled"], 600)
        numbers = [row["which"] for row in rows if row["path"] == "compiled" and row["answer"].startswith("returns a number")]
        self.assertEqual(numbers, ["equal"])

    def test_are_listed_with_names_that_say_of_what(self):
        listed = json.loads(self.call("ops", "--suite", "opinfo", "opinfo::add", "--json").stdout)
        self.assertRegex(listed[0]["row"], r"^opinfo/add@neuron-\d+\.\d+\.\d+$")
        wrong = self.call("run", "--suite", "opinfo", "--op", "opinfo::no_such")
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("no row of the catalogue matches", wrong.stderr)


class Schemas(Sources):
    """Operators without a row, by their schemas; drawing them takes half a minute."""

    def test_are_judged_and_counted(self):
        run = self.call("run", "--suite", "schema", "--quiet", "--op", "aten::det")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        (schemas,) = [row for row in json.loads(self.call("query", "lists", "--json").stdout) if row["list"] == "schema"]
        self.assertGreater(schemas["with_row"], 400)
        self.assertEqual(schemas["with_row"] + schemas["untestable"], schemas["ops"])  # the others have a reason


class Scripts(unittest.TestCase):
    def test_are_there_for_every_cause_of_target_cpu_and_show_it(self):
        folder = ROOT / "suites" / "baselines"
        entries = json.loads((folder / "cpu.json").read_text(encoding="utf-8"))
        named = {name for entry in entries for name in re.findall(r"baselines/(cpu/\w+\.py)", entry["reason"])}
        self.assertEqual(named, {f"cpu/{script.name}" for script in (folder / "cpu").glob("*.py")})
        for entry in entries:
            self.assertIn("(baselines/cpu/", entry["reason"], entry["op"])
        shown = subprocess.run([sys.executable, folder / "cpu" / "strides_of_out.py"], capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual((shown.returncode, shown.stdout.splitlines()[-1]), (1, "DIFFERENT"), shown.stdout + shown.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
