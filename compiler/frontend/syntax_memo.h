// SPDX-License-Identifier: Apache-2.0
// What definitions say and which names they read, kept by their texts: of an edited file, and of the modules that many
// files import, nearly all are the same as before. Apart from what the names mean (kernel_reads.h), which is not kept.
// The thread of the compiler.
#pragma once

#include "compiler/frontend/ast_bytes.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace placid::frontend {

/// 16 bytes; equal for equal texts, and as good as never for others.
std::string digest(std::string_view bytes);

class SyntaxMemo {
public:
  struct Reads {
    std::string meaning;          ///< A digest of its AstBytes.
    std::vector<NameChain> names; ///< Each once, in the order of the first. Views of `words`.
    std::string words;
  };
  /// `definition` is one of `module`. The result stays as long as somebody holds it.
  std::shared_ptr<const Reads> read(const syntax::Module &module, const syntax::Stmt &definition);

private:
  std::map<std::string, std::shared_ptr<const Reads>> known_; ///< By digests of texts.
};

} // namespace placid::frontend
