// SPDX-License-Identifier: Apache-2.0
// What a piece of syntax says, as bytes: equal bytes mean equal nodes, wherever they stand and whatever comments and
// blanks are between them. Also lists the names that it reads. Apart from what the names mean (kernel_reads.h). Pure;
// any thread.
#pragma once

#include "compiler/syntax/ast.h"

#include <string>
#include <string_view>
#include <vector>

namespace placid::frontend {

/// `a`, or `a.b.c`: a name and the attributes after it.
using NameChain = std::vector<std::string_view>;

class AstBytes {
public:
  explicit AstBytes(std::string &out) : out_(out) {}

  void put(const syntax::Stmt &stmt);
  void put(const syntax::Expr *expr); ///< May be null.
  void put(const syntax::PythonExpr &expr);
  void put(const syntax::Parameter &parameter);
  void put(std::string_view text);
  void putNumber(uint64_t value);
  template <class T, class Put> void putList(const T &list, Put put) {
    putNumber(list.size());
    for (const auto &item : list) {
      put(item);
    }
  }

  /// Of everything that was put; in order, with repetitions. Words in texts count as names: they may be annotations.
  const std::vector<NameChain> &names() const { return names_; }

private:
  void putBlock(const std::vector<const syntax::Stmt *> &statements);
  bool putChain(const syntax::Expr &expr);
  void wordsOf(std::string_view text);

  std::string &out_;
  std::vector<NameChain> names_;
};

} // namespace placid::frontend
