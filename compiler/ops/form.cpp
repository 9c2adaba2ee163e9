// SPDX-License-Identifier: Apache-2.0
// Forms: their text as parameters, and parameters as text for people. The enumerations they refer to.
#include "compiler/ops/op_table.h"

#include <algorithm>
#include <array>

namespace placid::ops {

namespace {

template <size_t N> using Names = std::array<std::string_view, N>;
template <size_t N> using Values = std::array<int, N>;

constexpr Names<7> kRound{"none", "rint", "round", "floor", "ceil", "trunc", "odd"};
constexpr Values<8> kFromZero{0, 1, 2, 3, 4, 5, 6, 7};
constexpr Names<6> kCmp{"eq", "ne", "lt", "le", "gt", "ge"};
constexpr Names<7> kMask{"P0101", "P1010", "P0001", "P0010", "P0100", "P1000", "P1111"};
constexpr Values<7> kFromOne{1, 2, 3, 4, 5, 6, 7};
constexpr Names<4> kPad{"null", "zero", "max", "min"};
constexpr Names<2> kAtomic{"None_", "Add"};
constexpr Names<4> kReduce{"Sum", "Max", "Min", "Prod"};
constexpr Names<2> kNotify{"AtomicAdd", "Set"};
constexpr Names<2> kWaitCmp{"Eq", "Ge"};
constexpr Names<3> kTileLayout{"none_box", "row_major", "col_major"};
constexpr Names<8> kPipe{"MTE1", "MTE2", "MTE3", "M", "V", "S", "FIX", "ALL"};

template <size_t N>
constexpr Enumeration enumeration(std::string_view name, std::string_view prefix, const Names<N> &members,
                                  std::span<const int> values) {
  return {name, prefix, members, values.first(N)};
}

const std::array<Enumeration, 10> kEnumerations{
    enumeration("round", "", kRound, kFromZero),
    enumeration("cmp", "", kCmp, kFromZero),
    enumeration("mask", "pl.tile.MaskPattern.", kMask, kFromOne),
    enumeration("pad", "pl.PadValue.", kPad, kFromZero),
    enumeration("atomic", "pl.AtomicType.", kAtomic, kFromZero),
    enumeration("reduce", "pld.ReduceOp.", kReduce, kFromZero),
    enumeration("notify", "pld.NotifyOp.", kNotify, kFromZero),
    enumeration("waitcmp", "pld.WaitCmp.", kWaitCmp, kFromZero),
    enumeration("tlayout", "pl.TileLayout.", kTileLayout, kFromZero),
    enumeration("pipe", "pl.PipeType.", kPipe, kFromZero),
};

/// A kind as forms write it, as signatures show it, and as a message says it.
struct KindWord {
  std::string_view written;
  uint32_t kind;
  std::string_view shown;
  std::string_view said;
};
constexpr KindWord kKinds[] = {
    {"T", kTensor, "Tensor", "a tensor"},
    {"t", kTile, "Tile", "a tile"},
    {"DT", kDistributed, "DistributedTensor", "a distributed tensor"},
    {"num", kNumber, "number", "a number"},
    {"number", kNumber, "number", "a number"},
    {"I", kInteger, "int", "an integer"},
    {"inum", kIntNumber, "int", "an integer"},
    {"int", kConstInt, "int", "a constant integer"},
    {"S", kScalar, "Scalar", "a scalar"},
    {"cond", kCondition, "bool", "a BOOL"},
    {"[I]", kList, "[int]", "a list of integers"},
    {"[int]", kConstList, "[int]", "a list of constant integers"},
    {"bool", kBool, "bool", "True or False"},
    {"str", kString, "str", "a string"},
    {"dtype", kDType, "DataType", "a dtype such as `pl.FP32`"},
    {"space", kSpace, "Mem", "a member of `pl.Mem`"},
    {"layout", kLayout, "Layout", "a tensor layout such as `pl.NZ`"},
    {"array", kArray, "Array", "an array"},
    {"ptr", kHandle, "Ptr", "a window buffer"},
    {"context", kHandle, "PrefetchAsyncContext", "a prefetch context"},
    {"event", kHandle, "AsyncEvent", "a prefetch event"},
    {"session", kHandle, "AsyncSession", "a prefetch session"},
    {"commctx", kHandle, "CommCtx", "a communication context"},
    {"deps", kDeps, "[TaskId]", "a list of task ids"},
    {"any", kAny, "Any", "a value"},
};

const KindWord *kindWord(std::string_view written) {
  const auto *found =
      std::find_if(std::begin(kKinds), std::end(kKinds), [&](const KindWord &word) { return word.written == written; });
  return found == std::end(kKinds) ? nullptr : found;
}

const Enumeration *findEnumeration(std::string_view name) {
  const auto *found =
      std::find_if(kEnumerations.begin(), kEnumerations.end(), [&](const Enumeration &e) { return e.name == name; });
  return found == kEnumerations.end() ? nullptr : found;
}

/// The parts of "T|num".
std::vector<std::string_view> alternatives(std::string_view text) {
  std::vector<std::string_view> out;
  for (size_t begin = 0; begin <= text.size();) {
    size_t end = std::min(text.find('|', begin), text.size());
    out.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

Parameter parseParameter(std::string_view item, bool keywordOnly) {
  Parameter out;
  out.keywordOnly = keywordOnly;
  if (size_t equals = item.find('='); equals != std::string_view::npos) {
    out.optional = true;
    out.defaultText = item.substr(equals + 1);
    item = item.substr(0, equals);
  } else if (item.ends_with('?')) {
    out.optional = true;
    item.remove_suffix(1);
  }
  size_t colon = item.find(':');
  out.name = item.substr(0, colon);
  if (colon == std::string_view::npos) {
    return out;
  }
  out.kindText = item.substr(colon + 1);
  out.kinds = 0;
  for (std::string_view part : alternatives(out.kindText)) {
    if (const KindWord *word = kindWord(part)) {
      out.kinds |= word->kind;
    } else if (const Enumeration *found = findEnumeration(part)) {
      out.kinds |= kEnum;
      out.enumeration = found;
    }
  }
  return out;
}

} // namespace

std::span<const Enumeration> allEnumerations() { return kEnumerations; }

const Parameter *Form::find(std::string_view name) const {
  auto found = std::find_if(parameters.begin(), parameters.end(), [&](const Parameter &p) { return p.name == name; });
  return found == parameters.end() ? nullptr : &*found;
}

Form parseForm(std::string_view text, Rule rule) {
  Form out;
  out.text = text;
  out.rule = rule;
  bool keywordOnly = false;
  while (!text.empty()) {
    size_t comma = text.find(", ");
    std::string_view item = text.substr(0, comma);
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 2);
    if (item == "*") {
      keywordOnly = true;
    } else if (item.starts_with("*")) {
      out.open = true;
    } else {
      out.parameters.push_back(parseParameter(item, keywordOnly));
    }
  }
  return out;
}

std::string parameterText(const Parameter &parameter) {
  std::string out(parameter.name);
  std::string kinds;
  for (std::string_view part : alternatives(parameter.kindText)) {
    const KindWord *word = kindWord(part);
    std::string shown(word ? word->shown : part);
    if (!word && parameter.enumeration) {
      std::string_view prefix = parameter.enumeration->prefix;
      shown = prefix.empty() ? "str" : std::string(prefix.substr(0, prefix.size() - 1));
    }
    kinds += (kinds.empty() ? "" : " | ") + shown;
  }
  if (!kinds.empty()) {
    out += ": " + kinds;
  }
  if (!parameter.optional) {
    return out;
  }
  bool word = parameter.enumeration && parameter.enumeration->prefix.empty() && !parameter.defaultText.empty() &&
              parameter.defaultText.front() >= 'a';
  std::string value(parameter.defaultText.empty() ? "None" : parameter.defaultText);
  return out + " = " + (word ? "'" + value + "'" : value);
}

std::string signatureText(const OpRow &row, FormKind kind) {
  const Form *form = row.form(kind);
  std::string out;
  bool keywordOnly = false;
  auto item = [&](const std::string &text) { out += (out.empty() ? "" : ", ") + text; };
  for (const Parameter &parameter : form ? form->parameters : std::vector<Parameter>()) {
    if (parameter.keywordOnly && !keywordOnly) {
      item("*");
      keywordOnly = true;
    }
    item(parameterText(parameter));
  }
  if (form && form->open) {
    item("**kwargs");
  }
  return out;
}

std::string expects(const Parameter &parameter) {
  std::string out;
  for (std::string_view part : alternatives(parameter.kindText)) {
    const KindWord *word = kindWord(part);
    std::string said(word ? word->said : part);
    if (!word && parameter.enumeration) {
      said = "one of";
      for (std::string_view member : parameter.enumeration->members) {
        said += (said.ends_with("of") ? " `" : ", `") + std::string(parameter.enumeration->prefix) +
                std::string(member) + "`";
      }
    }
    out += (out.empty() ? "" : " or ") + said;
  }
  return out;
}

std::string_view categoryName(Category category) {
  switch (category) {
  case Category::Creation:
    return "creation";
  case Category::Access:
    return "data movement and element access";
  case Category::View:
    return "views and shapes";
  case Category::Elementwise:
    return "element-wise binary";
  case Category::ScalarOperand:
    return "with a scalar operand or a carry";
  case Category::Bitwise:
    return "bitwise";
  case Category::Unary:
    return "unary and cast";
  case Category::Reduction:
    return "reductions";
  case Category::Expand:
    return "row and column broadcast";
  case Category::Matmul:
    return "matrix products";
  case Category::Gather:
    return "gather and scatter";
  case Category::Sort:
    return "sorting";
  case Category::Random:
    return "random numbers";
  case Category::Block:
    return "block identity";
  case Category::Hint:
    return "scheduling hints";
  case Category::Split:
    return "cube and vector split";
  case Category::System:
    return "synchronisation, queues and tasks";
  case Category::Array:
    return "arrays";
  case Category::Prefetch:
    return "prefetch";
  case Category::Distributed:
    return "distributed";
  }
  return "";
}

} // namespace placid::ops
