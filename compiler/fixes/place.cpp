// SPDX-License-Identifier: Apache-2.0
#include "compiler/fixes/place.h"

#include <charconv>

namespace placid::fixes {

namespace {

using source::ByteRange;
using syntax::Expr;
using syntax::Stmt;

bool holds(ByteRange outer, ByteRange inner) { return outer.begin <= inner.begin && inner.end <= outer.end; }

class Finder {
public:
  explicit Finder(ByteRange wanted) : wanted_(wanted) {}

  void block(const std::vector<const Stmt *> &body) {
    for (const Stmt *stmt : body) {
      if (holds(stmt->range, wanted_)) {
        statement(*stmt);
      }
    }
  }
  Place take() { return std::move(place_); }

private:
  void statement(const Stmt &stmt) {
    place_.statement = &stmt;
    for (const Expr *decorator : stmt.decorators) {
      top(decorator);
    }
    for (const syntax::Parameter &parameter : stmt.parameters) {
      top(parameter.annotation);
      top(parameter.defaultValue);
    }
    top(stmt.value);
    top(stmt.annotation);
    for (const Expr *target : stmt.targets) {
      top(target);
    }
    for (const syntax::WithItem &item : stmt.items) {
      top(item.value);
      top(item.target);
    }
    block(stmt.body);
    block(stmt.orelse);
  }

  void top(const Expr *expr) {
    if (expr && holds(expr->range, wanted_)) {
      place_.around.clear();
      descend(*expr);
    }
  }

  void descend(const Expr &expr) {
    place_.around.push_back(&expr);
    if (expr.range == wanted_) {
      return;
    }
    auto child = [&](const Expr *next) {
      bool in = next && holds(next->range, wanted_) && next->range.begin < next->range.end;
      if (in) {
        descend(*next);
      }
      return in;
    };
    for (const Expr *next : expr.children) {
      if (child(next)) {
        return;
      }
    }
    for (const syntax::Keyword &word : expr.keywords) {
      if (child(word.value)) {
        return;
      }
    }
  }

  ByteRange wanted_;
  Place place_;
};

struct Width {
  std::string_view name;
  int64_t c0;
};
constexpr Width kWidths[] = {
    {"INT8", 32}, {"UINT8", 32}, {"FP8E4M3FN", 32}, {"FP8E5M2", 32}, {"FP8E8M0", 32},
    {"HF8", 32},  {"FP16", 16},  {"BF16", 16},      {"INT16", 16},   {"UINT16", 16},
    {"FP32", 8},  {"INT32", 8},  {"UINT32", 8},     {"INT64", 4},    {"UINT64", 4},
};

} // namespace

Place placeOf(const syntax::Module &module, ByteRange range) {
  Finder finder(range);
  finder.block(module.body);
  return finder.take();
}

std::optional<int64_t> literal(const Expr *expr) {
  if (!expr) {
    return std::nullopt;
  }
  if (expr->kind == Expr::Kind::Unary && expr->text == "-") {
    std::optional<int64_t> inner = literal(expr->children[0]);
    return inner ? std::optional(-*inner) : std::nullopt;
  }
  int64_t value = 0;
  const char *end = expr->text.data() + expr->text.size();
  auto [stop, error] = std::from_chars(expr->text.data(), end, value);
  bool whole = expr->kind == Expr::Kind::Int && error == std::errc() && stop == end;
  return whole ? std::optional(value) : std::nullopt;
}

const Expr *callAround(const Place &place) {
  for (size_t up = 0; up < place.around.size(); ++up) {
    const Expr *expr = place.around[place.around.size() - 1 - up];
    if (expr->kind == Expr::Kind::Call) {
      return expr;
    }
  }
  return nullptr;
}

const syntax::Keyword *keyword(const Expr &call, std::string_view name) {
  for (const syntax::Keyword &word : call.keywords) {
    if (word.name == name) {
      return &word;
    }
  }
  return nullptr;
}

std::string languageName(const syntax::Module &module) {
  for (const Stmt *stmt : module.body) {
    for (const syntax::ImportedName &imported : stmt->imports) {
      bool whole = stmt->kind == Stmt::Kind::Import && imported.name == "pypto.language";
      bool part = stmt->kind == Stmt::Kind::ImportFrom && stmt->text == "pypto" && imported.name == "language";
      if (whole || part) {
        return std::string(imported.asName);
      }
    }
  }
  return "pl";
}

TensorWords tensorAround(const Place &annotation) {
  TensorWords out;
  for (size_t up = 0; up < annotation.around.size(); ++up) {
    const Expr *expr = annotation.around[annotation.around.size() - 1 - up];
    bool tensor = expr->kind == Expr::Kind::Subscript && expr->children.size() >= 3 &&
                  (expr->children[1]->kind == Expr::Kind::List || expr->children[1]->kind == Expr::Kind::Tuple);
    if (tensor) {
      out.dims = expr->children[1];
      for (const Width &width : kWidths) {
        out.c0 = expr->children[2]->text == width.name ? width.c0 : out.c0;
      }
      return out;
    }
  }
  return out;
}

} // namespace placid::fixes
