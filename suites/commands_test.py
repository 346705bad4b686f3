"""The built program as people and scripts use it: python commands_test.py BUILD, as unit test of ctest."""

import json
import os
import pathlib
import random
import re
import shlex
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

BUILD = pathlib.Path(sys.argv[1]).resolve()
ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = str(BUILD / "bin" / "neuroncheck")
# Small, quick to start (no compiled path), and red: something is judged, searched and shrunk.
RED_RUN = ["run", "--op", "sum.dim_IntList", "--op", "neg", "--path", "eager", "--cases", "300", "--fault", "reduction_drops_last", "--jobs", "2"]
GREEN_RUN = ["run", "--op", "neg", "--op", "abs", "--path", "eager", "--cases", "40", "--jobs", "1"]


class Commands(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def call(self, *arguments):
        return subprocess.run([PROGRAM, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=300, check=False)

    def ask(self, sql, database="neuroncheck.db"):
        with sqlite3.connect(f"file:{self.folder / database}?mode=ro", uri=True) as connection:
            return connection.execute(sql).fetchall()

    def judged(self, database):
        return self.ask("SELECT w.name, x.n, k.path, x.verdict, coalesce(x.reason, '') FROM result x JOIN catalogue_row w ON w.id = x.row "
                        "JOIN cell_of k ON k.cell = x.cell ORDER BY 1, 2, 3", database)

    def searched(self, database):
        return self.ask("SELECT DISTINCT k.op, f.verdict, u.text FROM finding f JOIN cell_of k ON k.cell = f.cell LEFT JOIN cause u ON u.id = f.cause "
                        "ORDER BY 1, 2, 3", database)


class WrongInput(Commands):
    def refused(self, needle, *arguments, code=2):
        done = self.call(*arguments)
        self.assertEqual(done.returncode, code, (arguments, done.stdout, done.stderr))
        self.assertIn(needle, done.stdout + done.stderr, arguments)
        self.assertLess(len((done.stdout + done.stderr).splitlines()), 6, arguments)

    def test_of_options_names_the_option_and_what_would_do(self):
        for needle, *arguments in [
                ("did you mean add.Tensor", "--op", "dd.Tensor"), ("bfloat16", "--dtype", "f99"), ("eager", "--path", "slow"), ("neuron-sim", "--target", "no"),
                ("conformance", "--suite", "no"), ("reduction_drops_last", "--fault", "no"), ("one_tile", "--fault", "nan_swallowed:9"), ("90s", "--budget", "5x"),
                ("90s", "--budget", "nan"), ("90s", "--budget", "-1"), ("2^64", "--seed", "12abc"), ("2^64", "--seed", "-1"), ("1 to 1000000", "--cases", "0"),
                ("cases", "--cases", "99999999999999999999"), ("1 to 1000000", "--jobs", "0"), ("file", "--db", ""), ("file", "--db", ".")]:
            self.refused(needle, "run", *arguments)
        self.refused("simulated", "run", "--target", "cpu", "--fault", "nan_swallowed")

    def test_in_files_names_the_file_and_the_key(self):
        def file(name, text):
            (self.folder / name).write_text(text)
            return str(self.folder / name)
        self.refused("broken.json", "run", "--target", file("broken.json", "{"))
        self.refused("'colour'", "run", "--target", file("t.json", '{"name": "t", "colour": 1}'))
        self.refused("no_such_profile", "run", "--op", "neg", "--target", file("p.json", '{"name": "p", "profile": "no_such_profile"}'))
        self.refused("s.json", "run", "--suite", file("s.json", '{"name": "s", "cases": "many"}'))
        self.refused("case.json", "replay", file("case.json", "[1]"))
        (self.folder / "plan").mkdir()
        self.refused("plan.json", "gate", "--folder", str(self.folder / "plan"))
        file("plan/plan.json", "{]")
        self.refused("plan.json", "gate", "--folder", str(self.folder / "plan"))

    def test_in_databases_leaves_them_as_they_are(self):
        self.refused("neuroncheck run", "query", "matrix")
        (self.folder / "text.db").write_text("no database" * 100)
        self.refused("text.db", "run", "--op", "neg", "--db", "text.db")
        self.assertEqual(self.call(*GREEN_RUN).returncode, 0)
        with sqlite3.connect(self.folder / "neuroncheck.db") as connection:
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            connection.execute(f"PRAGMA user_version = {version + 1}")
        before = self.judged("neuroncheck.db")
        self.refused("newer", *GREEN_RUN)
        self.assertEqual(self.judged("neuroncheck.db"), before)

    def test_of_a_target_that_is_not_here_says_what_to_install(self):
        self.refused("pip install torch-neuronx", "run", "--target", "neuron", "--op", "neg", code=4)
        self.refused("has no severity one_tile", "run", "--op", "neg", "--fault", "index_select_off_by_one_last:one_tile", code=4)


class Forms(Commands):
    def test_every_command_speaks_json(self):
        (self.folder / "plan").mkdir()
        for arguments in [["ops", "neg"], ["ops", "--op", "neg"], ["targets"], [*GREEN_RUN, "--dry-run"], GREEN_RUN, ["query"], ["query", "matrix"],
                          ["query", "causes"], ["gate"], ["merge", "all.db", "neuroncheck.db"], ["db", "check"],
                          ["plan", "--folder", "plan", "--shards", "2"], ["gate", "--folder", "plan"]]:
            done = self.call(*arguments, "--json")
            self.assertIn(done.returncode, (0, 3), (arguments, done.stderr))
            json.loads(done.stdout)

    def test_a_dry_run_foretells_the_run(self):
        selection = ["--op", "mul.Tensor", "--op", "isfinite", "--cases", "50", "--dtype", "f32,i64"]
        foretold = json.loads(self.call("run", *selection, "--dry-run", "--json").stdout)
        seen = json.loads(self.call("run", *selection, "--json", "--quiet").stdout)
        self.assertEqual(foretold["observations"], seen["planned"])
        self.assertEqual(foretold["cases"], 100)
        self.assertAlmostEqual(foretold["compile_keys"], seen["tested"]["compile_keys"], delta=foretold["compile_keys"] * 0.2)

    def test_a_full_disk_is_an_error_and_a_closed_pipe_is_none(self):
        with open("/dev/full", "w") as full:
            self.assertEqual(subprocess.run([PROGRAM, "ops"], stdout=full, stderr=subprocess.PIPE, check=False).returncode, 2)
        self.assertEqual(subprocess.run(f"set -o pipefail; {PROGRAM} ops | head -n 1", shell=True, executable="/bin/bash", stdout=subprocess.PIPE,
                                        check=False).returncode, 0)


class Interrupted(Commands):
    def start(self, arguments, database):
        return subprocess.Popen([PROGRAM, *arguments, "--db", database], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def has_begun(self, database):
        try:
            return self.ask("SELECT count(*) FROM run", database) != [(0,)]
        except sqlite3.OperationalError:  # no file yet, or no schema in it
            return False

    def same_as_in_one_go(self, database):
        self.assertEqual(self.ask("PRAGMA integrity_check", database), [("ok",)])
        self.assertEqual(self.ask("SELECT count(*) FROM conflicts", database), [(0,)])
        self.assertEqual(self.ask("SELECT count(*), min(state) FROM run", database), [(1, "complete")])
        self.assertEqual(self.judged(database), self.judged("whole.db"))
        self.assertEqual(self.searched(database), self.searched("whole.db"))

    def driver_ended(self, how, moments):
        """Ends the driver at each of these moments after its start, in seconds, then lets the same command finish."""
        database = f"{how.name}.db"
        for moment in moments:
            driver = self.start(RED_RUN, database)
            time.sleep(moment)
            driver.send_signal(how)
            driver.communicate()
            if not self.has_begun(database):
                continue
            self.assertEqual(self.ask("PRAGMA integrity_check", database), [("ok",)])
            if self.ask("SELECT state FROM run", database) == [("complete",)]:
                break  # it was quicker than the one that was timed
        else:
            self.start(RED_RUN, database).communicate()
        self.same_as_in_one_go(database)

    def test_the_same_command_goes_on(self):
        started = time.monotonic()
        self.assertEqual(self.call(*RED_RUN, "--db", "whole.db").returncode, 1)
        whole_s = time.monotonic() - started
        self.assertGreater(len(self.searched("whole.db")), 0)
        seed = random.randrange(1 << 32)
        print("moments drawn from seed", seed)
        moments = random.Random(seed)
        for how in (signal.SIGKILL, signal.SIGINT):
            with self.subTest(how=how, seed=seed):
                self.driver_ended(how, [moments.uniform(0.05, whole_s) for _ in range(5)])

    def test_a_worker_killed_from_outside_is_no_crash(self):
        self.assertEqual(self.call(*RED_RUN, "--db", "whole.db").returncode, 1)
        driver = self.start(RED_RUN, "worker.db")
        moments = random.Random(7)
        while not (self.has_begun("worker.db") and self.ask("SELECT count(*) FROM result", "worker.db") != [(0,)]):
            time.sleep(0.02)
        for _ in range(4):
            time.sleep(moments.uniform(0.05, 0.5))
            workers = subprocess.run(["pgrep", "-P", str(driver.pid)], stdout=subprocess.PIPE, text=True, check=False).stdout.split()
            if workers:
                os.kill(int(moments.choice(workers)), signal.SIGKILL)
        driver.communicate()
        self.assertEqual(self.judged("worker.db"), self.judged("whole.db"))

    def test_a_killed_merge_leaves_nothing_half_done(self):
        self.assertEqual(self.call(*GREEN_RUN, "--db", "one.db").returncode, 0)
        self.assertEqual(self.call(*RED_RUN, "--db", "two.db").returncode, 1)
        moments = random.Random(11)
        for _ in range(10):
            merging = subprocess.Popen([PROGRAM, "merge", "all.db", "one.db", "two.db"], cwd=self.folder, stdout=subprocess.PIPE)
            time.sleep(moments.uniform(0.0, 0.1))
            merging.kill()
            merging.communicate()
            if (self.folder / "all.db").exists() and (self.folder / "all.db").stat().st_size > 0:
                self.assertEqual(self.ask("PRAGMA integrity_check", "all.db"), [("ok",)])
        self.assertEqual(self.call("merge", "all.db", "two.db", "one.db").returncode, 0)
        self.assertEqual(self.ask("SELECT count(*) FROM run", "all.db"), [(2,)])
        self.assertEqual(self.judged("all.db"), sorted(self.judged("one.db") + self.judged("two.db")))

    def test_a_database_has_one_writer(self):
        first = self.start(RED_RUN, "one.db")
        time.sleep(0.5)
        second = self.call(*GREEN_RUN, "--db", "one.db")
        self.assertEqual(second.returncode, 2)
        self.assertIn("another neuroncheck is running into it", second.stderr)
        first.communicate()
        self.assertEqual(first.returncode, 1)
        self.assertEqual(self.ask("SELECT count(*), min(state) FROM run", "one.db"), [(1, "complete")])


class Faults(Commands):
    def test_have_a_history_of_their_own(self):
        healthy = [argument for argument in RED_RUN if argument not in ("--fault", "reduction_drops_last")]
        self.assertEqual([self.call(*run).returncode for run in (healthy, RED_RUN, healthy, RED_RUN)], [0, 1, 0, 1])
        self.assertEqual(self.ask("SELECT count(*) FROM release_diff"), [(0,)])

    def test_are_replayed_with_them_by_any_id(self):
        self.assertEqual(self.call(*RED_RUN, "--db", "red.db").returncode, 1)
        screen = self.call(*RED_RUN, "--db", "red.db").stdout
        line = next(line.strip() for line in screen.splitlines() if "neuroncheck replay" in line)
        self.assertEqual(self.call(*shlex.split(line)[1:]).returncode, 1, line)
        for (case_id,) in self.ask("SELECT case_id FROM errors WHERE verdict = 'mismatch' LIMIT 2", "red.db"):
            self.assertEqual(self.call("replay", case_id, "--db", "red.db").returncode, 1)
            self.assertEqual(self.call("replay", case_id, "--db", "red.db", "--fault", "none").returncode, 0)
            script = self.call("replay", case_id, "--db", "red.db", "--emit", "python").stdout
            self.assertIn("SIMULATED", script.splitlines()[0])
            ran = subprocess.run([sys.executable, "-"], input=script, env=os.environ | {"PYTHONPATH": str(BUILD / "simulator")}, capture_output=True,
                                 text=True, check=False)
            self.assertTrue(ran.stdout.endswith("\nDIFFERENT\n"), ran.stdout + ran.stderr)


class CustomOperators(Commands):
    """suites/README.md tells how to test an operator from outside the tree: what it shows is done here."""

    KERNELS = """
import torch
def gelu(x):  # torch's own goes to oneDNN, where some CPUs make NaN of infinity
    return 0.5 * x * (1 + torch.erf(x * 0.5 ** 0.5))
LIBRARY = torch.library.Library("my", "DEF")
LIBRARY.define("scaled_gelu(Tensor x, float scale) -> Tensor")
LIBRARY.define("project(Tensor x, Tensor weight) -> Tensor")
LIBRARY.impl("scaled_gelu", lambda x, scale: (gelu(x.float()) * scale * FACTOR).to(x.dtype), "CPU")
torch.library.register_fake("my::scaled_gelu")(lambda x, scale: torch.empty(x.shape, dtype=x.dtype, device=x.device))
torch.library.register_fake("my::project")(lambda x, weight: torch.empty(x.shape[0], weight.shape[1], dtype=x.dtype, device=x.device))
"""

    def setUp(self):
        super().setUp()
        text = (ROOT / "suites" / "README.md").read_text()
        self.described = re.search(r"^```json\n(.*?)^```", text, re.MULTILINE | re.DOTALL).group(1)
        self.file("my_kernels.json", self.described)
        self.file("my_reference.py", re.search(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL).group(1))
        self.kernel(factor=1)

    def file(self, name, text):
        (self.folder / name).write_text(text)

    def kernel(self, factor):
        self.file("my_kernels.py", self.KERNELS.replace("FACTOR", str(factor)))

    def custom(self, *arguments, file="my_kernels.json"):
        return self.call("run", "--custom", file, "--op", "my::*", "--cases", "32", *arguments)

    def test_run_on_every_path_with_the_strength_they_state(self):
        done = self.custom("--target", "inductor", "--db", "inductor.db")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.ask("SELECT DISTINCT op, path FROM matrix ORDER BY 1, 2", "inductor.db"),
                         [("my::project", "compiled"), ("my::scaled_gelu", "compiled")])
        done = self.custom("--target", "cpu")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.ask("SELECT op, strength FROM catalogue WHERE op LIKE 'my::%' ORDER BY 1"),
                         [("my::project", "estimated"), ("my::scaled_gelu", "rigorous")])
        self.assertEqual(self.ask("SELECT DISTINCT state FROM matrix"), [("native",)])
        listed = json.loads(self.call("ops", "my::*", "--custom", "my_kernels.json", "--json").stdout)
        self.assertEqual(len(listed), 2)

    def test_fall_back_on_a_device_without_their_kernel(self):
        done = self.custom("--path", "eager")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.ask("SELECT DISTINCT op, state FROM matrix ORDER BY 1"), [("my::project", "fallback"), ("my::scaled_gelu", "fallback")])

    def test_are_torchs_own_by_their_schema_alone(self):
        self.file("torchs.json", json.dumps({"ops": [{"schema": f"aten::{op}", "dtypes": ["float32"]} for op in (
            "special_xlogy(Tensor self, Tensor other) -> Tensor", "cosine_similarity(Tensor x1, Tensor x2, int dim=1, float eps=1e-08) -> Tensor")]}))
        done = self.call("run", "--custom", "torchs.json", "--op", "aten::special_xlogy", "--op", "aten::cosine_similarity", "--cases", "32", "--target", "cpu")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.ask("SELECT DISTINCT op, state FROM matrix ORDER BY 1"), [("aten::cosine_similarity", "native"),
                                                                                         ("aten::special_xlogy", "native")])

    def test_are_found_wrong_and_replayed(self):
        self.kernel(factor=1.001)
        done = self.custom("--target", "cpu", "--dtype", "f32")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertEqual(self.ask("SELECT DISTINCT op, verdict, reason FROM unexpected"), [("my::scaled_gelu", "mismatch", "value")])
        line = next(line.strip() for line in done.stdout.splitlines() if "neuroncheck replay" in line)
        self.assertEqual(self.call(*shlex.split(line)[1:]).returncode, 1, line)
        (minimal,) = self.ask("SELECT minimal FROM finding LIMIT 1")[0]
        scale = json.loads(json.loads(minimal)["case_json"])["program"]["nodes"][0]["arguments"][1]["f64"]
        self.assertIn(scale, ("3fe0000000000000", "3ff0000000000000"))  # no other was said to make sense

    def test_are_found_wrong_where_a_device_falls_back_to_their_kernel(self):
        self.kernel(factor=1.001)
        for target in ("neuron-sim", "inductor"):
            done = self.custom("--target", target, "--dtype", "f32", "--db", f"{target}.db")
            self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
            self.assertEqual(self.ask("SELECT DISTINCT op, verdict, reason FROM unexpected", f"{target}.db"), [("my::scaled_gelu", "mismatch", "value")])

    def test_need_no_module_of_their_own(self):
        self.file("torchs.json", json.dumps({"ops": [{"schema": "aten::special_xlogy(Tensor self, Tensor other) -> Tensor", "dtypes": ["float32"],
                                                      "reference": "torch.special.xlogy"}]}))
        done = self.call("run", "--custom", "torchs.json", "--op", "aten::special_xlogy", "--cases", "8", "--target", "cpu")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_of_another_source_are_another_suite(self):
        def fingerprint():
            return json.loads(self.custom("--dry-run", "--json").stdout)["suite_fingerprint"]
        before = fingerprint()
        self.assertEqual(fingerprint(), before)
        self.kernel(factor=2)
        self.assertNotEqual(fingerprint(), before)

    def test_are_refused_with_file_and_remedy(self):
        op = {"schema": "my::scaled_gelu(Tensor x, float scale) -> Tensor", "dtypes": ["float32"]}
        for needle, change in [("'colour'", {"colour": 1}), ("no parameter 'y'", {"choices": {"y": [1]}}), ("under 'tensors'", {"choices": {"x": [1]}}),
                               ("name::op(Tensor x", {"schema": "scaled_gelu"}), ("written to", {"schema": "my::f(Tensor(a!) x) -> Tensor"}),
                               ("no tensor of its own", {"schema": "my::f(Tensor x) -> int"}), ("under 'choices'", {"schema": "my::f(str mode) -> Tensor"}),
                               ("float99", {"dtypes": ["float99"]}), ("'imports'", {"schema": "my::missing(Tensor x) -> Tensor"}),
                               ("my_reference.no", {"reference": "my_reference.no"}),
                               ("fake kernel", {"schema": "my::project(Tensor x, Tensor weight) -> Tensor"})]:
            self.file("wrong.json", json.dumps({"imports": ["my_kernels"], "ops": [{**op, **change}]}))
            done = self.custom("--target", "cpu", file="wrong.json")
            self.assertEqual(done.returncode, 2, (change, done.stdout, done.stderr))
            self.assertIn(needle, done.stderr)
        self.file("wrong.json", json.dumps({"imports": ["no_module_of_this_name"], "ops": [op]}))
        self.assertIn("wrong.json: key 'imports'", self.custom("--target", "cpu", file="wrong.json").stderr)

    def test_say_so_where_no_arguments_can_be_drawn(self):
        self.file("vague.json", json.dumps({"imports": ["my_kernels"], "ops": [
            {"schema": "my::project(Tensor x, Tensor weight) -> Tensor", "dtypes": ["float32"], "reference": "torch.mm",
             "tensors": {"x": {"sizes": [2, 3]}, "weight": {"sizes": [2, 3]}}}]}))
        done = self.custom("--target", "cpu", file="vague.json")
        self.assertEqual(done.returncode, 5, done.stdout)
        self.assertIn("say more under", self.ask("SELECT DISTINCT detail FROM errors")[0][0])


