#include "harness/repro.h"

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <stdexcept>
#include <utility>

#include "harness/eager_run.h"
#include "harness/program_runner.h"
#include "harness/python_source.h"

namespace neuroncheck {
namespace {

constexpr std::size_t kLineWidth = 120;

const char* const kHelpers = R"(
CARRIER = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


def bits(tensor):
    return tensor.contiguous().view(CARRIER[tensor.element_size()])


def laid_out(device, values, sizes, strides, offset, elements, takes_gradients):
    """A tensor with these values in this layout; whatever else its storage holds is poisoned."""
    poison = 1 if values.dtype == torch.bool else 0xFF if values.is_floating_point() or values.is_complex() else 0xA5
    base = torch.full((elements * values.element_size(),), poison, dtype=torch.uint8).view(CARRIER[values.element_size()])
    places = torch.tensor(offset)
    for size, stride in zip(sizes, strides):
        places = places.unsqueeze(-1) + torch.arange(size) * stride
    first = {}
    for number, place in enumerate(places.flatten().tolist()):
        first.setdefault(place, number)
    base[torch.tensor(list(first), dtype=torch.int64)] = bits(values)[torch.tensor(list(first.values()), dtype=torch.int64)]
    tensor = base.view(values.dtype).to(device).as_strided(sizes, strides, offset)
    return tensor.requires_grad_() if takes_gradients else tensor


def on_cpu(value):
    return value.detach().cpu().resolve_conj().resolve_neg()


def as_tensor(value):
    return value if value is None or isinstance(value, torch.Tensor) else torch.tensor(value)


def is_dense(tensor):
    dims = sorted((stride, size) for stride, size in zip(tensor.stride(), tensor.shape) if size != 1)
    return all(stride == math.prod(size for _, size in dims[:i]) for i, (stride, _) in enumerate(dims))


def layout(value, inputs):
    """Strides where they matter, which inputs share the storage, and whether it is one of them."""
    storage = value.untyped_storage().data_ptr()
    shared = [(i, value is tensor) for i, tensor in enumerate(inputs) if storage == tensor.untyped_storage().data_ptr()]
    return [stride for stride, size in zip(value.stride(), value.shape) if size != 1], shared


def gradients(outputs, inputs, grad_outputs):
    leaves = [tensor for tensor in inputs if tensor.requires_grad]
    roots = [number for number in grad_outputs if outputs[number].requires_grad]
    if not roots:
        return [torch.zeros_like(leaf) for leaf in leaves]
    given = [grad_outputs[number].to(outputs[number].device) for number in roots]
    found = torch.autograd.grad([outputs[number] for number in roots], leaves, given, allow_unused=True)
    return [torch.zeros_like(leaf) if grad is None else grad for leaf, grad in zip(leaves, found)]


def run(function, device):
    """Name, value and layout of everything one side leaves behind; an error ends it."""
    seen = []
    for number, step in enumerate(STEPS):
        try:
            inputs = [laid_out(device, *one) for one in step["inputs"]]
            outputs = function(device, *inputs, *step["symbols"])
            if step["grad_outputs"] is None:
                named = [("output", i, value, layout(value, inputs)) for i, value in enumerate(map(as_tensor, outputs)) if value is not None]
            else:
                named = [("gradient", i, value, None) for i, value in enumerate(gradients(outputs, inputs, step["grad_outputs"]))]
            named += [("input afterwards", i, value, None) for i, value in enumerate(inputs)]
            seen += [(f"step {number} {what} {i}", on_cpu(value), form) for what, i, value, form in named]
        except Exception as error:
            return seen + [(f"step {number}", f"{type(error).__name__}: {error}", None)]
    return seen


def same(one, other):
    if isinstance(one, str) or isinstance(other, str):
        return isinstance(one, str) and isinstance(other, str) and one.split(":")[0] == other.split(":")[0]
    if one.dtype != other.dtype or one.shape != other.shape:
        return False
    wide = torch.complex128 if one.is_complex() else torch.float64
    both_nan = one.to(wide).isnan() & other.to(wide).isnan()
    return bool(((bits(one) == bits(other)) | both_nan).all())


def same_layout(one, form, other_form):
    return form is None or other_form is None or (form[1] == other_form[1] and (form[0] == other_form[0] or not is_dense(one)))


def described(value, form):
    if isinstance(value, str):
        return value
    about = "" if form is None else f", strides {form[0]}"
    for number, is_itself in [] if form is None else form[1]:
        about += f", {'is' if is_itself else 'shares storage with'} input {number}"
    return f"{value.dtype} {list(value.shape)}{about}\n{value}"


def compared(expected, seen):
    """Whether the two differ, and both in words."""
    differs, text = len(expected) != len(seen), ""
    for (name, one, form), (other_name, other, other_form) in zip(expected, seen):
        equal = name == other_name and same(one, other) and same_layout(one, form, other_form)
        differs = differs or not equal
        text += f"{name}: {'same' if equal else 'DIFFERENT'}\nCPU {described(one, form)}\n{TARGET} {described(other, other_form)}\n\n"
    return differs, text


def main():
    torch.set_printoptions(precision=9, linewidth=120)
    expected = run(program, "cpu")
    for number in range(1, RUNS + 1):
        differs, text = compared(expected, run(subject, DEVICE))
        if differs:
            break
    print(text, end="" if RUNS == 1 else f"run {number} of {RUNS}\n")
    print("DIFFERENT" if differs else "same")
    return 1 if differs else 0


if __name__ == "__main__":
    sys.exit(main())
)";

std::string joined(const std::vector<std::string>& items) {
  std::string text;
  std::size_t width = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string item = items[i] + (i + 1 < items.size() ? "," : "");
    const bool wraps = width + item.size() + 1 > kLineWidth;
    if (i > 0) text += wraps ? "\n                " : " ";
    width = wraps ? 0 : width + item.size() + 1;
    text += item;
  }
  return text;
}

