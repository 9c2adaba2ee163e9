// SPDX-License-Identifier: Apache-2.0
// Extents as text: names of dynamic dimensions and what declarations compute from them, such as `n * 3` or
// `(M + 1) // 2`. Apart from the compiler's own expressions because a manifest has only the text. Python's meaning of
// the operators; knows nothing of tensors. Pure; any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace placid::support {

class ExtentExpr {
public:
  /// Integers, identifiers, `+ - * // %` and brackets. Nothing for every other text: that is a name of its own.
  static std::optional<ExtentExpr> parse(std::string_view text);

  /// The identifiers, each once, in the order of the text.
  std::vector<std::string> names() const;
  /// The text is an identifier and nothing else.
  bool isName() const { return nodes_.size() == 1 && nodes_[0].kind == 'n'; }

  using Lookup = std::function<std::optional<int64_t>(const std::string &name)>;
  /// Nothing where a name is unknown, where a divisor is zero, and beyond 64 bits.
  std::optional<int64_t> evaluate(const Lookup &lookup) const;

  /// Built from the leaves up; `operation` gets one of "+", "-", "*", "//", "%".
  using Leaf = std::function<std::string(const std::string &text, bool isNumber)>;
  using Operation =
      std::function<std::string(std::string_view operation, const std::string &left, const std::string &right)>;
  std::string print(const Leaf &leaf, const Operation &operation) const;

private:
  struct Node {
    char kind = 'n'; ///< 'n' a name, '0' a number, else an operator: '+', '-', '*', '/' or '%'.
    std::string text;
    int64_t number = 0;
    size_t left = 0; ///< Indices of nodes that stand before this one.
    size_t right = 0;
  };
  class Parser;

  std::vector<Node> nodes_; ///< Operands first; the last is the root.
};

} // namespace placid::support
