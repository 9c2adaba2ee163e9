// SPDX-License-Identifier: Apache-2.0
#include "compiler/support/extent_expr.h"

#include <algorithm>
#include <charconv>

namespace placid::support {

namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Also what is not ASCII: identifiers may be in any script.
bool isWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || isDigit(c) ||
         static_cast<unsigned char>(c) >= 0x80;
}

std::optional<int64_t> apply(char operation, int64_t a, int64_t b) {
  int64_t out = 0;
  switch (operation) {
  case '+':
    return __builtin_add_overflow(a, b, &out) ? std::nullopt : std::optional(out);
  case '-':
    return __builtin_sub_overflow(a, b, &out) ? std::nullopt : std::optional(out);
  case '*':
    return __builtin_mul_overflow(a, b, &out) ? std::nullopt : std::optional(out);
  default:
    break;
  }
  if (b == 0 || (b == -1 && a == INT64_MIN)) {
    return std::nullopt;
  }
  const int64_t rest = a % b;
  const bool down = rest != 0 && (rest < 0) != (b < 0);
  return operation == '/' ? a / b - (down ? 1 : 0) : rest + (down ? b : 0);
}

} // namespace

/// By precedence; brackets nest to a fixed depth.
class ExtentExpr::Parser {
public:
  explicit Parser(std::string_view text) : text_(text) {}

  std::optional<ExtentExpr> run() {
    std::optional<size_t> root = sum();
    skip();
    if (!root || at_ != text_.size()) {
      return std::nullopt;
    }
    return std::move(out_);
  }

private:
  static constexpr int kMaxDepth = 64;

  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') {
      ++at_;
    }
  }

  bool eat(std::string_view token) {
    skip();
    if (!text_.substr(at_).starts_with(token)) {
      return false;
    }
    at_ += token.size();
    return true;
  }

  size_t add(Node node) {
    out_.nodes_.push_back(std::move(node));
    return out_.nodes_.size() - 1;
  }

  std::optional<size_t> sum() {
    std::optional<size_t> left = product();
    while (left) {
      const char operation = eat("+") ? '+' : eat("-") ? '-' : 0;
      if (operation == 0) {
        break;
      }
      std::optional<size_t> right = product();
      left = right ? std::optional(add({operation, {}, 0, *left, *right})) : std::nullopt;
    }
    return left;
  }

  std::optional<size_t> product() {
    std::optional<size_t> left = leaf();
    while (left) {
      const char operation = eat("//") ? '/' : eat("%") ? '%' : eat("*") ? '*' : 0;
      if (operation == 0) {
        break;
      }
      std::optional<size_t> right = leaf();
      left = right ? std::optional(add({operation, {}, 0, *left, *right})) : std::nullopt;
    }
    return left;
  }

  std::optional<size_t> leaf() {
    if (eat("(")) {
      if (++depth_ > kMaxDepth) {
        return std::nullopt;
      }
      std::optional<size_t> inner = sum();
      --depth_;
      return inner && eat(")") ? inner : std::nullopt;
    }
    skip();
    const size_t begin = at_;
    while (at_ < text_.size() && isWord(text_[at_])) {
      ++at_;
    }
    Node node;
    node.text = text_.substr(begin, at_ - begin);
    if (node.text.empty()) {
      return std::nullopt;
    }
    if (isDigit(node.text[0])) {
      node.kind = '0';
      const char *end = node.text.data() + node.text.size();
      auto [stop, error] = std::from_chars(node.text.data(), end, node.number);
      if (error != std::errc() || stop != end) {
        return std::nullopt;
      }
    }
    return add(std::move(node));
  }

  std::string_view text_;
  size_t at_ = 0;
  int depth_ = 0;
  ExtentExpr out_;
};

std::optional<ExtentExpr> ExtentExpr::parse(std::string_view text) { return Parser(text).run(); }

std::vector<std::string> ExtentExpr::names() const {
  std::vector<std::string> out;
  for (const Node &node : nodes_) {
    if (node.kind == 'n' && std::find(out.begin(), out.end(), node.text) == out.end()) {
      out.push_back(node.text);
    }
  }
  return out;
}

std::optional<int64_t> ExtentExpr::evaluate(const Lookup &lookup) const {
  std::vector<int64_t> values;
  for (const Node &node : nodes_) {
    std::optional<int64_t> value = node.kind == '0'   ? node.number
                                   : node.kind == 'n' ? lookup(node.text)
                                                      : apply(node.kind, values[node.left], values[node.right]);
    if (!value) {
      return std::nullopt;
    }
    values.push_back(*value);
  }
  return values.back();
}

std::string ExtentExpr::print(const Leaf &leaf, const Operation &operation) const {
  std::vector<std::string> texts;
  for (const Node &node : nodes_) {
    texts.push_back(node.kind == '0' || node.kind == 'n'
                        ? leaf(node.text, node.kind == '0')
                        : operation(node.kind == '/' ? "//" : std::string_view(&node.kind, 1), texts[node.left],
                                    texts[node.right]));
  }
  return texts.back();
}

} // namespace placid::support