std::string python_list(const std::vector<std::int64_t>& numbers) { return fmt::format("[{}]", fmt::join(numbers, ", ")); }

std::int64_t signed_bits(const HostTensor& tensor, std::size_t i) {
  const int unused = 64 - static_cast<int>(8 * bytes_of(tensor.dtype));
  return static_cast<std::int64_t>(bits_at(tensor, i) << unused) >> unused;
}

bool has_decimal_form(const HostTensor& tensor) {
  if (!is_floating(tensor.dtype) || bytes_of(tensor.dtype) == 1) return false;
  for (std::size_t i = 0; i < element_count(tensor); ++i) {
    if (std::isnan(number_at(tensor, i))) return false;  // NaNs have payloads
  }
  return true;
}

// The values, flat, exactly: numbers where numbers say everything, else bits.
std::string python_values(const HostTensor& tensor) {
  const bool is_number = has_decimal_form(tensor);
  std::vector<std::string> items;
  for (std::size_t i = 0; i < element_count(tensor); ++i) {
    if (tensor.dtype == Dtype::bool_)
      items.push_back(bits_at(tensor, i) != 0 ? "True" : "False");
    else if (is_number)
      items.push_back(python_float(number_at(tensor, i)));
    else
      items.push_back(std::to_string(bytes_of(tensor.dtype) == 1 && tensor.dtype != Dtype::int8 ? static_cast<std::int64_t>(bits_at(tensor, i))
                                                                                                : signed_bits(tensor, i)));
  }
  const std::string list = joined(items);
  if (is_number || is_integer(tensor.dtype) || tensor.dtype == Dtype::bool_)
    return fmt::format("torch.tensor([{}], dtype=torch.{})", list, name_of(tensor.dtype));
  static const std::map<std::size_t, std::string> kCarriers = {{1, "uint8"}, {2, "int16"}, {4, "int32"}, {8, "int64"}};
  return fmt::format("torch.tensor([{}], dtype=torch.{}).view(torch.{})", list, kCarriers.at(bytes_of(tensor.dtype)), name_of(tensor.dtype));
}

std::string python_input(const Case& test_case, std::size_t input, std::size_t step, Path path) {
  const TensorSpec spec = input_at_step(test_case, input, step);
  const Placed placed = place(spec, test_case.bindings.at(step).symbols);
  HostTensor values;
  values.dtype = spec.dtype;
  values.sizes = placed.sizes;
  values.bytes = make_values(spec.fill, spec.dtype, placed.sizes);
  return fmt::format("            ({}, {}, {}, {}, {}, {}),\n", python_values(values), python_list(placed.sizes), python_list(placed.strides),
                     placed.offset, placed.storage + kGuardElements, is_backward(path) && spec.requires_grad ? "True" : "False");
}

