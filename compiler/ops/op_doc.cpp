// SPDX-License-Identifier: Apache-2.0
#include "compiler/ops/op_doc.h"

namespace placid::ops {

namespace {

/// "Left, Right → Acc"; empty where there is nothing to say.
std::string memoryText(const OpRow &row) {
  std::string out;
  for (std::string_view operand : row.memory.operands) {
    out += (out.empty() ? "" : ", ") + std::string(operand == "-" ? "–" : operand);
  }
  std::string_view result = row.memory.result;
  if (result.starts_with("=")) {
    result = "that of the first operand";
  }
  if (result.empty() && out.empty()) {
    return "";
  }
  out += (out.empty() ? "→ " : " → ") + (result.empty() ? "nothing" : std::string(result));
  if (row.memory.inPlace && row.tile) {
    out += ", in place of `" + std::string(row.tile->parameters[static_cast<size_t>(*row.memory.inPlace)].name) + "`";
  }
  return out;
}

/// In a table cell a bar would end the cell.
std::string cell(std::string text) {
  std::string out;
  for (char c : text) {
    out += c == '|' ? "\\|" : std::string(1, c);
  }
  return out;
}

std::string form(const OpRow &row, FormKind kind) {
  return row.form(kind) ? "`(" + cell(signatureText(row, kind)) + ")`" : "–";
}

} // namespace

std::string documentation(const OpRow &row) {
  std::string out;
  for (FormKind kind : {FormKind::Tensor, FormKind::Tile}) {
    if (row.form(kind)) {
      out += "```python\n" + pathOf(row, kind) + "(" + signatureText(row, kind) + ")\n```\n";
    }
  }
  out += "\n" + std::string(row.doc) + "\n";
  if (std::string memory = memoryText(row); !memory.empty()) {
    out += "\nTile memory: " + memory + "\n";
  }
  return out;
}

std::string operationsPage() {
  size_t forms = 0;
  for (const OpRow &row : allOps()) {
    forms += (row.tensor ? 1U : 0U) + (row.tile ? 1U : 0U);
  }
  std::string out =
      "# Operations\n\nGenerated from `compiler/ops/*.def` by `placid-ops`; a test compares. " +
      std::to_string(allOps().size()) + " operations with " + std::to_string(forms) +
      " forms, which users reach under " + std::to_string(opPaths().size()) +
      " names.\n\nNames, parameters, defaults and memory rules were taken from the public sources of "
      "`pypto.language` (hw-native-sys/pypto,\nits language package and type deducers); the sentences are "
      "placid's own. Columns: a *form* is what a call takes on tensors\nand on tiles; *memory* is where "
      "the operands of the tile form have to live and where its result does.\n";
  const Category *open = nullptr;
  for (const OpRow &row : allOps()) {
    if (!open || *open != row.category) {
      open = &row.category;
      out += "\n## " + std::string(categoryName(row.category)) +
             "\n\n| operation | tensors | tiles | memory | what it does |\n|---|---|---|---|---|\n";
    }
    std::string name =
        row.hasNamespaces() && row.place == Place::Namespaced ? "…." + std::string(row.name) : std::string(row.name);
    out += "| `" + name + "` | " + form(row, FormKind::Tensor) + " | " + form(row, FormKind::Tile) + " | " +
           memoryText(row) + " | " + cell(std::string(row.doc)) + " |\n";
  }
  return out;
}

} // namespace placid::ops
