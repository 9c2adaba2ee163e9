// SPDX-License-Identifier: Apache-2.0
// Imports: which file a name stands for, and what it brings. The entry's own folder comes first, as Python has it, then
// what `sys.path` was given, then the roots. A module is evaluated once in an evaluation; what it does to others stays.
#include "compiler/evaluator/interpreter.h"

#include <algorithm>

namespace placid::py {

using syntax::ImportedName;
using syntax::Stmt;

namespace {

/// Packages that are never followed: their contents are not configuration. The standard library is among them.
constexpr std::string_view kForeign[] = {
    "__future__", "abc",          "argparse",  "array",           "ast",         "asyncio",
    "atexit",     "base64",       "bisect",    "builtins",        "collections", "concurrent",
    "contextlib", "copy",         "csv",       "ctypes",          "dataclasses", "datetime",
    "decimal",    "enum",         "errno",     "fcntl",           "fractions",   "functools",
    "gc",         "getpass",      "glob",      "golden",          "hashlib",     "heapq",
    "importlib",  "inspect",      "io",        "itertools",       "json",        "logging",
    "math",       "matplotlib",   "ml_dtypes", "multiprocessing", "numbers",     "numpy",
    "onnx",       "operator",     "os",        "packaging",       "pandas",      "pathlib",
    "pickle",     "platform",     "pprint",    "pypto",           "pypto_pro",   "pytest",
    "queue",      "random",       "re",        "safetensors",     "scipy",       "shlex",
    "shutil",     "signal",       "simpler",   "socket",          "statistics",  "string",
    "struct",     "subprocess",   "sys",       "tempfile",        "textwrap",    "threading",
    "time",       "timeit",       "tomllib",   "torch",           "torch_npu",   "tqdm",
    "traceback",  "transformers", "triton",    "types",           "typing",      "typing_extensions",
    "unittest",   "uuid",         "warnings",  "weakref",         "yaml",        "zlib",
};

std::string folderOf(const std::string &path) {
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : slash == 0 ? "/" : path.substr(0, slash);
}

std::string join(const std::string &folder, const std::string &name) {
  return folder.empty() || folder == "." ? name : folder.ends_with('/') ? folder + name : folder + "/" + name;
}

std::string dotsToSlashes(std::string_view name) {
  std::string out(name);
  std::replace(out.begin(), out.end(), '.', '/');
  return out;
}

} // namespace

bool Interpreter::isForeignModule(std::string_view name) const {
  std::string_view top = name.substr(0, name.find('.'));
  return std::find(std::begin(kForeign), std::end(kForeign), top) != std::end(kForeign);
}

std::string Interpreter::absolute(const std::string &path) const {
  return path.starts_with('/') || search_.workingFolder.empty() ? path : search_.workingFolder + "/" + path;
}

void Interpreter::searchPathInsert(int64_t index, std::string folder) {
  // Shown as other paths are: relative to the working folder where it lies inside.
  const std::string &here = search_.workingFolder;
  if (!here.empty() && folder == here) {
    folder = "";
  } else if (!here.empty() && folder.starts_with(here + "/")) {
    folder = folder.substr(here.size() + 1);
  }
  std::vector<std::string> &roots = search_.roots;
  if (std::find(roots.begin(), roots.end(), folder) != roots.end() || roots.size() > 64) {
    return;
  }
  // Position 0 is before the entry's own folder in Python; a name that both have is rare, and the entry's is kept.
  roots.insert(index <= 1 ? roots.begin() : roots.end(), std::move(folder));
}

/// The file of a module below `folder`: `name.py` or `name/__init__.py`; empty when there is none.
std::string Interpreter::locate(const std::string &folder, const std::string &relative, bool &package) {
  std::string init = join(folder, relative + "/__init__.py");
  package = source_.exists(init);
  if (package) {
    return init;
  }
  std::string file = join(folder, relative + ".py");
  return source_.exists(file) ? file : std::string();
}

void Interpreter::fault(Fault::Type type, source::ByteRange at, std::string message, std::string module) {
  if (uncertain_ > 0) {
    return;
  }
  Fault made;
  made.type = type;
  made.at = {currentTree(), at};
  made.message = std::move(message);
  made.module = std::move(module);
  made.entryAt = entryStatement_ ? Place{entry_->tree.get(), entryStatement_->range} : Place();
  made.assumed = assumed_;
  faults_.push_back(std::move(made));
}

ModuleObject *Interpreter::loadPath(const std::string &path, const std::string &name, bool package, const Stmt &stmt) {
  if (path == entry_->path) {
    return entry_; // a module that imports the entry: for Python a second copy, here the one that is running
  }
  auto known = byPath_.find(path);
  if (known != byPath_.end()) {
    return known->second;
  }
  constexpr size_t kMaxModules = 512;
  std::shared_ptr<const syntax::Module> tree =
      byPath_.size() < kMaxModules && depth_ + 64 < limits_.depth ? source_.load(path) : nullptr;
  if (!tree) {
    return nullptr;
  }
  auto *module = heap_.make<ModuleObject>();
  module->name = name;
  module->path = path;
  module->tree = std::move(tree);
  module->package = package;
  module->env = heap_.make<Env>();
  module->env->type = Env::Type::Module;
  module->env->module = module;
  module->env->names.set("__name__", {text(name), {}, {}, true});
  module->env->names.set("__file__", {text(absolute(path)), {}, {}, true});
  byPath_[path] = module;
  if (!module->tree->faults.empty() && uncertain_ == 0) {
    // Python would refuse the module as a whole. Told as a warning: what can be read of it is followed all the same.
    Fault made;
    made.at = {module->tree.get(), module->tree->faults.front().range};
    made.message = "SyntaxError: " + module->tree->faults.front().message;
    made.entryAt = entryStatement_ ? Place{entry_->tree.get(), entryStatement_->range} : Place();
    made.assumed = true;
    faults_.push_back(std::move(made));
  }
  // Its own journal-free run: what a module binds is there for all, whichever way imported it.
  std::vector<Journal> journals;
  journals.swap(journals_);
  uint64_t mark = std::exchange(mark_, 0);
  depth_ += 16;
  runModule(module);
  depth_ -= 16;
  mark_ = mark;
  journals.swap(journals_);
  return module;
}

/// The module of a dotted name that is not relative. `problem` says why there is none: Foreign for a package that is
/// not followed, Unknown otherwise.
ModuleObject *Interpreter::importModule(std::string_view name, const Stmt &stmt, Value &problem) {
  if (isForeignModule(name)) {
    problem = foreign(std::string(name));
    return nullptr;
  }
  auto known = byName_.find(std::string(name));
  if (known != byName_.end()) {
    return known->second;
  }
  std::vector<std::string> folders{search_.entryFolder};
  folders.insert(folders.end(), search_.roots.begin(), search_.roots.end());
  // A module of a package may be imported by its full name from inside the package.
  std::string relative = dotsToSlashes(name);
  ModuleObject *out = nullptr;
  for (const std::string &folder : folders) {
    bool package = false;
    std::string path = locate(folder, relative, package);
    if (!path.empty()) {
      out = loadPath(path, std::string(name), package, stmt);
      break;
    }
  }
  if (out) {
    byName_[std::string(name)] = out;
    return out;
  }
  mayRaise_ = true;
  problem = unknown("it comes from the module `" + std::string(name) + "`, which is not found");
  return nullptr;
}

Interpreter::Flow Interpreter::importStatement(const Stmt &stmt, Frame &frame) {
  noteLater();
  for (const ImportedName &name : stmt.imports) {
    bool aliased = name.asName != name.name;
    std::string_view top = name.name.substr(0, name.name.find('.'));
    std::string_view prefix = aliased ? dialect_.prefixOf(name.name) : std::string_view();
    std::string_view bound = aliased ? name.asName : top;
    if (!prefix.empty()) {
      bind(frame, bound, heap_.text(std::string(prefix), Kind::Pl), stmt.range);
      continue;
    }
    Value problem;
    ModuleObject *module = importModule(name.name, stmt, problem);
    if (!module) {
      Value value = problem.is(Kind::Foreign) && !aliased ? foreign(std::string(top)) : problem;
      bind(frame, bound, value, stmt.range);
      continue;
    }
    if (aliased || top == name.name) {
      bind(frame, bound, Value::make(Kind::Module, module), stmt.range);
      continue;
    }
    // `import a.b.c` binds `a`, with `b` in it and `c` in that.
    ModuleObject *inner = module;
    std::string_view path = name.name;
    while (path != top) {
      std::string_view outer = path.substr(0, path.rfind('.'));
      Value none;
      ModuleObject *parent = importModule(outer, stmt, none);
      if (!parent) {
        parent = heap_.make<ModuleObject>(); // a folder without __init__.py
        parent->name = outer;
        parent->tree = entry_->tree;
        parent->package = true;
        parent->state = ModuleObject::State::Loaded;
        parent->env = heap_.make<Env>();
        parent->env->type = Env::Type::Module;
        parent->env->module = parent;
        byName_[std::string(outer)] = parent;
      }
      setSlot(parent->env->names, heap_.intern(path.substr(path.rfind('.') + 1)),
              {Value::make(Kind::Module, inner), stmt.range, {}, true});
      inner = parent;
      path = outer;
    }
    bind(frame, top, Value::make(Kind::Module, inner), stmt.range);
  }
  return Flow::Next;
}

void Interpreter::findRelative(const Stmt &stmt, Frame &frame, ImportOrigin &origin) {
  const std::string &from = origin.from;
  size_t dots = std::min(from.find_first_not_of('.'), from.size());
  std::string folder = folderOf(frame.env->module->path);
  for (size_t i = 1; i < dots; ++i) {
    folder = folderOf(folder);
  }
  std::string inner = dotsToSlashes(std::string_view(from).substr(dots));
  bool package = false;
  std::string path;
  if (inner.empty()) {
    path = join(folder, "__init__.py");
    package = source_.exists(path);
    path = package ? path : "";
  } else {
    path = locate(folder, inner, package);
  }
  if (path == frame.env->module->path) {
    origin.module = frame.env->module;
  } else if (!path.empty()) {
    origin.module = loadPath(path, from, package, stmt);
  }
  origin.folder = inner.empty() ? folder : join(folder, inner);
  if (origin.module) {
    return;
  }
  origin.problem = unknown("it is imported from `" + from + "`, which is not found");
  if (inner.empty() || !path.empty() || !source_.available()) {
    return;
  }
  bool anyFile = std::any_of(stmt.imports.begin(), stmt.imports.end(), [&](const ImportedName &name) {
    bool isPackage = false;
    return !locate(origin.folder, std::string(name.name), isPackage).empty();
  });
  if (!anyFile) {
    bool here = join(origin.folder, "").empty();
    fault(Fault::Type::NoModule, stmt.range, (here ? inner : origin.folder) + ".py", from);
  }
}

void Interpreter::findAbsolute(const Stmt &stmt, ImportOrigin &origin) {
  origin.module = importModule(origin.from, stmt, origin.problem);
  if (origin.module) {
    origin.folder = origin.module->package ? folderOf(origin.module->path) : "";
    return;
  }
  if (origin.problem.is(Kind::Foreign) || stmt.imports.empty()) {
    return;
  }
  // `from folder import module`, where the folder has no __init__.py.
  std::vector<std::string> folders{search_.entryFolder};
  folders.insert(folders.end(), search_.roots.begin(), search_.roots.end());
  for (const std::string &root : folders) {
    std::string candidate = join(root, dotsToSlashes(origin.from));
    bool isPackage = false;
    if (!locate(candidate, std::string(stmt.imports[0].name), isPackage).empty()) {
      origin.folder = candidate;
      return;
    }
  }
}

bool Interpreter::importStar(const Stmt &stmt, const ImportOrigin &origin, Frame &frame) {
  if (!origin.prefix.empty()) {
    const std::set<std::string> &names = dialect_.exportsOf(origin.prefix);
    if (!spend(names.size())) {
      return false;
    }
    for (const std::string &exported : names) {
      Value base = heap_.text(std::string(origin.prefix), Kind::Pl);
      bind(frame, heap_.intern(exported), plAttribute(base, exported), stmt.range);
    }
    return true;
  }
  if (!origin.module) {
    frame.env->open = true;
    frame.env->others = unknown("it may come from `from " + origin.from + " import *`");
    return true;
  }
  const Env &env = *origin.module->env;
  const Slot *all = env.names.find("__all__");
  std::set<std::string> listed;
  for (Value item : all && all->value.isSequence() ? all->value.as<SequenceObject>().items : std::vector<Value>()) {
    listed.insert(item.is(Kind::Str) ? textOf(item) : "");
  }
  for (const Namespace::Entry &entry : std::vector<Namespace::Entry>(env.names.entries())) {
    bool wanted = all ? listed.contains(std::string(entry.name)) : !entry.name.starts_with('_');
    if (entry.slot.present && wanted) {
      Slot slot = entry.slot;
      slot.bound = stmt.range;
      bindSlot(frame, entry.name, slot);
    }
  }
  if (env.open) {
    frame.env->open = true;
    frame.env->others = env.others;
  }
  return true;
}

/// The value of a name that `origin` does not bind itself: a module below it, a library's member, or nothing known.
Value Interpreter::importedValue(const Stmt &stmt, std::string_view name, const ImportOrigin &origin) {
  if (!origin.prefix.empty()) {
    return plAttribute(heap_.text(std::string(origin.prefix), Kind::Pl), name);
  }
  std::string dotted = origin.from + (origin.from.ends_with('.') ? "" : ".") + std::string(name);
  if (std::string_view inner = dialect_.prefixOf(dotted); !inner.empty()) {
    return heap_.text(std::string(inner), Kind::Pl);
  }
  const ModuleObject *module = origin.module;
  const bool library = origin.problem.is(Kind::Foreign);
  const bool nowhere = library || (module && !module->package) || (origin.folder.empty() && !origin.relative);
  bool package = false;
  std::string path = nowhere ? std::string() : locate(origin.folder, std::string(name), package);
  if (ModuleObject *inner = path.empty() ? nullptr : loadPath(path, dotted, package, stmt)) {
    return Value::make(Kind::Module, inner);
  }
  if (library) {
    Value member = libraryMember(dotted);
    return member.isRaised() ? foreign(dotted) : member;
  }
  if (!module) {
    return origin.problem;
  }
  if (module->env->open || module->state == ModuleObject::State::Failed) {
    return module->env->others;
  }
  bool loading = module->state == ModuleObject::State::Loading;
  fault(loading ? Fault::Type::Cycle : Fault::Type::NoName, stmt.range, std::string(name), origin.from);
  return unknown("`" + module->name + "` has no `" + std::string(name) + "`");
}

Interpreter::Flow Interpreter::importFrom(const Stmt &stmt, Frame &frame) {
  noteLater();
  ImportOrigin origin;
  origin.from = std::string(stmt.text);
  origin.prefix = dialect_.prefixOf(origin.from);
  origin.relative = origin.from.starts_with('.');
  if (origin.relative) {
    findRelative(stmt, frame, origin);
  } else if (origin.prefix.empty()) {
    findAbsolute(stmt, origin);
  }
  for (const ImportedName &name : stmt.imports) {
    if (name.name == "*") {
      if (!importStar(stmt, origin, frame)) {
        return Flow::Next;
      }
      continue;
    }
    const Slot *found = origin.module && origin.prefix.empty() ? origin.module->env->names.find(name.name) : nullptr;
    if (found) {
      Slot slot = *found;
      slot.bound = stmt.range;
      bindSlot(frame, name.asName, slot);
      continue;
    }
    bind(frame, name.asName, importedValue(stmt, name.name, origin), stmt.range);
  }
  return Flow::Next;
}

} // namespace placid::py