class Readme(Commands):
    """What README.md shows is there and works as it is printed."""

    def setUp(self):
        super().setUp()
        self.text = (ROOT / "README.md").read_text()
        for arguments in (GREEN_RUN, RED_RUN):
            self.call(*arguments)

    def test_its_commands_work(self):
        case_id = self.ask("SELECT case_id FROM finding")[0][0]
        words = {"A": "1", "B": "2", "ID": case_id}
        commands = [command for command in re.findall(r"`neuroncheck ([^`]+)`", self.text) if not command.startswith("run")]
        self.assertGreater(len(commands), 6)
        for command in commands:
            arguments = [words.get(word, word) for word in shlex.split(command)]
            done = self.call(*arguments)
            self.assertIn(done.returncode, (0, 1), (arguments, done.stderr))

    def test_its_questions_to_the_database_are_answered(self):
        questions = re.findall(r"^sqlite> (.*)$", self.text, re.MULTILINE) + re.findall(r"`(SELECT [^`]+)`", self.text)
        self.assertGreater(len(questions), 3)
        for question in questions:
            self.ask(question)
        for example, in self.ask("SELECT example FROM about"):
            self.ask(example)

    def test_its_first_screen_is_one(self):
        def labels(screen):
            return [line.split()[0] for line in screen.splitlines() if line and not line.startswith(" ")]
        shown = re.search(r"^```\n(SIMULATED OK:.*?)^```", self.text, re.MULTILINE | re.DOTALL).group(1)
        whole = [label for label in labels(shown) if label != "known"]  # a small run meets no known deviation
        self.assertEqual(whole, labels(self.call(*GREEN_RUN, "--db", "new.db").stdout))

    def test_it_lists_every_verdict(self):
        for (word,) in self.ask("SELECT word FROM verdict"):
            self.assertIn(f"`{word}`", self.text)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:], verbosity=2)
