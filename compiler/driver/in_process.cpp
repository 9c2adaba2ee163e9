// SPDX-License-Identifier: Apache-2.0
#include "compiler/driver/in_process.h"

#include "compiler/dialect/pl/ir/pl.h"
#include "compiler/driver/entry_types.h"
#include "compiler/driver/kernel_unit.h"
#include "compiler/driver/pro_unit.h"
#include "compiler/driver/unit_memo.h"
#include "compiler/fixes/fixes.h"
#include "compiler/frontend/annotation.h"
#include "compiler/frontend/call_types.h"
#include "compiler/frontend/constant_origins.h"
#include "compiler/frontend/kernel_reads.h"
#include "compiler/frontend/module_cache.h"
#include "compiler/frontend/program.h"
#include "compiler/frontend/syntax_memo.h"
#include "compiler/index/build_index.h"
#include "compiler/ops/op_table.h"
#include "compiler/pipeline/check_pipeline.h"
#include "compiler/pipeline/lowering_pipeline.h"
#include "compiler/pro/layout/tensor_layout.h"
#include "compiler/pro/ops.h"
#include "compiler/syntax/parse.h"
#include "compiler/target/arch.h"
#include "compiler/target/planner.h"

#include <algorithm>
#include <array>
#include <list>

namespace placid::compiler {

namespace {

constexpr size_t kMaxFileBytes = size_t{16} << 20;
constexpr size_t kMaxParsers = 16;
constexpr size_t kMaxParsedBytes = size_t{4} << 20;  // of the texts of all but the last one
constexpr size_t kMaxNodesBytes = size_t{256} << 10; // of those of which the nodes are kept, too
constexpr size_t kMaxFurtherCalls = 8;               // of one kernel, with shapes of their own

std::string archOf(const Options &options) {
  return std::string(target::archName(target::parseArch(options.arch).value_or(target::kDefaultArch)));
}

/// What a file is for, where nobody asked: what its kernels are, of the second dialect too, else the first one's
/// default.
class ArchOfKernels {
public:
  explicit ArchOfKernels(const Options &options) : asked_(!options.arch.empty()), arch_(archOf(options)) {}
  void add(const UnitResult &unit) {
    if (!asked_ && first_) {
      arch_ = unit.arch.empty() ? arch_ : unit.arch;
    } else if (!asked_ && unit.arch.empty()) {
      arch_ = target::archName(target::kDefaultArch);
    }
    first_ = false;
  }
  const std::string &get() const { return arch_; }

private:
  bool asked_;
  bool first_ = true;
  std::string arch_;
};

target::Planner plannerOf(const Options &options) {
  return target::parsePlanner(options.planner).value_or(target::kDefaultPlanner);
}

bool selected(const frontend::KernelDecl &kernel, const Options &options) {
  return options.entries.empty() ||
         std::any_of(options.entries.begin(), options.entries.end(),
                     [&](const std::string &entry) { return entry == kernel.name || entry == kernel.qualifiedName; });
}

/// Dtypes, layouts and memory spaces, which complete like operations and have no signature.
void addConstants(std::vector<index::OpInfo> &out) {
  auto add = [&](const std::string &path, std::string documentation) {
    out.push_back({path, {}, std::move(documentation), true});
  };
  for (unsigned i = 0; i <= static_cast<unsigned>(pl::DType::TaskId); ++i) {
    auto dtype = static_cast<pl::DType>(i);
    add("pl." + pl::plName(dtype).str(), std::to_string(pl::bitWidth(dtype)) + " bits");
  }
  for (pl::Mem space : {pl::Mem::Vec, pl::Mem::Mat, pl::Mem::Left, pl::Mem::Right, pl::Mem::Acc, pl::Mem::Bias}) {
    add("pl.Mem." + pl::plName(space).str(), "a memory space of the chip");
  }
  add("pl.ND", "row-major order in global memory");
  add("pl.NZ", "fractal order in global memory: column blocks of 16-row fractals, 32 bytes a row");
}

/// The operations and constants of the second dialect, below `pro.`.
void addSecondDialect(std::vector<index::OpInfo> &out) {
  for (const pro::OpRow &row : pro::ops()) {
    std::string core = row.core == pro::Core::Cube     ? " (cube core)"
                       : row.core == pro::Core::Vector ? " (vector core)"
                                                       : "";
    out.push_back({"pro." + std::string(row.path), {pro::signatureOf(row)}, std::string(row.doc) + core, true});
  }
  // What makes something, and control flow: followed, and not operations.
  constexpr std::array<std::array<std::string_view, 3>, 8> kMakers{{
      {"TileType", "*, shape, dtype, target_memory?, valid_shape?, layout?, fractal?, pad?, compact?",
       "the shape, dtype, memory and layout of a tile"},
      {"make_tile", "tile_type, *, addr", "a tile at a byte address of its memory"},
      {"make_tile_group", "*, type, addrs, mutex_ids?, depth?", "tiles of one type that are used in turn"},
      {"make_tensor", "ptr, shape, stride?, dtype?", "a tensor over a pointer"},
      {"range", "start, stop?, step?", "the rounds of a loop of a kernel"},
      {"section_cube", "", "what the cube core runs"},
      {"section_vector", "", "what the vector core runs"},
      {"constexpr", "condition", "a condition that is decided while compiling"},
  }};
  for (const auto &maker : kMakers) {
    out.push_back({"pro." + std::string(maker[0]), {std::string(maker[1])}, std::string(maker[2]), true});
  }
  for (const std::string &dtype : pro::dtypeNames()) {
    out.push_back({"pro." + dtype, {}, std::to_string(pro::bits(*pro::dtypeOf(dtype))) + " bits", true});
  }
  for (unsigned i = 0; i < pro::kSpaceCount; ++i) {
    auto space = static_cast<pro::Space>(i);
    out.push_back(
        {"pro.MemorySpace." + std::string(pro::name(space)), {}, std::string(pro::hardwareName(space)), true});
  }
  for (unsigned i = 0; i < pro::kLayoutCount; ++i) {
    auto layout = static_cast<pro::Layout>(i);
    out.push_back({"pro." + std::string(pro::name(layout)), {}, std::string(pro::orderText(layout)), true});
  }
}

class InProcessService final : public CompilerService {
public:
  explicit InProcessService(bool remembers) : remembers_(remembers) {}

