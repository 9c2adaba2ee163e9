// SPDX-License-Identifier: Apache-2.0
#include "compiler/driver/describe_pto.h"
#include "compiler/driver/kernel_runner.h"
#include "compiler/interpreter/host_pack.h"
#include "compiler/interpreter/interpret.h"
#include "compiler/interpreter/parser.h"
#include "compiler/support/extent_expr.h"

#include <charconv>

namespace placid::compiler {

namespace {

using interp::DType;
using interp::Memory;
using Argument = LoweredKernel::Argument;

constexpr int64_t kMaxTensorBytes = int64_t{4} << 30;
/// The runtime's record of the windows of up to 64 devices.
constexpr int64_t kContextBytes = 1056;
constexpr size_t kDeviceCountAt = 20; ///< Its byte that says how many there are.

struct Tensor {
  std::string name;
  DType dtype = DType::F32;
  std::vector<int64_t> shape;
  bool nz = false;
  bool dn = false;
  bool written = false; ///< By a kernel: an output.
  std::unique_ptr<Memory> memory;

  int64_t elements() const {
    int64_t out = 1;
    for (int64_t extent : shape) {
      out *= extent;
    }
    return out;
  }
};

std::optional<int64_t> integer(const std::string &text) {
  int64_t value = 0;
  const char *end = text.data() + text.size();
  auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end ? std::optional(value) : std::nullopt;
}

/// How many blocks a launch of this text has, where its first line says so: a number or an extent.
std::optional<std::string> launchedBlocks(const std::string &text) {
  constexpr std::string_view kMark = "// blocks: ";
  if (!text.starts_with(kMark)) {
    return std::nullopt;
  }
  return text.substr(kMark.size(), text.find('\n') - kMark.size());
}

class Runner {
public:
  Runner(RunRequest request, std::stop_token stop) : request_(std::move(request)), stop_(std::move(stop)) {}

  RunResult run() {
    if (parse() && checkNames() && checkShapes()) {
      bindExtents();
      for (size_t i = 0; i < programs_.size(); ++i) {
        if (!runKernel(request_.kernels[i], programs_[i])) {
          return std::move(result_);
        }
      }
      collect();
    }
    return std::move(result_);
  }

private:
  bool wrong(const std::string &why) {
    result_.wrong = why;
    return false;
  }

  bool parse() {
    for (LoweredKernel &kernel : request_.kernels) {
      auto parsed = interp::parseProgram(kernel.pto);
      if (const auto *fault = std::get_if<interp::Fault>(&parsed)) {
        return faulted(kernel, *fault);
      }
      programs_.push_back(std::move(std::get<interp::Program>(parsed)));
      const interp::Program &program = programs_.back();
      const interp::Function *function =
          program.functions.size() == 1 ? &program.functions[0] : interp::entryOf(program, kernel.name);
      if (function == nullptr) {
        std::string names;
        for (const interp::Function &other : program.functions) {
          names += (names.empty() ? "" : ", ") + other.name;
        }
        return wrong("no function `" + kernel.name + "`: the text has " + (names.empty() ? "none" : names));
      }
      kernel.name = function->name;
      if (kernel.arguments.empty()) {
        kernel.arguments = describeArguments(*function);
      }
    }
    return true;
  }

  /// What is given must be something that a kernel takes.
  bool checkNames() {
    std::map<std::string, std::string> kinds;
    std::string known;
    for (const LoweredKernel &kernel : request_.kernels) {
      for (const Argument &argument : kernel.arguments) {
        if (kinds.emplace(argument.name, argument.kind).second) {
          known += (known.empty() ? "" : ", ") + argument.name;
        }
      }
    }
    for (const auto &[name, bytes] : request_.tensors) {
      auto found = kinds.find(name);
      if (found == kinds.end()) {
        return wrong("no argument `" + name + "`: the kernel takes " + known);
      }
      if (found->second != "tensor") {
        return wrong("`" + name + "` is a number: give its value, not a file");
      }
    }
    for (const auto &[name, shape] : request_.shapes) {
      auto found = kinds.find(name);
      if (found != kinds.end() && found->second != "tensor") {
        return wrong("`" + name + "` is a number and has no shape");
      }
    }
    for (const auto &[name, value] : request_.scalars) {
      auto found = kinds.find(name);
      if (found != kinds.end() && found->second == "tensor") {
        return wrong("`" + name + "` is a tensor: give a file, not a value");
      }
      if (found != kinds.end() && found->second == "extent" && !integer(value)) {
        return wrong("the extent `" + name + "` is no integer: " + value);
      }
    }
    return true;
  }