// By output number; the plain CPU says which outputs take gradients. Where it refuses the program, none do.
std::string python_grad_outputs(const Case& test_case, std::size_t step, Path path) {
  if (!is_backward(path)) return "None";
  const StepOf of{test_case, path, step, at::Device(at::kCPU)};
  std::vector<at::Tensor> outputs;
  try {
    outputs = run_program(test_case.program, make_inputs(of), test_case.bindings.at(step).symbols, of.device);
  } catch (const std::logic_error&) {
    throw;
  } catch (const std::exception&) {
    return "{}";
  }
  std::string text = "{";
  for (const std::size_t output : differentiable_outputs(outputs)) {
    const HostTensor grad = to_host(make_grad_output(test_case, output, step, outputs[output]), {});
    text += fmt::format("\n            {}: {}.reshape({}),", output, python_values(grad), python_list(grad.sizes));
  }
  return text + "}";
}

std::string steps_source(const Case& test_case, Path path) {
  std::string text = "# Inputs: values, sizes, strides, offset, elements of the storage, whether it takes gradients.\nSTEPS = [\n";
  for (std::size_t step = 0; step < test_case.bindings.size(); ++step) {
    text += "    {\n        \"inputs\": [\n";
    for (std::size_t i = 0; i < test_case.program.inputs.size(); ++i) text += python_input(test_case, i, step, path);
    text += fmt::format("        ],\n        \"symbols\": {},\n        \"grad_outputs\": {},\n    }},\n",
                        python_list(test_case.bindings.at(step).symbols), python_grad_outputs(test_case, step, path));
  }
  return text + "]\n";
}

std::string program_source(const Program& program) {
  std::string parameters = "device";
  for (std::size_t i = 0; i < program.inputs.size(); ++i) parameters += fmt::format(", x{}", i);
  for (int s = 0; s < program.symbols; ++s) parameters += fmt::format(", s{}", s);
  return fmt::format("def program({}):\n{}    return {}\n", parameters, python_statements(program, {}, "", 4, "device"), python_outputs(program, ""));
}

std::string subject_source(const Target& target, Path path) {
  if (!is_compiled(path)) return "subject = program\n";
  return fmt::format("subject = torch.compile(program, backend={}, dynamic={}, fullgraph=True)\n", python_text(target.compile_backend),
                     path == Path::dynamic ? "True" : "False");
}

std::string head(const Case& test_case, const Target& target, const ReproRun& run) {
  std::string text = fmt::format("# Case {}: {}target {}, path {}, against the plain CPU. Needs torch {}", id_of(test_case),
                                 target.simulated ? "SIMULATED " : "", target.name, name_of(run.path), NEURONCHECK_TORCH_VERSION);
  text += target.imports.empty() ? ".\n" : fmt::format(" and {}.\n", fmt::join(target.imports, ", "));
  if (!target.package.empty()) text += fmt::format("# Run it with PYTHONPATH=<build>/{}.\n", target.package);
  text += "import math\nimport os\nimport sys\n\nos.environ[\"TORCH_DEVICE_BACKEND_AUTOLOAD\"] = \"0\"\n";
  for (const auto& [name, value] : target.environment) {
    if (!is_each_workers_own(value)) text += fmt::format("os.environ[{}] = {}\n", python_text(name), python_text(value));
  }
  if (!run.fault.empty()) text += fmt::format("os.environ[\"NEURON_SIM_FAULT\"] = {}\n", python_text(run.fault));
  text += "\nimport torch  # noqa: E402\n";
  for (const std::string& module : target.imports) text += fmt::format("import {}  # noqa: E402, F401\n", module);
  return text + fmt::format("\ntorch.set_num_threads(1)\nTARGET, DEVICE, RUNS = {}, {}, {}\n", python_text(target.name), python_text(target.device),
                            run.runs);
}

}  // namespace

std::string repro_script(const Case& test_case, const Target& target, const ReproRun& run) {
  return head(test_case, target, run) + "\n" + steps_source(test_case, run.path) + "\n\n" + program_source(test_case.program) + "\n\n" +
         subject_source(target, run.path) + kHelpers;
}

}  // namespace neuroncheck
