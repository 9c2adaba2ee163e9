// SPDX-License-Identifier: Apache-2.0
// Text into the whole compiler: parse, front end, passes, PTO IR. Besides not crashing and not hanging: no fault of
// ours (PL9000) is ever reported, every place lies inside the text, diagnostics are sorted, and a second run says the
// same.
#include "compiler/driver/in_process.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

using namespace placid;

void require(bool condition, const char *what) {
  if (!condition) {
    std::fprintf(stderr, "violated: %s\n", what);
    std::abort();
  }
}

void inspectResult(const compiler::CheckResult &result, const source::SourceText &text) {
  const diag::Diagnostic *before = nullptr;
  for (const diag::Diagnostic &d : result.diagnostics) {
    if (d.code == diag::InternalError.code) {
      std::fprintf(stderr, "%s\n", d.message.c_str());
    }
    require(d.code != diag::InternalError.code, "no internal error");
    require(diag::find(d.code) != nullptr, "a code of the catalogue");
    require(!d.message.empty(), "a message");
    auto inside = [&](const diag::Location &at) {
      return at.range.begin <= at.range.end && at.range.end <= text.text.size();
    };
    require(inside(d.at), "a place inside the text");
    for (const diag::Related &related : d.related) {
      require(inside(related.at), "a related place inside the text");
    }
    require(!before || !(d.at.range < before->at.range), "sorted diagnostics");
    before = &d;
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  // A copy: the text must end where the input ends.
  auto text = std::make_shared<source::SourceText>("fuzz.py", std::string(reinterpret_cast<const char *>(data), size));
  compiler::Options options;
  options.arch = size % 2 == 0 ? "a3" : "a5";
  std::unique_ptr<compiler::CompilerService> service = compiler::makeInProcessService();
  compiler::CheckResult checked = service->check(text, options, {});
  inspectResult(checked, *text);
  compiler::InspectResult inspected = service->inspect(text, options, {});
  require(inspected.check.diagnostics == checked.diagnostics, "inspect and check agree, and so do two runs");
  inspectResult(service->lower(text, options, {}).check, *text);
  return 0;
}
