// SPDX-License-Identifier: Apache-2.0
// A compiler of a few words, for tests of the server: it marks words of the text and describes one fixed NZ tensor. No
// MLIR, so such tests run under every sanitizer. Words:
//   ERR    error PL2001 on the word            WARN   warning PL2003 on the word
//   BADUSE error PL3105 on the word, blamed on the first `pl.NZ` of the text (annotation and related place)
//   BADNZ  error PL3101 on the first `pl.NZ` itself
//   OTHER  error PL2001 in other.py            ICE    error PL9000 on the word        THROW  throws
//   CRASH  aborts the process         OVERFLOW  exhausts the stack
//   HANG   never comes back from a check, whatever the stop token says
//   USES=p the result depends on the module at path p (up to the next space or line end)
//   NAME   a symbol: each occurrence is one of it; inside f(NAME) a call of pl.load
//   KERNEL=n  lowered, its kernel is called n
//   LOAD   an access with offsets and a proof, listed by inspect
#pragma once

#include "compiler/driver/compiler_service.h"

#include <atomic>
#include <functional>

namespace placid::testing {

class FakeCompiler final : public compiler::CompilerService {
public:
  compiler::CheckResult check(const source::SourcePtr &text, const compiler::Options &options,
                              std::stop_token stop) override;
  compiler::InspectResult inspect(const source::SourcePtr &text, const compiler::Options &options,
                                  std::stop_token stop) override;
  compiler::IrResult ir(const source::SourcePtr &text, const compiler::Options &options,
                        const compiler::IrRequest &request, std::stop_token stop) override;
  compiler::LowerResult lower(const source::SourcePtr &text, const compiler::Options &options,
                              std::stop_token stop) override;
  index::Index index(const source::SourcePtr &text) override;
  std::vector<index::OpInfo> ops() const override;
  std::vector<std::string> passNames() const override { return {"FirstPass", "SecondPass"}; }

  /// Called at the start of every check and inspect; a test may hold the thread here or look at the token.
  std::function<void(const source::SourceText &, std::stop_token)> onWork;
  std::atomic<int> checks = 0;
  std::atomic<int> inspects = 0;
  compiler::Options lastOptions;
};

/// Stands for compiler::importsPl in command tests.
bool fakeImportsPl(std::string_view text);

} // namespace placid::testing