  /// Before anything runs: ranks first, because an argument of another rank may well have as many bytes; then the
  /// names, which say what is computed from them.
  bool checkShapes() {
    auto each = [&](auto &&check) {
      for (const LoweredKernel &kernel : request_.kernels) {
        for (const Argument &argument : kernel.arguments) {
          auto given = request_.shapes.find(argument.name);
          if (given == request_.shapes.end() || argument.kind != "tensor") {
            continue;
          }
          const std::string needs = "`" + argument.name + "` is " + text(given->second) +
                                    ", which the kernel takes as " + text(argument.shape);
          if (!check(argument, given->second, needs)) {
            return false;
          }
        }
      }
      return true;
    };
    auto names = [&](const Argument &argument, const std::vector<int64_t> &shape, const std::string &needs) {
      if (shape.size() != argument.shape.size()) {
        return wrong(needs + ": it needs rank " + std::to_string(argument.shape.size()) +
                     (argument.dynamicBatch ? ", whose first extent is the number of its planes" : ""));
      }
      for (size_t axis = 0; axis < shape.size(); ++axis) {
        if (const auto *symbol = std::get_if<std::string>(&argument.shape[axis]); symbol && isName(*symbol)) {
          extents_.emplace(*symbol, shape[axis]);
        }
      }
      return true;
    };
    auto values = [&](const Argument &argument, const std::vector<int64_t> &shape, const std::string &needs) {
      for (size_t axis = 0; axis < shape.size(); ++axis) {
        std::optional<int64_t> wanted = known(argument.shape[axis]);
        if (wanted && *wanted != shape[axis]) {
          return wrong(needs + ": axis " + std::to_string(axis) + " is " + std::to_string(*wanted));
        }
        if (!wanted) {
          extents_[std::get<std::string>(argument.shape[axis])] = shape[axis];
        }
      }
      return true;
    };
    return each(names) && each(values);
  }

  /// A name of its own, rather than what is computed from others.
  static bool isName(const std::string &text) {
    std::optional<support::ExtentExpr> parsed = support::ExtentExpr::parse(text);
    return !parsed || parsed->isName();
  }

  template <class Extent> static std::string text(const std::vector<Extent> &shape) {
    std::string out = "[";
    for (const Extent &extent : shape) {
      out += out.size() > 1 ? ", " : "";
      if constexpr (std::is_same_v<Extent, Expr>) {
        const auto *number = std::get_if<int64_t>(&extent);
        out += number != nullptr ? std::to_string(*number) : std::get<std::string>(extent);
      } else {
        out += std::to_string(extent);
      }
    }
    return out + "]";
  }

  std::optional<int64_t> known(const Expr &extent) const {
    if (const auto *value = std::get_if<int64_t>(&extent)) {
      return *value;
    }
    return computed(std::get<std::string>(extent));
  }

  /// An extent's name, or what is computed from such names: `n * 3`.
  std::optional<int64_t> computed(const std::string &text) const {
    if (std::optional<int64_t> value = named(text)) {
      return value;
    }
    std::optional<support::ExtentExpr> parsed = support::ExtentExpr::parse(text);
    std::optional<int64_t> value =
        parsed ? parsed->evaluate([&](const std::string &name) { return named(name); }) : std::nullopt;
    return value && *value >= 0 && *value <= kMaxTensorBytes ? value : std::nullopt;
  }

  std::optional<int64_t> named(const std::string &name) const {
    auto given = request_.scalars.find(name);
    if (given != request_.scalars.end()) {
      return integer(given->second);
    }
    auto found = extents_.find(name);
    return found != extents_.end() ? std::optional(found->second) : std::nullopt;
  }

