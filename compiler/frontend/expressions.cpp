// SPDX-License-Identifier: Apache-2.0
// Expressions: names, attributes, and the dispatch to scalars, subscripts and calls.
#include "compiler/frontend/frame.h"
#include "compiler/support/suggest.h"

#include <algorithm>
#include <cctype>

namespace placid::frontend {

using syntax::Expr;

Val KernelBuilder::expression(const Expr &expr) {
  Val out = expressionOf(expr);
  unknowns_ += out.isPoison() ? 1 : 0;
  return out;
}

Val KernelBuilder::expressionOf(const Expr &expr) {
  switch (expr.kind) {
  case Expr::Kind::Name:
    return name(expr);
  case Expr::Kind::Int:
  case Expr::Kind::Float:
  case Expr::Kind::String:
  case Expr::Kind::Bool:
  case Expr::Kind::None:
    return ofStatic(staticValue(expr), expr);
  case Expr::Kind::Attribute:
    return attribute(expr);
  case Expr::Kind::Call:
    return call(expr);
  case Expr::Kind::Subscript:
    return subscript(expr);
  case Expr::Kind::List:
  case Expr::Kind::Tuple: {
    Val out;
    out.kind = Val::Kind::Tuple;
    for (const Expr *item : expr.children) {
      out.items.push_back(expression(*item));
    }
    return out;
  }
  case Expr::Kind::Binary:
    return binary(expr);
  case Expr::Kind::Unary:
    return unary(expr);
  case Expr::Kind::Compare:
    return compare(expr);
  case Expr::Kind::Bool2:
    return boolean(expr);
  case Expr::Kind::Slice:
  case Expr::Kind::Starred:
    reporter_.report(diag::NotAllowedInKernel, expr.range, "this expression");
    return Val::poison();
  case Expr::Kind::Other:
    reporter_.report(diag::NotAllowedInKernel, expr.range, std::string(expr.text));
    return Val::poison();
  case Expr::Kind::Error:
    return Val::poison(); // reported by the parser
  }
  return Val::poison();
}

Val KernelBuilder::ofStatic(ConstValue value, const Expr &expr) {
  if (value.isUnknown()) {
    reporter_.unknown(expr, value);
    return Val::poison();
  }
  if (value.kind == ConstValue::Kind::Sequence) {
    Val out;
    out.kind = Val::Kind::Tuple;
    for (ConstValue &item : value.items) {
      out.items.push_back(ofStatic(std::move(item), expr));
    }
    return out;
  }
  if (value.kind == ConstValue::Kind::DynDim) {
    // A dynamic dimension is read off the first parameter that has it.
    for (mlir::BlockArgument argument : function_.getArguments()) {
      auto type = mlir::dyn_cast<pl::TensorType>(argument.getType());
      for (unsigned axis = 0; type && axis < type.getRank(); ++axis) {
        auto symbol = mlir::dyn_cast<mlir::StringAttr>(type.getDims()[axis]);
        if (symbol && symbol.getValue() == value.text) {
          mlir::Location at = mlir::NameLoc::get(builder_.getStringAttr(value.text), loc(expr.range));
          mlir::Value made = pl::DimOp::create(builder_, at, builder_.getIndexType(), argument, axis);
          return Val::ofScalar(made, pl::DType::Index);
        }
      }
    }
    reporter_.unknown(expr, "no parameter has this dynamic dimension");
    return Val::poison();
  }
  return Val::ofConst(std::move(value));
}

std::vector<std::string> KernelBuilder::visibleNames() const {
  std::vector<std::string> out = env_.names();
  std::vector<std::string> outer = frame_->decl.scope->visibleNames();
  out.insert(out.end(), outer.begin(), outer.end());
  return out;
}

bool KernelBuilder::lostToSyntaxError(std::string_view name) const {
  const syntax::Module &module = frame_->decl.module ? *frame_->decl.module : *program_.module;
  source::ByteRange function = frame_->decl.function->range;
  bool broken = std::any_of(module.faults.begin(), module.faults.end(), [&](const syntax::SyntaxFault &fault) {
    return fault.range.begin >= function.begin && fault.range.begin <= function.end;
  });
  if (!broken) {
    return false;
  }
  // The parser may have skipped the assignment, or taken a keyword for a value: any `name =` in the function counts.
  std::string_view text = std::string_view(module.source->text).substr(function.begin, function.end - function.begin);
  auto isWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    size_t after = at + name.size();
    bool whole = (at == 0 || !isWord(text[at - 1])) && (after >= text.size() || !isWord(text[after]));
    size_t next = text.find_first_not_of(' ', after);
    bool assigned = next != std::string_view::npos && text[next] == '=' && text.substr(next, 2) != "==";
    if (whole && assigned) {
      return true;
    }
  }
  return false;
}