  /// Takes apart what is left, and makes a context for the next call.
  void rest() override {
    left_.reset();
    if (!spare_) {
      spare_ = std::make_unique<CompileContext>();
    }
  }

  CheckResult check(const source::SourcePtr &text, const Options &options, std::stop_token stop) override {
    CheckResult out;
    compile(text, options, stop, {.planner = plannerOf(options)}, out, [](UnitResult &&) {});
    return out;
  }

  InspectResult inspect(const source::SourcePtr &text, const Options &options, std::stop_token stop) override {
    InspectResult out;
    ArchOfKernels arch(options);
    compile(text, options, stop, {.planner = plannerOf(options), .report = true}, out.check, [&](UnitResult &&unit) {
      arch.add(unit);
      out.kernels.push_back(std::move(unit.inspect));
    });
    out.arch = arch.get();
    return out;
  }

  IrResult ir(const source::SourcePtr &text, const Options &options, const IrRequest &request,
              std::stop_token stop) override {
    IrResult out;
    std::vector<std::string> names = passNames();
    if (!request.afterPass.empty() && std::find(names.begin(), names.end(), request.afterPass) == names.end()) {
      out.error = "unknown pass `" + request.afterPass + "`";
      return out;
    }
    Options narrowed = options;
    if (!request.kernel.empty()) {
      narrowed.entries = {request.kernel};
    }
    bool pto = request.form == IrRequest::Form::Pto;
    // Text is wanted even where a kernel is not fit for code: a pass's IR is what explains it.
    bool beyondCheck = pto || request.all || request.afterPass == names.back();
    UnitRequest unitRequest{
        .depth = beyondCheck ? Depth::Lower : Depth::Check, .planner = plannerOf(options), .dumpIr = !pto};
    bool any = false;
    compile(text, narrowed, stop, unitRequest, out.check, [&](UnitResult &&unit) {
      any = true;
      if (pto) {
        for (LoweredKernel &kernel : unit.lowered) {
          out.units.push_back({kernel.name, "", std::move(kernel.pto)});
        }
        return;
      }
      std::string wanted = !request.afterPass.empty() ? request.afterPass : unit.ir.empty() ? "" : unit.ir.back().pass;
      for (IrUnit &entry : unit.ir) {
        if (request.all || entry.pass == wanted) {
          out.units.push_back(std::move(entry));
        }
      }
    });
    if (!any && !request.kernel.empty()) {
      out.error = "no kernel `" + request.kernel + "` in " + text->path;
    }
    return out;
  }