  /// An extent that is not given follows from the size of a tensor's file, where it is the only unknown one.
  void bindExtents() {
    for (bool more = true; more;) {
      more = false;
      for (const LoweredKernel &kernel : request_.kernels) {
        for (const Argument &argument : kernel.arguments) {
          auto bytes = request_.tensors.find(argument.name);
          std::optional<DType> dtype = interp::parsePlDType(argument.dtype);
          if (argument.kind != "tensor" || bytes == request_.tensors.end() || !dtype) {
            continue;
          }
          int64_t rest = interp::info(*dtype).bytes;
          std::vector<std::string> open;
          for (const Expr &extent : argument.shape) {
            if (std::optional<int64_t> value = known(extent)) {
              rest *= std::max<int64_t>(*value, 1);
            } else {
              open.push_back(std::get<std::string>(extent));
            }
          }
          auto size = static_cast<int64_t>(bytes->second.size());
          if (open.size() == 1 && isName(open[0]) && rest > 0 && size % rest == 0) {
            extents_[open[0]] = size / rest;
            more = true;
          }
        }
      }
    }
  }

  Tensor *tensorFor(const Argument &argument) {
    for (const std::unique_ptr<Tensor> &tensor : tensors_) {
      if (tensor->name == argument.name) {
        return tensor.get();
      }
    }
    auto made = std::make_unique<Tensor>();
    made->name = argument.name;
    std::optional<DType> dtype = interp::parsePlDType(argument.dtype);
    if (!dtype) {
      wrong("`" + argument.name + "` has elements of " + argument.dtype + ", which the interpreter does not know");
      return nullptr;
    }
    made->dtype = *dtype;
    made->nz = argument.layout == "NZ";
    made->dn = argument.layout == "DN";
    int64_t bytes = interp::info(*dtype).bytes;
    for (const Expr &extent : argument.shape) {
      std::optional<int64_t> value = known(extent);
      if (!value || *value < 0) {
        wrong("the extent `" + (value ? std::to_string(*value) : std::get<std::string>(extent)) + "` of `" +
              argument.name + "` is not known: give it with --in NAME=VALUE");
        return nullptr;
      }
      made->shape.push_back(*value);
      if (*value != 0 && bytes > kMaxTensorBytes / *value) {
        wrong("`" + argument.name + "` has more than 4 GiB");
        return nullptr;
      }
      bytes *= *value;
    }
    int64_t elementBytes = interp::info(*dtype).bytes;
    if (made->nz) {
      if (std::string fault = interp::nzFault(made->shape, elementBytes); !fault.empty()) {
        wrong("`" + argument.name + "`: " + fault);
        return nullptr;
      }
    }
    made->memory = std::make_unique<Memory>("`" + argument.name + "`", bytes);
    auto given = request_.tensors.find(argument.name);
    if (given != request_.tensors.end()) {
      if (static_cast<int64_t>(given->second.size()) != bytes) {
        wrong("`" + argument.name + "` needs " + std::to_string(bytes) + " bytes, its file has " +
              std::to_string(given->second.size()));
        return nullptr;
      }
      std::vector<uint8_t> logical(given->second.begin(), given->second.end());
      made->memory->bytes() = made->nz   ? interp::packNz(logical, made->shape, elementBytes)
                              : made->dn ? interp::packDn(logical, made->shape, elementBytes)
                                         : logical;
      made->memory->markWritten();
    } else if (argument.direction == "in") {
      wrong("`--in " + argument.name + "=FILE` is missing");
      return nullptr;
    }
    tensors_.push_back(std::move(made));
    return tensors_.back().get();
  }

