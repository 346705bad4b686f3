"""The capture of OpInfo samples: what is captured is what was called, on the device's own terms.

Run by ctest as opinfo_test.
"""

import os
import sys
import unittest
import warnings

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import torch  # noqa: E402
from torch.testing._internal.common_methods_invocations import op_db  # noqa: E402
from torch.testing._internal.opinfo.core import SampleInput  # noqa: E402
from torch.utils._pytree import tree_flatten  # noqa: E402

import opinfo  # noqa: E402
from opinfo_capture import CPU_ONLY, NotCaptured, Program, become, outputs_of  # noqa: E402

DEVICE = "neuron"


def named(name):
    return next(op for op in op_db if op.name == name)


def captured(call, *tensors, **options):
    return Program(call, SampleInput(tensors[0], args=tensors[1:], kwargs=options), DEVICE)


def ops_of(program):
    return [node["op"] for node in program.capture.nodes]


class Capture(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        warnings.simplefilter("ignore")
        become(DEVICE)

    def test_samples_replay_to_what_the_op_returns(self):
        for name in ("add", "linalg.svd", "nn.functional.layer_norm", "index_put", "split", "nn.functional.scaled_dot_product_attention"):
            op = named(name)
            opinfo.seeded(name)
            for sample in opinfo.samples_of(op, torch.float64, 4, False):
                if sample.kwargs.get("dropout_p"):
                    continue  # random
                program = Program(op, sample, DEVICE)
                expected = [value for value in tree_flatten(op(sample.input, *sample.args, **sample.kwargs))[0] if isinstance(value, torch.Tensor)]
                for output, wanted in zip(outputs_of(program.case()), expected, strict=True):
                    torch.testing.assert_close(output, wanted)

    def test_composites_choose_as_on_the_device(self):
        query = torch.randn(1, 2, 4, 8)
        attention = ops_of(captured(torch.nn.functional.scaled_dot_product_attention, query, query, query))
        self.assertIn("aten::bmm", attention)
        self.assertFalse([op for op in attention if any(part in op for part in CPU_ONLY)])

    def test_an_op_of_the_cpu_alone_is_an_error(self):
        call = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu
        with self.assertRaisesRegex(NotCaptured, "exists for the CPU only"):
            captured(call, torch.randn(1, 2, 4, 8), torch.randn(1, 2, 4, 8), torch.randn(1, 2, 4, 8))

    def test_tensors_of_constants_become_inputs(self):
        program = captured(lambda x: x + torch.tensor([1.0, 2.0], device=x.device), torch.ones(2))
        self.assertEqual([spec["dtype"] for spec in program.capture.inputs], ["float32", "float32"])
        torch.testing.assert_close(outputs_of(program.case())[0], torch.tensor([2.0, 3.0]))

    def test_complex_numbers_come_and_go_in_parts(self):
        x = torch.randn(3, dtype=torch.complex64)
        program = captured(lambda z: z.conj() * 2, x)
        self.assertEqual((ops_of(program)[0], ops_of(program)[-1]), ("aten::view_as_complex", "aten::view_as_real"))
        torch.testing.assert_close(outputs_of(program.case())[0], torch.view_as_real((x.conj() * 2).resolve_conj()))

    def test_layouts_and_shared_tensors_are_kept(self):
        x = torch.randn(4, 6)[:, ::2]
        program = captured(torch.mul, x, x)
        self.assertEqual(len(program.capture.inputs), 1)
        self.assertEqual(program.capture.inputs[0]["strides"], [6, 2])

    def test_numbers_that_answer_are_outputs_that_do_not_compile(self):
        case = captured(torch.equal, torch.ones(2), torch.ones(2)).case()
        self.assertTrue(opinfo.returns_a_number(case))
        self.assertFalse(opinfo.returns_a_number(captured(torch.add, torch.ones(2), torch.ones(2)).case()))

    def test_errors_of_operators_are_cases_and_those_of_python_are_not(self):
        cases = opinfo.error_cases_of(named("gather"), DEVICE, 8)
        self.assertTrue(cases["float32"])
        for case in cases["float32"]:
            with self.assertRaises((RuntimeError, IndexError)):
                outputs_of(case)

    def test_errors_are_the_same_in_every_capture(self):
        for name in ("aminmax", "kthvalue", "gather"):
            first = opinfo.error_cases_of(named(name), DEVICE, 8)
            kept = [torch.rand(10) for _ in range(50)]  # other memory for the next
            self.assertEqual(opinfo.error_cases_of(named(name), DEVICE, 8), first, name)
            del kept

    def test_a_sample_does_not_depend_on_others(self):
        opinfo.seeded("x")
        first = torch.rand(3)
        torch.rand(5)
        opinfo.seeded("x")
        self.assertTrue(torch.equal(first, torch.rand(3)))

    def test_what_cannot_be_captured_says_why(self):
        for call, why in ((lambda x: x.to_sparse(), "not strided"), (lambda x: x.to(torch.complex128), "complex128"),
                          (lambda x: torch.randn(2, dtype=torch.complex64, device=x.device), "random complex")):
            with self.assertRaisesRegex(NotCaptured, why):
                captured(call, torch.ones(2))


if __name__ == "__main__":
    unittest.main()