  LowerResult lower(const source::SourcePtr &text, const Options &options, std::stop_token stop) override {
    LowerResult out;
    ArchOfKernels arch(options);
    compile(text, options, stop, {.depth = Depth::Lower, .planner = plannerOf(options)}, out.check,
            [&](UnitResult &&unit) {
              arch.add(unit);
              std::move(unit.lowered.begin(), unit.lowered.end(), std::back_inserter(out.kernels));
            });
    out.arch = arch.get();
    return out;
  }

  index::Index index(const source::SourcePtr &text) override {
    CheckResult ignored;
    return unreadable(text, ignored) ? index::Index{} : index::buildIndex(*parser(*text).parse(text));
  }

  std::vector<index::OpInfo> ops() const override {
    std::vector<index::OpInfo> out;
    for (const std::string &path : ops::opPaths()) {
      ops::OpMatch match = ops::findOp(path);
      index::OpInfo made;
      made.path = path;
      made.documentation = std::string(match.row->doc);
      for (ops::FormKind kind : {ops::FormKind::Tensor, ops::FormKind::Tile}) {
        if (!match.row->form(kind) || match.kind.value_or(kind) != kind) {
          continue;
        }
        std::string text = ops::signatureText(*match.row, kind);
        if (made.signatures.empty() || made.signatures[0] != text) {
          made.signatures.push_back(std::move(text));
        }
      }
      out.push_back(std::move(made));
    }
    addConstants(out);
    addSecondDialect(out);
    std::sort(out.begin(), out.end(), [](const index::OpInfo &a, const index::OpInfo &b) { return a.path < b.path; });
    return out;
  }

  std::vector<std::string> passNames() const override {
    std::vector<std::string> out{std::string(kFrontEndPass)};
    for (std::string_view name : pipeline::checkPassNames()) {
      out.emplace_back(name);
    }
    for (std::string_view name : pipeline::loweringPassNames()) {
      out.emplace_back(name);
    }
    return out;
  }

