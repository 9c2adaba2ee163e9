// SPDX-License-Identifier: Apache-2.0
// Library objects with state: pathlib's paths (and os.path), as far as `sys.path` edits need them, and argparse's
// parser, whose parse_args() gives the defaults.
#include "compiler/evaluator/builtin_support.h"
#include "compiler/evaluator/library_tables.h"

#include <algorithm>

namespace placid::py::library {

namespace {

using support::argument;

std::string normalized(std::string_view path) {
  bool rooted = path.starts_with('/');
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    size_t slash = std::min(path.find('/'), path.size());
    std::string_view part = path.substr(0, slash);
    path.remove_prefix(std::min(slash + 1, path.size()));
    if (part == ".." && !parts.empty() && parts.back() != "..") {
      parts.pop_back();
    } else if (!part.empty() && part != "." && !(part == ".." && rooted)) {
      parts.push_back(part);
    }
  }
  std::string out = rooted ? "/" : "";
  for (size_t i = 0; i < parts.size(); ++i) {
    out += (i > 0 ? "/" : "") + std::string(parts[i]);
  }
  return out.empty() ? "." : out;
}

std::string parentOf(const std::string &path) {
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

/// The text of a str or a path; nullopt for anything else.
std::optional<std::string> pathText(Value value) {
  if (value.is(Kind::Instance) && value.as<InstanceObject>().type->name == "Path") {
    value = value.as<InstanceObject>().items[0];
  }
  return value.is(Kind::Str) ? std::optional(textOf(value)) : std::nullopt;
}

/// The object of that class of this file that a method is called on; null where it is none, as in `Path.name(5)`.
InstanceObject *receiver(Interpreter &run, const Arguments &args, std::string_view type) {
  Value self = argument(args, 0, "");
  bool fits = self.is(Kind::Instance) && self.as<InstanceObject>().type->derives(run.builtinClass(type));
  return fits ? &self.as<InstanceObject>() : nullptr;
}

/// The path that a method or property of paths is called on; nullopt where it is none.
std::optional<std::string> ownPath(Interpreter &run, const Arguments &args) {
  InstanceObject *self = receiver(run, args, "Path");
  return self && !self->items.empty() && self->items[0].is(Kind::Str) ? std::optional(textOf(self->items[0]))
                                                                      : std::nullopt;
}

ClassObject *pathClass(Interpreter &run);

Value makePath(Interpreter &run, std::string path) {
  auto *made = run.heap().make<InstanceObject>();
  made->type = pathClass(run);
  made->items = {run.text(std::move(path))};
  return Value::make(Kind::Instance, made);
}

Value joined(Interpreter &run, Arguments &args, size_t from, bool asPath) {
  std::string out;
  for (size_t i = from; i < args.positional.size(); ++i) {
    std::optional<std::string> part = pathText(run.fetch(args.positional[i]));
    if (!part) {
      return args.positional[i].isUnknown() ? args.positional[i] : run.unknown("a path", args.at);
    }
    out = part->starts_with('/') || out.empty() ? *part : out + (out.ends_with('/') ? "" : "/") + *part;
  }
  return asPath ? makePath(run, out.empty() ? "." : out) : run.text(out);
}

Value pathNew(Interpreter &run, Value, Arguments &args) { return joined(run, args, 0, true); }
Value pathJoin(Interpreter &run, Value, Arguments &args) { return joined(run, args, 0, true); }
Value osJoin(Interpreter &run, Value, Arguments &args) { return joined(run, args, 0, false); }

Value pathResolve(Interpreter &run, Value, Arguments &args) {
  std::optional<std::string> path = pathText(argument(args, 0, ""));
  if (!path || (!path->starts_with('/') && run.search().workingFolder.empty())) {
    return run.unknown("an absolute path", args.at);
  }
  return makePath(run, normalized(path->starts_with('/') ? *path : run.search().workingFolder + "/" + *path));
}

Value pathParent(Interpreter &run, Value, Arguments &args) {
  std::optional<std::string> path = ownPath(run, args);
  return path ? makePath(run, parentOf(*path)) : Value::raised();
}

Value pathParents(Interpreter &run, Value, Arguments &args) {
  std::optional<std::string> at = ownPath(run, args);
  std::vector<Value> out;
  while (at && *at != "/" && *at != "." && out.size() < 256) {
    at = parentOf(*at);
    out.push_back(makePath(run, *at));
  }
  return at ? run.tuple(std::move(out)) : Value::raised();
}

Value pathName(Interpreter &run, Value, Arguments &args) {
  std::optional<std::string> path = ownPath(run, args);
  return path ? run.text(path->substr(path->rfind('/') + 1)) : Value::raised();
}

Value pathStem(Interpreter &run, Value, Arguments &args) {
  std::optional<std::string> path = ownPath(run, args);
  if (!path) {
    return Value::raised();
  }
  std::string name = path->substr(path->rfind('/') + 1);
  size_t dot = name.rfind('.');
  return run.text(dot == std::string::npos || dot == 0 ? name : name.substr(0, dot));
}

Value pathString(Interpreter &run, Value, Arguments &args) {
  std::optional<std::string> path = ownPath(run, args);
  return path ? run.text(*path) : Value::raised();
}

/// os.fspath takes a text as well.
Value osPath(Interpreter &run, Value, Arguments &args) {
  Value given = run.fetch(argument(args, 0, "path"));
  std::optional<std::string> path = pathText(given);
  return path ? run.text(*path) : given.isLost() ? given : run.unknown("a path", args.at);
}

Value pathUnknown(Interpreter &run, Value, Arguments &args) { return run.unknown("what is on the disk", args.at); }

ClassObject *pathClass(Interpreter &run) {
  return makeClass(run, "Path",
                   {{"resolve", pathResolve},
                    {"absolute", pathResolve},
                    {"joinpath", pathJoin},
                    {"__truediv__", pathJoin},
                    {"__str__", pathString},
                    {"as_posix", pathString},
                    {"exists", pathUnknown},
                    {"is_dir", pathUnknown},
                    {"is_file", pathUnknown},
                    {"parent", pathParent, true},
                    {"parents", pathParents, true},
                    {"name", pathName, true},
                    {"stem", pathStem, true}});
}

template <class Change> Value changed(Interpreter &run, Arguments &args, Change change) {
  std::optional<std::string> path = pathText(run.fetch(argument(args, 0, "")));
  return path ? run.text(change(*path)) : run.unknown("a path", args.at);
}

Value osDirname(Interpreter &run, Value, Arguments &args) {
  return changed(run, args, [](const std::string &path) {
    size_t slash = path.rfind('/');
    return slash == std::string::npos ? std::string() : slash == 0 ? std::string("/") : path.substr(0, slash);
  });
}

Value osBasename(Interpreter &run, Value, Arguments &args) {
  return changed(run, args, [](const std::string &path) { return path.substr(path.rfind('/') + 1); });
}

Value osNormal(Interpreter &run, Value, Arguments &args) {
  return changed(run, args, [](const std::string &path) { return normalized(path); });
}

Value osAbsolute(Interpreter &run, Value, Arguments &args) {
  std::optional<std::string> path = pathText(run.fetch(argument(args, 0, "")));
  if (!path || (!path->starts_with('/') && run.search().workingFolder.empty())) {
    return run.unknown("an absolute path", args.at);
  }
  return run.text(normalized(path->starts_with('/') ? *path : run.search().workingFolder + "/" + *path));
}

// --- argparse

constexpr std::string_view kRows = "[arguments]"; // no Python attribute has such a name

/// The defaults of the parser that a method is called on; null where it is none.
DictObject *defaultsOf(Interpreter &run, const Arguments &args) {
  InstanceObject *self = receiver(run, args, "ArgumentParser");
  const Slot *rows = self ? self->attributes.find(kRows) : nullptr;
  return rows && rows->value.is(Kind::Dict) ? &rows->value.as<DictObject>() : nullptr;
}

Value parserNew(Interpreter &run, Value, Arguments &) {
  auto *made = run.heap().make<InstanceObject>();
  made->type = run.builtinClass("ArgumentParser");
  made->attributes.set(kRows, {run.makeDict(), {}, {}, true});
  return Value::make(Kind::Instance, made);
}

Value addArgument(Interpreter &run, Value, Arguments &args) {
  run.assume();
  DictObject *rows = defaultsOf(run, args);
  if (!rows) {
    return Value::raised();
  }
  std::string dest;
  bool positional = false;
  for (size_t i = 1; i < args.positional.size(); ++i) {
    Value flag = args.positional[i];
    if (!flag.is(Kind::Str)) {
      return run.unknown("an argument of the command line", args.at);
    }
    std::string_view name = textOf(flag);
    bool isLong = name.starts_with("--");
    if (dest.empty() || (isLong && !positional)) {
      positional = !name.starts_with('-');
      if (dest.empty() || isLong) {
        dest = std::string(name.substr(std::min(name.find_first_not_of('-'), name.size())));
        positional = positional && isLong ? false : positional;
      }
    }
    if (isLong) {
      break;
    }
  }
  Value named = argument(args, SIZE_MAX, "dest");
  dest = named.is(Kind::Str) ? textOf(named) : dest;
  std::replace(dest.begin(), dest.end(), '-', '_');
  Value action = argument(args, SIZE_MAX, "action");
  Value value = argument(args, SIZE_MAX, "default");
  Value type = argument(args, SIZE_MAX, "type");
  if (value.isRaised()) {
    std::string_view kind = action.is(Kind::Str) ? std::string_view(textOf(action)) : std::string_view();
    value = kind == "store_true"    ? Value::ofBool(false)
            : kind == "store_false" ? Value::ofBool(true)
            : positional            ? run.unknown("`" + dest + "` is an argument of the command line", args.at)
                                    : Value::none();
  } else if (value.is(Kind::Str) && !type.isRaised()) {
    value = run.call(type, {value});
  }
  if (value.isRaised()) {
    return value;
  }
  Value problem;
  run.touch(rows);
  run.dictSet(*rows, run.text(dest), value, problem);
  return run.unknown("an argument's action", args.at);
}

Value setDefaults(Interpreter &run, Value, Arguments &args) {
  DictObject *rows = defaultsOf(run, args);
  if (!rows) {
    return Value::raised();
  }
  run.touch(rows);
  for (const auto &[name, value] : args.keywords) {
    Value problem;
    run.dictSet(*rows, run.text(std::string(name)), value, problem);
  }
  return Value::none();
}

Value parseArguments(Interpreter &run, Value, Arguments &args) {
  run.assume();
  Value given = argument(args, 1, "args");
  const bool none = given.isRaised() || given.isNone() ||
                    (given.isSequence() && run.fetch(given).as<SequenceObject>().items.empty()); // the defaults alone
  if (!none) {
    return run.unknown("arguments that are given in the program", args.at);
  }
  DictObject *rows = defaultsOf(run, args);
  Value dict = rows ? run.fetch(Value::make(Kind::Dict, rows)) : Value::raised();
  if (!dict.is(Kind::Dict)) {
    return dict;
  }
  auto *made = run.heap().make<InstanceObject>();
  made->type = run.builtinClass("Namespace");
  for (const DictObject::Entry &entry : rows->entries) {
    made->attributes.set(run.heap().intern(textOf(entry.key)), {entry.value, {}, {}, true});
  }
  return Value::make(Kind::Instance, made);
}

/// types.SimpleNamespace: its keywords are its attributes.
Value makeNamespace(Interpreter &run, Value, Arguments &args) {
  if (!args.positional.empty() || args.isOpen) {
    return run.unknown("a namespace made of another object", args.at);
  }
  auto *made = run.heap().make<InstanceObject>();
  made->type = run.builtinClass("SimpleNamespace");
  for (const auto &[name, value] : args.keywords) {
    made->attributes.set(run.heap().intern(std::string(name)), {value, {}, {}, true});
  }
  return Value::make(Kind::Instance, made);
}

Value parseKnown(Interpreter &run, Value self, Arguments &args) {
  Value known = parseArguments(run, self, args);
  return known.isLost() ? known : run.tuple({known, run.list({})});
}

Value sameParser(Interpreter &, Value, Arguments &args) { return argument(args, 0, ""); }
Value nothing(Interpreter &, Value, Arguments &) { return Value::none(); }

} // namespace

ClassObject *makeClass(Interpreter &run, std::string_view name, const std::vector<Member> &members) {
  ClassObject *type = run.builtinClass(name);
  if (type->env->names.entries().empty()) {
    for (const Member &member : members) {
      Value value = run.builtin(member.name, member.function);
      if (member.property) {
        auto *wrapped = run.heap().make<WrappedObject>();
        wrapped->function = value;
        value = Value::make(Kind::Wrapped, wrapped);
      }
      type->env->names.set(member.name, {value, {}, {}, true});
    }
  }
  return type;
}

Value pathMember(Interpreter &run, std::string_view path) {
  struct Row {
    std::string_view path;
    BuiltinFunction function;
  };
  static constexpr Row kRow[] = {
      {"os.path.join", osJoin},        {"os.path.dirname", osDirname},   {"os.path.basename", osBasename},
      {"os.path.abspath", osAbsolute}, {"os.path.realpath", osAbsolute}, {"os.path.normpath", osNormal},
      {"os.fspath", osPath},           {"pathlib.Path", pathNew},        {"pathlib.PurePath", pathNew},
  };
  for (const Row &row : kRow) {
    if (row.path == path) {
      return run.builtin(row.path.substr(row.path.rfind('.') + 1), row.function);
    }
  }
  return Value::raised();
}

Value argparseMember(Interpreter &run, std::string_view path) {
  if (path == "types.SimpleNamespace") {
    return run.builtin("SimpleNamespace", makeNamespace);
  }
  if (path != "argparse.ArgumentParser") {
    return Value::raised();
  }
  makeClass(run, "ArgumentParser",
            {{"add_argument", addArgument},
             {"parse_args", parseArguments},
             {"parse_known_args", parseKnown},
             {"set_defaults", setDefaults},
             {"add_argument_group", sameParser},
             {"add_mutually_exclusive_group", sameParser},
             {"print_help", nothing}});
  return run.builtin("ArgumentParser", parserNew);
}

} // namespace placid::py::library
