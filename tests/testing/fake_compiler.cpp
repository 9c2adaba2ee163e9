// SPDX-License-Identifier: Apache-2.0
#include "tests/testing/fake_compiler.h"

#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>

namespace placid::testing {

namespace {

std::optional<source::ByteRange> findWord(std::string_view text, std::string_view word, size_t from = 0) {
  size_t at = text.find(word, from);
  if (at == std::string_view::npos) {
    return std::nullopt;
  }
  return source::ByteRange{static_cast<uint32_t>(at), static_cast<uint32_t>(at + word.size())};
}

template <class Visit> void forEach(std::string_view text, std::string_view word, Visit visit) {
  for (auto range = findWord(text, word); range; range = findWord(text, word, range->end)) {
    visit(*range);
  }
}

template <class... Args>
diag::Diagnostic make(diag::Kind<Args...> kind, const std::string &path, source::ByteRange range,
                      const std::type_identity_t<Args> &...args) {
  diag::Diagnostic out;
  out.code = kind.code;
  out.severity = diag::find(kind.code)->severity;
  out.at = {path, range};
  out.message = diag::message(kind, args...);
  out.kernel = "Fake.kern";
  return out;
}

// NOLINTNEXTLINE(misc-no-recursion): that is what it is for
void exhaustStack(volatile int *depth) {
  volatile char frame[4096];
  frame[0] = static_cast<char>(*depth);
  *depth = *depth + 1;
  if (*depth > 0) { // always; the compiler need not know
    exhaustStack(depth);
  }
  frame[1] = frame[0]; // not a tail call
}

compiler::CheckResult checkText(const source::SourceText &source) {
  compiler::CheckResult result;
  std::string_view text = source.text;
  const std::string &path = source.path;
  std::optional<source::ByteRange> annotation = findWord(text, "pl.NZ");
  std::vector<diag::Diagnostic> &out = result.diagnostics;
  forEach(text, "ERR", [&](source::ByteRange r) { out.push_back(make(diag::UndefinedName, path, r, "ERR", "")); });
  forEach(text, "WARN", [&](source::ByteRange r) { out.push_back(make(diag::NotSupportedYet, path, r, "WARN")); });
  forEach(text, "OTHER",
          [&](source::ByteRange) { out.push_back(make(diag::UndefinedName, "other.py", {3, 5}, "OTHER", "")); });
  forEach(text, "ICE", [&](source::ByteRange r) { out.push_back(make(diag::InternalError, path, r, "fake")); });
  forEach(text, "BADUSE", [&](source::ByteRange r) {
    diag::Diagnostic bad = make(diag::NzOffsetAlign, path, r, "the offset `r0` is not a multiple of 16");
    if (annotation) {
      bad.annotation = diag::Location{path, *annotation};
      bad.related.push_back({*bad.annotation, "declared NZ here", diag::Related::Role::Annotation});
    }
    bad.fixes.push_back({"use a multiple of 16", {{{path, r}, "16"}}});
    out.push_back(std::move(bad));
  });
  if (annotation && text.find("BADNZ") != std::string_view::npos) {
    diag::Diagnostic bad = make(diag::NzRowsAlign, path, *annotation, "shape[-2]", "w", int64_t{40});
    bad.annotation = bad.at;
    out.push_back(std::move(bad));
  }
  forEach(text, "USES=", [&](source::ByteRange r) {
    result.modulesRead.emplace_back(text.substr(r.end, text.find_first_of(" \n", r.end) - r.end));
  });
  diag::sortAndDedupe(out);
  result.counts.kernels = text.find("import pypto") != std::string_view::npos ? 1 : 0;
  for (const diag::Diagnostic &diagnostic : out) {
    result.counts.errors += diagnostic.severity == diag::Severity::Error ? 1 : 0;
    result.counts.warnings += diagnostic.severity == diag::Severity::Warning ? 1 : 0;
  }
  return result;
}

} // namespace

compiler::CheckResult FakeCompiler::check(const source::SourcePtr &text, const compiler::Options &options,
                                          std::stop_token stop) {
  ++checks;
  lastOptions = options;
  if (onWork) {
    onWork(*text, stop);
  }
  if (text->text.find("THROW") != std::string::npos) {
    throw std::runtime_error("thrown");
  }
  if (text->text.find("CRASH") != std::string::npos) {
    std::abort();
  }
  while (text->text.find("HANG") != std::string::npos) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  if (text->text.find("OVERFLOW") != std::string::npos) {
    volatile int depth = 0;
    exhaustStack(&depth);
  }
  compiler::CheckResult result = checkText(*text);
  result.stopped = stop.stop_requested();
  return result;
}

compiler::InspectResult FakeCompiler::inspect(const source::SourcePtr &text, const compiler::Options &options,
                                              std::stop_token stop) {
  ++inspects;
  lastOptions = options;
  if (onWork) {
    onWork(*text, stop);
  }
  if (text->text.find("THROW") != std::string::npos) {
    throw std::runtime_error("thrown");
  }
  compiler::InspectResult result;
  result.arch = options.arch.empty() ? "a3" : options.arch;
  result.check = checkText(*text);
  result.check.stopped = stop.stop_requested();
  compiler::InspectKernel kernel{"Fake.kern", {}, {}};
  if (auto annotation = findWord(text->text, "pl.NZ")) {
    compiler::InspectTensor tensor{"w", "kern", *annotation, "NZ", "FP16", {}, 16, {}, {}, ""};
    tensor.logical = {int64_t{192}, int64_t{64}};
    tensor.blocked = {int64_t{1}, int64_t{4}, int64_t{12}, int64_t{16}, int64_t{16}};
    tensor.strides = {int64_t{12288}, int64_t{3072}, int64_t{256}, int64_t{16}, int64_t{1}};
    kernel.tensors.push_back(std::move(tensor));
  }
  if (auto range = findWord(text->text, "LOAD")) {
    compiler::InspectAccess access;
    access.op = "load";
    access.tensor = "w";
    access.result = "w_l1";
    access.range = *range;
    access.offsets = {int64_t{0}, int64_t{0}, std::string("floordiv(r0, 16)"), int64_t{0}, int64_t{0}};
    access.sizes = {int64_t{1}, int64_t{4}, int64_t{3}, int64_t{16}, int64_t{16}};
    access.tile = {int64_t{48}, int64_t{64}};
    access.gapBlocks = 144;
    access.proof = {{-2, 16, "r0", "48 * lane: factor 48", "block index"}};
    kernel.accesses.push_back(std::move(access));
  }
  if (auto range = findWord(text->text, "BADUSE")) {
    compiler::InspectAccess access;
    access.op = "load";
    access.tensor = "w";
    access.range = *range;
    access.rejected = "nz-offset-align";
    kernel.accesses.push_back(std::move(access));
  }
  result.kernels.push_back(std::move(kernel));
  return result;
}

compiler::IrResult FakeCompiler::ir(const source::SourcePtr &text, const compiler::Options &,
                                    const compiler::IrRequest &request, std::stop_token) {
  compiler::IrResult result;
  result.check = checkText(*text);
  if (!request.kernel.empty() && request.kernel != "Fake.kern") {
    result.error = "no kernel `" + request.kernel + "`";
    return result;
  }
  bool pto = request.form == compiler::IrRequest::Form::Pto;
  for (const char *name : {"one", "two"}) {
    std::string pass = request.all ? "FirstPass" : "";
    result.units.push_back({name, pass, (pto ? "pto " : "pl ") + std::string(name) + "\n"});
  }
  return result;
}

compiler::LowerResult FakeCompiler::lower(const source::SourcePtr &text, const compiler::Options &options,
                                          std::stop_token) {
  compiler::LowerResult result;
  result.arch = options.arch.empty() ? "a3" : options.arch;
  result.check = checkText(*text);
  result.kernels.push_back(
      {"kern",
       "Fake.kern",
       options.planner.empty() ? "placid" : options.planner,
       "aic",
       "module {}\n",
       {{"w", "tensor", "in", "FP16", "NZ", {int64_t{192}, int64_t{64}}, {int64_t{1}, int64_t{4}}}}});
  return result;
}

index::Index FakeCompiler::index(const source::SourcePtr &text) {
  index::Index out;
  auto whole = static_cast<uint32_t>(text->text.size());
  out.nodes.push_back({0, whole});
  forEach(text->text, "NAME", [&](source::ByteRange range) {
    if (out.symbols.empty()) {
      index::Symbol symbol;
      symbol.name = "NAME";
      symbol.kind = index::SymbolKind::Kernel;
      symbol.range = {range.begin, whole};
      symbol.nameRange = range;
      symbol.detail = "(w)";
      out.symbols.push_back(std::move(symbol));
    }
    out.occurrences.push_back({range, 0, out.occurrences.empty()});
    out.nodes.push_back(range);
  });
  forEach(text->text, "pl.load", [&](source::ByteRange range) {
    out.members.push_back({{range.begin + 3, range.end}, "pypto.language.load"});
    out.calls.push_back({range, range, "pypto.language.load", index::kNone, out.symbols.empty() ? index::kNone : 0, 0});
  });
  return out;
}

std::vector<index::OpInfo> FakeCompiler::ops() const {
  return {{"pl.load", {"tensor, offsets, shapes, target_memory?"}, "Reads a window.", true},
          {"pl.store", {"tile, offsets, output_tensor"}, "", true},
          {"pl.tile.load", {"tensor, offsets, shapes, target_memory?"}, "", true}};
}

bool fakeImportsPl(std::string_view text) { return text.find("import pypto") != std::string_view::npos; }

} // namespace placid::testing