  Counters counters() const override { return counters_; }

private:
  template <class Sink>
  void compile(const source::SourcePtr &text, const Options &options, const std::stop_token &stop,
               const UnitRequest &request, CheckResult &out, Sink sink) {
    if (unreadable(text, out)) {
      return;
    }
    ++counters_.parse;
    ++counters_.evaluate;
    left_.emplace(); // and what the last call made goes
    frontend::ProgramOptions programOptions;
    programOptions.defines = options.defines;
    programOptions.sources = options.sources;
    programOptions.cache = &modules_;
    programOptions.roots = options.roots;
    programOptions.folder = options.folder;
    std::shared_ptr<const syntax::Module> module = parser(*text).parse(text);
    if (stop.stop_requested()) { // while somebody types, the next text is here already
      out.stopped = true;
      return;
    }
    left_->program = frontend::buildProgram(std::move(module), programOptions);
    frontend::Program *program = left_->program.get();
    out.modulesRead = program->modulesRead;
    if (stop.stop_requested()) {
      out.stopped = true;
      return;
    }
    out.unusedDefines = program->unusedDefines;
    // Syntax faults matter only where there is PL: other Python is none of our business.
    if (importsPl(text->text)) {
      out.diagnostics = program->diagnostics;
    }
    std::string arch = archOf(options);
    std::vector<const frontend::KernelDecl *> kernels;
    for (const frontend::KernelDecl &kernel : program->kernels) {
      if (selected(kernel, options)) {
        kernels.push_back(&kernel);
      }
    }
    std::unique_ptr<CompileContext> &context = left_->context; // for the first kernel: a file without any needs none
    auto needContext = [&] {
      if (!context) {
        context = spare_ ? std::move(spare_) : std::make_unique<CompileContext>();
      }
    };
    frontend::CallTypes calls;
    std::vector<std::optional<UnitResult>> units(kernels.size());
    std::vector<size_t> waiting; // for their types; all others go first, in source order
    std::vector<size_t> order;
    for (size_t i = 0; i < kernels.size(); ++i) {
      (!kernels[i]->second && frontend::hasBareParameter(*kernels[i]) ? waiting : order).push_back(i);
    }
    if (!waiting.empty() && !program->calls.empty()) {
      needContext();
      recordEntryTypes(*program, context->get(), calls);
      std::vector<frontend::CallTypes::Call> ofPython; // these are no kernel's to remember
      calls.takeCalls(ofPython);
    }
    frontend::KernelReader reader(*program, syntax_);
    /// nullopt: stopped.
    auto build = [&](const frontend::KernelDecl &kernel, frontend::CallTypes &types) -> std::optional<UnitResult> {
      std::string chip = kernel.second ? "second:" + options.arch : arch;
      UnitMemo::Asked asked{program, &reader, nullptr, &types, {}, ""};
      if (remembers_) {
        asked = memo_.ask(*program, reader, kernel, types, chip, request);
      }
      if (std::optional<UnitResult> known = memo_.find(asked)) {
        ++counters_.cacheHit;
        return known;
      }
      if (!kernel.second || needsContext(request)) {
        needContext();
      }
      ++(request.depth == Depth::Check ? counters_.check : counters_.lower);
      frontend::EvaluationUse before = frontend::evaluationUse(*program);
      UnitResult unit = kernel.second ? compileProKernel(context.get(), *program, kernel, options.arch, request, stop)
                                      : compileKernel(*context, *program, kernel, arch, request, stop, &types);
      if (unit.stopped) {
        return std::nullopt;
      }
      memo_.keep(asked, before, unit);
      return unit;
    };
    for (size_t done = 0; done < kernels.size(); ++done) {
      size_t next = done < order.size() ? order[done] : nextUnit(kernels, waiting, calls);
      if (stop.stop_requested() || !(units[next] = build(*kernels[next], calls))) {
        out.stopped = true;
        return;
      }
    }
    if (request.depth == Depth::Check && context && !program->calls.empty()) {
      for (const FurtherCall &call : furtherCalls(*program, context->get(), kMaxFurtherCalls)) {
        frontend::CallTypes types = calls.forOneCall();
        types.record(*call.kernel, call.types);
        std::vector<frontend::CallTypes::Call> ofPython; // as above
        types.takeCalls(ofPython);
        // The kernel, and those that it gives other shapes than before.
        std::vector<bool> built(kernels.size());
        auto other = [&](size_t i) {
          return !built[i] &&
                 (kernels[i] == call.kernel || (frontend::hasBareParameter(*kernels[i]) && types.knows(*kernels[i]) &&
                                                types.texts(*kernels[i]) != calls.texts(*kernels[i])));
        };
        for (size_t i = 0; i < kernels.size(); ++i) {
          if (!other(i)) {
            continue;
          }
          std::optional<UnitResult> unit = build(*kernels[i], types);
          if (!unit) {
            out.stopped = true;
            return;
          }
          addFaults(*program, call, *unit, units[i]->diagnostics);
          built[i] = true;
          i = SIZE_MAX; // it may have told the types of an earlier one
        }
      }
    }
    for (size_t i = 0; i < kernels.size(); ++i) {
      std::optional<UnitResult> &unit = units[i];
      ++out.counts.kernels;
      for (diag::Diagnostic &d : unit->diagnostics) {
        if (d.code == diag::NotLowered.code && request.depth == Depth::Check) {
          d.severity = diag::Severity::Information; // our limit, not a fault of the program
        }
      }
      frontend::nameConstants(*program, unit->diagnostics); // after the memo, which keeps what is the kernel's own
      for (diag::Diagnostic &d : unit->diagnostics) {
        if (bringHome(d, *program, *kernels[i])) {
          out.diagnostics.push_back(std::move(d));
        }
      }
      sink(std::move(*unit));
    }
    fixes::addFixes(*program->module, out.diagnostics);
    finish(out);
  }

  /// What goes wrong with the shapes of a later call only.
  static void addFaults(const frontend::Program &program, const FurtherCall &call, UnitResult &unit,
                        std::vector<diag::Diagnostic> &known) {
    const source::SourceText &text = *program.module->source;
    std::string line = std::to_string(text.lines.lineColumn(call.range.begin).line + 1);
    for (diag::Diagnostic &d : unit.diagnostics) {
      bool told = std::any_of(known.begin(), known.end(),
                              [&](const diag::Diagnostic &other) { return other.code == d.code && other.at == d.at; });
      if (d.severity != diag::Severity::Error || told) {
        continue;
      }
      d.message += " (with the shapes of the call in line " + line + ")";
      d.related.push_back({{program.path(), call.range}, "this call", diag::Related::Role::Note});
      known.push_back(std::move(d));
    }
  }

  /// Takes one of the kernels that wait for their types: one that a call has told, else an entry, else the first.
  static size_t nextUnit(const std::vector<const frontend::KernelDecl *> &kernels, std::vector<size_t> &waiting,
                         const frontend::CallTypes &calls) {
    auto isEntry = [&](size_t i) {
      return kernels[i]->kind == frontend::KernelKind::Orchestration || kernels[i]->kind == frontend::KernelKind::Host;
    };
    auto found = std::find_if(waiting.begin(), waiting.end(), [&](size_t i) { return calls.knows(*kernels[i]); });
    found = found != waiting.end() ? found : std::find_if(waiting.begin(), waiting.end(), isEntry);
    found = found != waiting.end() ? found : waiting.begin();
    size_t out = *found;
    waiting.erase(found);
    return out;
  }

