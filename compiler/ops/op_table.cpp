// SPDX-License-Identifier: Apache-2.0
#include "compiler/ops/op_table.h"

#include <algorithm>
#include <deque>
#include <map>

namespace placid::ops {

namespace {

struct Source {
  std::string_view name;
  Place place;
  Category category;
  const char *tensorForm;
  Rule tensorRule;
  const char *tileForm;
  Rule tileRule;
  std::string_view memory;
  std::string_view effect;
  std::string_view doc;
};

#define OP(name, place, category, tensorForm, tensorRule, tileForm, tileRule, memory, effect, doc)                     \
  {name, Place::place, Category::category, tensorForm, Rule::tensorRule, tileForm, Rule::tileRule, memory, effect, doc},
constexpr Source kPl[] = {
#include "compiler/ops/pl_ops.def"
};
constexpr Source kPld[] = {
#include "compiler/ops/pld_ops.def"
};
constexpr Source kInner[] = {
#include "compiler/ops/inner_ops.def"
};
#undef OP

std::string_view lastPart(std::string_view path) { return path.substr(path.rfind('.') + 1); }

/// Cuts `text` at its first `separator`; the whole when there is none.
std::string_view cut(std::string_view &text, std::string_view separator) {
  size_t at = text.find(separator);
  std::string_view head = text.substr(0, at);
  text = at == std::string_view::npos ? std::string_view() : text.substr(at + separator.size());
  return head;
}

/// "Vec,-,Vec->Vec@0"
MemoryRule parseMemory(std::string_view text) {
  MemoryRule out;
  std::string_view operands = cut(text, "->");
  while (!operands.empty()) {
    out.operands.push_back(cut(operands, ","));
  }
  out.result = cut(text, "@");
  if (!text.empty()) {
    out.inPlace = text.front() - '0';
  }
  return out;
}

struct Table {
  std::deque<Form> forms;
  std::vector<OpRow> rows;
  std::vector<OpRow> inner; ///< Without a path.
  std::map<std::string, OpMatch, std::less<>> byPath;
  std::map<std::string, OpMatch, std::less<>> byIrName;
  std::vector<std::string> paths;

  Table() {
    rows.reserve(std::size(kPl) + std::size(kPld));
    for (const Source &source : kPl) {
      add(source, Dialect::Pl, rows);
    }
    for (const Source &source : kPld) {
      add(source, Dialect::Pld, rows);
    }
    for (const OpRow &row : rows) {
      index(row);
    }
    inner.reserve(std::size(kInner));
    for (const Source &source : kInner) {
      add(source, Dialect::Pl, inner);
      byIrName.emplace(irName(inner.back(), FormKind::Tile), OpMatch{&inner.back(), FormKind::Tile});
    }
    for (const auto &[path, match] : byPath) {
      paths.push_back(path);
    }
  }

  void add(const Source &source, Dialect dialect, std::vector<OpRow> &to) {
    OpRow row{
        source.name, source.place, dialect, source.category, nullptr, nullptr, parseMemory(source.memory), Effect::Pure,
        source.doc,  {},           {}};
    auto form = [&](const char *text, Rule rule) -> const Form * {
      return text ? &forms.emplace_back(parseForm(text, rule)) : nullptr;
    };
    row.tensor = form(source.tensorForm, source.tensorRule);
    row.tile = form(source.tileForm, source.tileRule);
    std::string_view effect = source.effect;
    std::string_view word = cut(effect, " ");
    row.effect = word.empty()          ? Effect::Pure
                 : word == "allocates" ? Effect::Allocates
                 : word == "reads"     ? Effect::Reads
                 : word == "writes"    ? Effect::Writes
                                       : Effect::Sync;
    row.writesTensor = cut(effect, "|");
    row.writesTile = effect.empty() ? row.writesTensor : effect;
    to.push_back(std::move(row));
  }

  void index(const OpRow &row) {
    std::string name(row.name);
    for (FormKind kind : {FormKind::Tensor, FormKind::Tile}) {
      if (row.form(kind)) {
        byIrName.emplace(irName(row, kind), OpMatch{&row, kind});
        byPath.emplace(pathOf(row, kind), OpMatch{&row, kind});
      }
    }
    switch (row.place) {
    case Place::Unified:
      byPath.emplace("pl." + name, OpMatch{&row, row.tensor && row.tile ? std::optional<FormKind>()
                                                 : row.tile             ? FormKind::Tile
                                                                        : FormKind::Tensor});
      break;
    case Place::Tensor:
      byPath.emplace("pl." + name, OpMatch{&row, FormKind::Tensor});
      break;
    case Place::Tile:
      byPath.emplace("pl." + name, OpMatch{&row, FormKind::Tile});
      break;
    case Place::Promoted:
      byPath.emplace("pl." + std::string(lastPart(name)), OpMatch{&row, FormKind::Tensor});
      break;
    case Place::Short:
      // The first row of a short name stands for it; `findOp` callers try the next by the operand.
      byPath.emplace("pld." + std::string(lastPart(name)), OpMatch{&row, FormKind::Tensor});
      break;
    case Place::Namespaced:
    case Place::Qualified:
      break;
    }
  }
};

const Table &table() {
  static const Table kTable;
  return kTable;
}

} // namespace

bool OpRow::hasNamespaces() const { return name.find('.') == std::string_view::npos; }

std::span<const OpRow> allOps() { return table().rows; }

OpMatch findOp(std::string_view path) {
  auto found = table().byPath.find(path);
  return found == table().byPath.end() ? OpMatch() : found->second;
}

std::string irNameWithScalar(std::string_view irName) {
  return std::string(irName.ends_with('_') ? irName.substr(0, irName.size() - 1) : irName) + "s";
}

OpMatch findIrName(std::string_view name) {
  auto found = table().byIrName.find(name);
  return found == table().byIrName.end() ? OpMatch() : found->second;
}

const std::vector<std::string> &opPaths() { return table().paths; }

std::string irName(const OpRow &row, FormKind kind) {
  if (row.hasNamespaces()) {
    return (kind == FormKind::Tile ? "tile." : "tensor.") + std::string(row.name);
  }
  return std::string(row.dialect == Dialect::Pl ? row.name.substr(3) : row.name);
}

std::string pathOf(const OpRow &row, FormKind kind) {
  return row.hasNamespaces() ? "pl." + irName(row, kind) : std::string(row.name);
}

std::string shortPath(const OpRow &row, FormKind kind) {
  std::string path = (row.dialect == Dialect::Pl ? "pl." : "pld.") + std::string(lastPart(row.name));
  if (row.place == Place::Qualified && row.hasNamespaces()) {
    return path; // of the other dialect
  }
  OpMatch match = findOp(path);
  return match.row == &row && match.kind.value_or(kind) == kind ? path : pathOf(row, kind);
}

} // namespace placid::ops