Val KernelBuilder::name(const Expr &expr) {
  if (const Variable *local = env_.find(expr.text)) {
    if (local->scopedOut.empty()) {
      return local->value;
    }
    if (local->scopedOut != "loop") {
      diag::Diagnostic &d = reporter_.report(diag::ScopeOnlyName, expr.range, std::string(expr.text), local->scopedOut);
      reporter_.note(d, local->bound, "set here only", diag::Related::Role::Binding);
    } else {
      gap(expr.range, "`" + std::string(expr.text) + "`, which only the rounds of a loop above set,");
    }
    env_.set(expr.text, {Val::poison(), local->bound, ""});
    return Val::poison();
  }
  const Binding *outer = frame_->decl.scope->find(expr.text);
  if (!outer) {
    if (lostToSyntaxError(expr.text)) {
      return Val::poison();
    }
    if (!frame_->decl.programClass.empty() && program_.method(frame_->decl.programClass, expr.text)) {
      reporter_.report(diag::UndefinedName, expr.range, std::string(expr.text),
                       ": a function of the same class is `self." + std::string(expr.text) + "`");
      return Val::poison();
    }
    std::vector<std::string> names = visibleNames();
    reporter_.report(diag::UndefinedName, expr.range, std::string(expr.text), support::didYouMean(expr.text, names));
    return Val::poison();
  }
  return ofStatic(outer->value, expr);
}

Val KernelBuilder::attribute(const Expr &expr) {
  const Expr &base = *expr.children[0];
  if (base.kind == Expr::Kind::Name && env_.contains(base.text)) {
    Val value = name(base);
    if (value.isTensor() && expr.text == "shape") {
      Val out;
      out.kind = Val::Kind::Tuple;
      pl::TensorType type = value.tensorType();
      for (unsigned axis = 0; axis < type.getRank(); ++axis) {
        if (std::optional<int64_t> extent = type.getExtent(axis)) {
          out.items.push_back(Val::ofConst(ConstValue::ofInt(*extent)));
        } else {
          mlir::Value made = pl::DimOp::create(builder_, loc(expr.range), builder_.getIndexType(), value.ir, axis);
          out.items.push_back(Val::ofScalar(made, pl::DType::Index));
        }
      }
      return out;
    }
    if (value.isTensor() && expr.text == "dtype") {
      ConstValue dtype = ConstValue::make(ConstValue::Kind::DType);
      dtype.dtype = value.tensorType().getDtype();
      return Val::ofConst(std::move(dtype));
    }
    if (value.isPoison()) {
      return value;
    }
    if (value.isTile() && (expr.text == "shape" || expr.text == "dtype")) {
      if (expr.text == "dtype") {
        ConstValue dtype = ConstValue::make(ConstValue::Kind::DType);
        dtype.dtype = value.tileType().getDtype();
        return Val::ofConst(std::move(dtype));
      }
      std::vector<Val> extents;
      for (int64_t extent : value.tileType().getShape()) {
        extents.push_back(Val::ofConst(ConstValue::ofInt(extent)));
      }
      return Val::ofTuple(std::move(extents));
    }
    reporter_.report(diag::NotAllowedInKernel, expr.range,
                     "the attribute `" + std::string(expr.text) + "` of " + describe(value));
    return Val::poison();
  }
  if (base.kind == Expr::Kind::Name && !frame_->decl.scope->find(base.text)) {
    return name(base); // reports the undefined name
  }
  return ofStatic(staticValue(expr), expr);
}

} // namespace placid::frontend
