// SPDX-License-Identifier: Apache-2.0
#include "compiler/ops/op_table.h"

#include <gtest/gtest.h>

#include <set>

namespace placid::ops {
namespace {

/// Every form of every row, with the row.
template <class Visit> void eachForm(Visit visit) {
  for (const OpRow &row : allOps()) {
    for (FormKind kind : {FormKind::Tensor, FormKind::Tile}) {
      if (const Form *form = row.form(kind)) {
        visit(row, kind, *form);
      }
    }
  }
}

TEST(OpTable, PathsPickTheForm) {
  EXPECT_FALSE(findOp("pl.slice").kind) << "the first operand decides";
  EXPECT_EQ(findOp("pl.tile.slice").kind, FormKind::Tile);
  EXPECT_EQ(findOp("pl.load").kind, FormKind::Tile);
  EXPECT_EQ(findOp("pl.full").kind, FormKind::Tensor);
  EXPECT_EQ(findOp("pl.tile.full").kind, FormKind::Tile);
  EXPECT_FALSE(findOp("pl.view").row) << "namespaced only";
  EXPECT_TRUE(findOp("pl.tensor.view").row);
  EXPECT_EQ(findOp("pld.window").row, findOp("pld.tensor.window").row);
  EXPECT_FALSE(findOp("pld.put").row) << "has no short form";
  EXPECT_EQ(findOp("pl.tpush_to_aiv").row, findOp("pl.system.tpush_to_aiv").row);
  EXPECT_FALSE(findOp("pl.matmull").row);
  EXPECT_FALSE(findOp("").row);
}

TEST(OpTable, EveryKindIsKnownAndEveryRowIsWhole) {
  eachForm([](const OpRow &row, FormKind, const Form &form) {
    std::set<std::string_view> names;
    bool optional = false;
    for (const Parameter &parameter : form.parameters) {
      EXPECT_TRUE(names.insert(parameter.name).second) << row.name << ' ' << parameter.name;
      EXPECT_NE(parameter.kinds, 0U) << row.name << ' ' << parameter.name << " is of no known kind";
      EXPECT_FALSE(parameter.kindText.empty()) << row.name << ' ' << parameter.name;
      EXPECT_EQ((parameter.kinds & kEnum) != 0, parameter.enumeration != nullptr) << row.name;
      EXPECT_TRUE(parameter.optional || !optional || parameter.keywordOnly)
          << row.name << ": " << parameter.name << " must not follow an optional parameter";
      optional |= parameter.optional;
    }
    EXPECT_FALSE(row.doc.empty());
    EXPECT_TRUE(row.doc.ends_with('.')) << row.name;
  });
  for (const OpRow &row : allOps()) {
    EXPECT_TRUE(row.tensor || row.tile) << row.name;
    EXPECT_TRUE(row.tile || row.memory.operands.empty()) << row.name;
    EXPECT_FALSE(categoryName(row.category).empty());
  }
}

TEST(OpTable, DefaultsOfEnumerationsAreMembers) {
  eachForm([](const OpRow &row, FormKind, const Form &form) {
    for (const Parameter &parameter : form.parameters) {
      if (!parameter.enumeration || parameter.defaultText.empty()) {
        continue;
      }
      bool found = false;
      for (size_t i = 0; i < parameter.enumeration->members.size(); ++i) {
        found |= parameter.enumeration->members[i] == parameter.defaultText ||
                 std::to_string(parameter.enumeration->values[i]) == parameter.defaultText;
      }
      EXPECT_TRUE(found) << row.name << ' ' << parameter.name << " = " << parameter.defaultText;
    }
  });
  for (const Enumeration &enumeration : allEnumerations()) {
    EXPECT_EQ(enumeration.members.size(), enumeration.values.size()) << enumeration.name;
  }
}

TEST(OpTable, MemoryRulesNameSpacesAndOperands) {
  const std::set<std::string_view> spaces{"Vec", "Mat", "Left", "Right", "Acc", "Bias", "LeftScale", "RightScale"};
  for (const OpRow &row : allOps()) {
    for (std::string_view operand : row.memory.operands) {
      for (size_t begin = 0; begin <= operand.size();) {
        size_t end = std::min(operand.find('/', begin), operand.size());
        std::string_view space = operand.substr(begin, end - begin);
        EXPECT_TRUE(space == "-" || spaces.contains(space)) << row.name << ' ' << space;
        begin = end + 1;
      }
    }
    std::string_view result = row.memory.result;
    bool known =
        result.empty() || result == "=0" || spaces.contains(result) || (row.tile && row.tile->find(result) != nullptr);
    EXPECT_TRUE(known) << row.name << ' ' << result;
    if (row.memory.inPlace) {
      EXPECT_LT(static_cast<size_t>(*row.memory.inPlace), row.tile->parameters.size()) << row.name;
    }
  }
}

TEST(OpTable, WrittenOperandsAreParameters) {
  for (const OpRow &row : allOps()) {
    if (row.effect != Effect::Writes) {
      EXPECT_TRUE(row.writesTensor.empty() && row.writesTile.empty()) << row.name;
      continue;
    }
    EXPECT_TRUE(!row.tensor || row.tensor->rule == Rule::Assemble || row.tensor->find(row.writesTensor) ||
                row.name == "matmul_acc" || row.name == "scatter")
        << row.name << ' ' << row.writesTensor;
    EXPECT_TRUE(!row.tile || row.tile->find(row.writesTile)) << row.name << ' ' << row.writesTile;
  }
}

TEST(OpTable, NamesOfTheIrComeBack) {
  std::set<std::string> seen;
  eachForm([&](const OpRow &row, FormKind kind, const Form &) {
    std::string name = irName(row, kind);
    EXPECT_TRUE(seen.insert(name).second) << name << " names two forms";
    OpMatch match = findIrName(name);
    EXPECT_EQ(match.row, &row) << name;
    EXPECT_EQ(match.kind, kind) << name;
    EXPECT_EQ(findOp(pathOf(row, kind)).row, &row) << name;
  });
  EXPECT_EQ(shortPath(*findOp("pl.mul").row, FormKind::Tile), "pl.mul");
  EXPECT_EQ(shortPath(*findOp("pl.full").row, FormKind::Tile), "pl.tile.full");
  EXPECT_EQ(shortPath(*findOp("pld.window").row, FormKind::Tensor), "pld.window");
  EXPECT_TRUE(seen.contains("tile.mul"));
  EXPECT_TRUE(seen.contains("system.syncall"));
  EXPECT_TRUE(seen.contains("pld.tensor.put"));
}

TEST(OpTable, SignaturesReadWell) {
  EXPECT_EQ(signatureText(*findOp("pl.div").row, FormKind::Tile),
            "lhs: Tile, rhs: Tile | number, high_precision: bool = False");
  EXPECT_EQ(signatureText(*findOp("pl.cast").row, FormKind::Tensor),
            "input: Tensor | number, target_type: DataType, mode: str = 'round'");
  EXPECT_EQ(signatureText(*findOp("pld.system.wait").row, FormKind::Tensor),
            "signal: Tensor | DistributedTensor, offsets: [int], expected: int, *, cmp: pld.WaitCmp");
  EXPECT_EQ(signatureText(*findOp("pl.fillpad").row, FormKind::Tile), "tile: Tile, pad_value: pl.PadValue = zero");
  EXPECT_EQ(signatureText(*findOp("pl.transpose").row, FormKind::Tile),
            "tile: Tile, axis1: int, axis2: int, tmp_tile: Tile = None");
  EXPECT_EQ(signatureText(*findOp("pl.get_block_idx").row, FormKind::Tensor), "");
}

TEST(OpTable, WhatIsExpectedIsSaid) {
  EXPECT_EQ(expects(*findOp("pl.mul").row->tensor->find("rhs")), "a tensor or a number");
  EXPECT_EQ(expects(*findOp("pld.system.wait").row->tensor->find("cmp")), "one of `pld.WaitCmp.Eq`, `pld.WaitCmp.Ge`");
}

TEST(OpTable, FormsOfNamesAlone) {
  Form form = parseForm("a, b?, *, c?, **kwargs");
  ASSERT_EQ(form.parameters.size(), 3U);
  EXPECT_TRUE(form.open);
  EXPECT_FALSE(form.parameters[0].optional);
  EXPECT_TRUE(form.parameters[1].optional);
  EXPECT_TRUE(form.parameters[2].keywordOnly);
  EXPECT_EQ(form.parameters[0].kinds, kAny);
}

} // namespace
} // namespace placid::ops