  /// A fault in an inlined helper of another module is told at the kernel that uses it. What is no error there is told
  /// where the helper itself is checked: false.
  static bool bringHome(diag::Diagnostic &d, const frontend::Program &program, const frontend::KernelDecl &kernel) {
    if (d.at.path == program.path()) {
      return true;
    }
    if (d.severity != diag::Severity::Error) {
      return false;
    }
    source::SourcePtr text = program.sourceOf(d.at.path);
    std::string line = text ? ":" + std::to_string(text->lines.lineColumn(d.at.range.begin).line + 1) : "";
    std::string name = d.at.path.substr(d.at.path.rfind('/') + 1);
    d.related.insert(d.related.begin(), {d.at, "in this helper, which `" + kernel.name + "` uses", {}});
    d.message += " (at " + name + line + ")";
    d.at = {program.path(), kernel.function->nameRange};
    d.fixes.clear();
    return true;
  }

  static void finish(CheckResult &out) {
    diag::sortAndDedupe(out.diagnostics);
    for (const diag::Diagnostic &d : out.diagnostics) {
      out.counts.errors += d.severity == diag::Severity::Error ? 1 : 0;
      out.counts.warnings += d.severity == diag::Severity::Warning ? 1 : 0;
    }
  }

  static bool unreadable(const source::SourcePtr &text, CheckResult &out) {
    diag::Diagnostic d;
    source::TextFault fault;
    if (text->text.size() > kMaxFileBytes) {
      d.code = diag::FileTooLarge.code;
      d.message = diag::message(diag::FileTooLarge, static_cast<int64_t>(text->text.size()),
                                static_cast<int64_t>(kMaxFileBytes));
    } else {
      fault = source::findTextFault(text->text);
      if (fault.kind == source::TextFault::Kind::None) {
        return false;
      }
      bool nul = fault.kind == source::TextFault::Kind::NulByte;
      d.code = nul ? diag::NulByte.code : diag::InvalidUtf8.code;
      d.message = nul ? diag::message(diag::NulByte, fault.offset) : diag::message(diag::InvalidUtf8, fault.offset);
    }
    d.at = {text->path, {fault.offset, fault.offset}};
    out.diagnostics.push_back(std::move(d));
    finish(out);
    return true;
  }

  /// The parser that saw this path last; those that were used before the others go where they are many, or keep much.
  syntax::Parser &parser(const source::SourceText &text) {
    auto found =
        std::find_if(parsers_.begin(), parsers_.end(), [&](const Kept &entry) { return entry.path == text.path; });
    if (found == parsers_.end()) {
      parsers_.push_front({text.path, std::make_unique<syntax::Parser>()});
    } else {
      parsers_.splice(parsers_.begin(), parsers_, found);
    }
    parsers_.front().bytes = text.text.size();
    size_t bytes = 0;
    size_t count = 0;
    for (auto entry = parsers_.begin(); entry != parsers_.end(); ++entry) {
      bytes += entry->bytes;
      if (++count > 1 && (count > kMaxParsers || bytes > kMaxParsedBytes)) {
        parsers_.erase(entry, parsers_.end());
        break;
      }
      if (count > 1 && bytes > kMaxNodesBytes) {
        entry->parser->forgetNodes();
      }
    }
    return *parsers_.front().parser;
  }

  struct Kept {
    std::string path;
    std::unique_ptr<syntax::Parser> parser;
    size_t bytes = 0; ///< Of the text; its tree is several times as much.
  };
  std::list<Kept> parsers_;
  frontend::ModuleCache modules_;
  UnitMemo memo_;
  frontend::SyntaxMemo syntax_;
  Counters counters_;
  bool remembers_;
  /// What the last call made: it is taken apart when somebody has time.
  struct Left {
    std::unique_ptr<frontend::Program> program;
    std::unique_ptr<CompileContext> context;
  };
  std::optional<Left> left_;
  std::unique_ptr<CompileContext> spare_;
};

} // namespace

std::unique_ptr<CompilerService> makeInProcessService(bool remembers) {
  return std::make_unique<InProcessService>(remembers);
}

} // namespace placid::compiler