  bool argumentValue(const Argument &argument, interp::ArgumentValue &out) {
    if (argument.kind == "tensor") {
      Tensor *tensor = tensorFor(argument);
      if (tensor == nullptr) {
        return false;
      }
      tensor->written |= argument.direction != "in";
      out.buffer = tensor->memory.get();
      return true;
    }
    if (argument.kind == "workspace") {
      const std::optional<int64_t> elements = argument.shape.empty() ? std::nullopt : known(argument.shape[0]);
      const int64_t each = std::max<int64_t>(1, argument.elementBytes);
      if (elements.value_or(0) < 0 || elements.value_or(0) > kMaxTensorBytes / each) {
        return wrong("`" + argument.name + "` has " + std::to_string(*elements) +
                     " elements: no more than 4 GiB are made");
      }
      workspaces_.push_back(std::make_unique<Memory>("`" + argument.name + "`", elements.value_or(0) * each));
      out.buffer = workspaces_.back().get();
      return true;
    }
    if (argument.kind == "context") {
      // One device alone, whose windows begin where they begin: it is its own peer, whichever it names.
      workspaces_.push_back(std::make_unique<Memory>("`" + argument.name + "`", kContextBytes));
      workspaces_.back()->bytes()[kDeviceCountAt] = 1;
      workspaces_.back()->markWritten();
      out.buffer = workspaces_.back().get();
      return true;
    }
    if (argument.kind == "unknown") {
      return wrong("the shape of `" + argument.name +
                   "` is not stated in the text: run it with a manifest.json beside it");
    }
    std::optional<int64_t> extent;
    if (argument.kind == "extent") {
      extent = known(argument.name);
    }
    auto given = request_.scalars.find(argument.name);
    if (!extent && given == request_.scalars.end()) {
      return wrong("`--in " + argument.name + "=VALUE` is missing");
    }
    if (extent) {
      out.number = interp::Number::ofInt(*extent);
      return true;
    }
    const std::string &text = given->second;
    std::optional<DType> dtype = interp::parsePlDType(argument.dtype);
    if (dtype && interp::info(*dtype).isFloat) {
      out.number.isFloat = true;
      const char *end = text.data() + text.size();
      auto [stop, error] = std::from_chars(text.data(), end, out.number.f);
      return (error == std::errc() && stop == end) || wrong("`" + argument.name + "` is no number: " + text);
    }
    std::optional<int64_t> value = integer(text);
    out.number = interp::Number::ofInt(value.value_or(0));
    return value.has_value() || wrong("`" + argument.name + "` is no integer: " + text);
  }

  bool runKernel(const LoweredKernel &kernel, const interp::Program &program) {
    interp::RunOptions options;
    options.function = kernel.name;
    std::optional<std::string> launched = launchedBlocks(kernel.pto);
    std::optional<int64_t> blocks = launched ? computed(*launched) : 1;
    if (request_.blocks == 0 && (!blocks || *blocks < 1)) {
      return wrong("the number of blocks of `" + kernel.name + "` is not known: give it with --blocks N");
    }
    options.blocks = request_.blocks != 0 ? request_.blocks : *blocks;
    std::vector<interp::ArgumentValue> values(kernel.arguments.size());
    for (size_t i = 0; i < values.size(); ++i) {
      if (!argumentValue(kernel.arguments[i], values[i])) {
        return false;
      }
    }
    std::optional<interp::Fault> fault = interp::runProgram(program, options, values, stop_);
    if (stop_.stop_requested()) {
      result_.stopped = true;
      return false;
    }
    return !fault || faulted(kernel, *fault);
  }

  bool faulted(const LoweredKernel &kernel, const interp::Fault &fault) {
    result_.fault = "running `" + kernel.name + "`: " + fault.message;
    result_.faultAt = !fault.location.empty() ? fault.location
                      : fault.line > 0        ? "line " + std::to_string(fault.line) + " of the PTO IR"
                                              : "";
    return false;
  }

  void collect() {
    for (const std::unique_ptr<Tensor> &tensor : tensors_) {
      if (!tensor->written) {
        continue;
      }
      int64_t elementBytes = interp::info(tensor->dtype).bytes;
      RunResult::Output out{tensor->name, std::string(interp::info(tensor->dtype).plName), {}, tensor->shape, 0};
      for (int64_t i = 0; i < tensor->elements(); ++i) {
        out.unwritten += tensor->memory->isWritten(i * elementBytes) ? 0 : 1;
      }
      const std::vector<uint8_t> &device = tensor->memory->bytes();
      std::vector<uint8_t> bytes = tensor->nz   ? interp::unpackNz(device, tensor->shape, elementBytes)
                                   : tensor->dn ? interp::unpackDn(device, tensor->shape, elementBytes)
                                                : device;
      out.bytes.assign(bytes.begin(), bytes.end());
      result_.outputs.push_back(std::move(out));
    }
  }

  RunRequest request_;
  std::stop_token stop_;
  std::vector<interp::Program> programs_;
  RunResult result_;
  std::vector<std::unique_ptr<Tensor>> tensors_;
  std::vector<std::unique_ptr<Memory>> workspaces_; ///< That a launch gives a kernel for its own use.
  std::map<std::string, int64_t> extents_;
};

} // namespace

RunResult runKernels(const RunRequest &request, std::stop_token stop) { return Runner(request, std::move(stop)).run(); }

} // namespace placid::compiler
