// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/constant_origins.h"

#include "compiler/frontend/evaluation.h"

#include <algorithm>
#include <set>

namespace placid::frontend {

namespace {

using syntax::Expr;
using syntax::Stmt;

constexpr size_t kMaxNotes = 6;
constexpr unsigned kMaxSteps = 4;

bool isAboutNumbers(diag::Code code) {
  return code == diag::ShapeMismatch.code || code == diag::Rank.code || code == diag::Bounds.code ||
         code == diag::NegativeOffset.code || code == diag::LoopBounds.code || code == diag::Capacity.code ||
         code == diag::TileAlign.code ||
         static_cast<unsigned>(code) / 100 == static_cast<unsigned>(diag::NzRowsAlign.code) / 100;
}

bool holds(source::ByteRange outer, source::ByteRange inner) {
  return outer.begin <= inner.begin && inner.end <= outer.end;
}

template <class Visit> void eachExpr(const Expr *expr, Visit visit) {
  if (!expr) {
    return;
  }
  visit(*expr);
  if (expr->kind == Expr::Kind::Attribute) {
    return; // a chain is one name
  }
  for (const Expr *child : expr->children) {
    eachExpr(child, visit);
  }
  for (const syntax::Keyword &keyword : expr->keywords) {
    eachExpr(keyword.value, visit);
  }
}

template <class Visit> void eachStatement(const std::vector<const Stmt *> &statements, Visit visit) {
  for (const Stmt *stmt : statements) {
    visit(*stmt);
    eachStatement(stmt->body, visit);
    eachStatement(stmt->orelse, visit);
  }
}

/// The constants of one report.
class Constants {
public:
  Constants(const Program &program, const KernelDecl &kernel, diag::Diagnostic &report)
      : program_(program), kernel_(kernel), report_(report) {}

  void run() {
    const Stmt &function = *kernel_.function;
    // What is faulty, then the call or subscript around it: an offset is wrong for the extent beside it.
    const Expr *around = nullptr;
    std::vector<const Expr *> inside;
    auto look = [&](const Expr &expr) {
      if (holds(report_.at.range, expr.range)) {
        inside.push_back(&expr);
      } else if (holds(expr.range, report_.at.range) &&
                 (expr.kind == Expr::Kind::Call || expr.kind == Expr::Kind::Subscript)) {
        around = &expr; // visited from outside in: the last is the narrowest
      }
    };
    for (const syntax::Parameter &parameter : function.parameters) {
      eachExpr(parameter.annotation, look);
    }
    eachStatement(function.body, [&](const Stmt &stmt) {
      eachExpr(stmt.value, look);
      for (const Expr *target : stmt.targets) {
        eachExpr(target, look);
      }
      for (const syntax::WithItem &item : stmt.items) {
        eachExpr(item.value, look);
      }
    });
    for (const Expr *expr : inside) {
      name(*expr, 0);
    }
    if (around) {
      names(around, 0);
    }
  }

private:
  void names(const Expr *expr, unsigned step) {
    eachExpr(expr, [&](const Expr &inner) { name(inner, step); });
  }

  void name(const Expr &expr, unsigned step) {
    bool plain = expr.kind == Expr::Kind::Name;
    if ((!plain && expr.kind != Expr::Kind::Attribute) || step > kMaxSteps || notes_ == kMaxNotes ||
        !seen_.insert(syntax::spell(expr)).second) {
      return;
    }
    if (plain && local(expr.text, step)) {
      return;
    }
    const Expr *root = &expr;
    while (root->kind == Expr::Kind::Attribute) {
      root = root->children[0];
    }
    const Binding *binding = root->kind == Expr::Kind::Name ? kernel_.scope->find(root->text) : nullptr;
    ConstValue value = binding ? evaluate(expr, *kernel_.scope) : ConstValue();
    if (!binding || !value.isInt()) {
      return;
    }
    diag::Location at{binding->origin.source ? binding->origin.source->path : kernel_.module->source->path,
                      binding->origin.source ? binding->origin.range : binding->range};
    std::string where = originText(*binding);
    if (!plain) {
      member(*root, expr, at, where);
    }
    bool told = std::any_of(report_.related.begin(), report_.related.end(),
                            [&](const diag::Related &related) { return related.at == at; });
    if (!told) {
      report_.related.push_back(
          {at, "`" + syntax::spell(expr) + " = " + show(value) + "`" + (where.empty() ? "" : " (" + where + ")"),
           diag::Related::Role::Note});
      ++notes_;
    }
    if (plain && !binding->origin.source) {
      names(definition(binding->range), step + 1);
    }
  }

  /// Follows a name of the function itself: a parameter to its declared extents, a local to its only definition.
  bool local(std::string_view name, unsigned step) {
    for (const syntax::Parameter &parameter : kernel_.function->parameters) {
      if (parameter.name == name) {
        names(parameter.annotation, step + 1);
        return true;
      }
    }
    const Expr *only = nullptr;
    unsigned bindings = 0;
    eachStatement(kernel_.function->body, [&](const Stmt &stmt) {
      for (const Expr *target : stmt.targets) {
        if (target->kind == Expr::Kind::Name && target->text == name) {
          ++bindings;
          only = stmt.value;
        }
      }
    });
    if (bindings == 1) {
      names(only, step + 1);
    }
    return bindings != 0;
  }

  /// The value of the module-level assignment that binds the name at `range`.
  const Expr *definition(source::ByteRange range) const {
    const Expr *found = nullptr;
    eachStatement(kernel_.module->body, [&](const Stmt &stmt) {
      if (stmt.kind == Stmt::Kind::Assign && stmt.targets.size() == 1 && stmt.targets[0]->range == range) {
        found = stmt.value;
      }
    });
    return found;
  }

  /// `CONFIG.width`: the property or the default in the class where the value is that one's.
  void member(const Expr &root, const Expr &chain, diag::Location &at, std::string &where) const {
    py::Interpreter &interpreter = program_.evaluation->interpreter();
    if (!kernel_.scope->env || chain.children[0] != &root) {
      return;
    }
    py::Value owner = interpreter.evaluate(root, kernel_.scope->env);
    const py::ClassObject *type = owner.is(py::Kind::Instance) ? owner.as<py::InstanceObject>().type
                                  : owner.is(py::Kind::Class)  ? &owner.as<py::ClassObject>()
                                                               : nullptr;
    for (const py::ClassObject *base : type ? type->order : std::vector<py::ClassObject *>()) {
      const py::Slot *slot = base->env ? base->env->names.find(chain.text) : nullptr;
      if (!slot) {
        continue;
      }
      ConstValue found = program_.evaluation->toConst(slot->value);
      bool property = slot->value.is(py::Kind::Wrapped);
      ConstValue value = evaluate(chain, *kernel_.scope);
      if (base->env->module && base->env->module->tree &&
          (property || (found.isInt() && found.integer == value.integer))) {
        Binding made{value, slot->bound, {base->env->module->tree->source, slot->bound}};
        at = {base->env->module->tree->source->path, slot->bound};
        where = at.path == kernel_.module->source->path ? "" : originText(made);
      }
      return;
    }
  }

  const Program &program_;
  const KernelDecl &kernel_;
  diag::Diagnostic &report_;
  std::set<std::string> seen_;
  size_t notes_ = 0;
};

const KernelDecl *kernelAt(const Program &program, const diag::Location &at) {
  for (const std::deque<KernelDecl> *list : {&program.kernels, &program.imported}) {
    for (const KernelDecl &kernel : *list) {
      if (kernel.module->source->path == at.path && holds(kernel.function->range, at.range)) {
        return &kernel;
      }
    }
  }
  return nullptr;
}

} // namespace

void nameConstants(const Program &program, std::vector<diag::Diagnostic> &diagnostics) {
  for (diag::Diagnostic &report : diagnostics) {
    const KernelDecl *kernel = isAboutNumbers(report.code) ? kernelAt(program, report.at) : nullptr;
    if (kernel) {
      Constants(program, *kernel, report).run();
    }
  }
}

} // namespace placid::frontend
