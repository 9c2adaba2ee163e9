// SPDX-License-Identifier: Apache-2.0
// placid-eval FILE [ROOT…]: what the evaluator makes of a Python file, one module-level name a line as
// NAME <tab> repr, or NAME <tab> ? <tab> the reason. For tests that compare with Python itself.
#include "compiler/evaluator/interpreter.h"
#include "compiler/frontend/module_cache.h"
#include "compiler/frontend/pl_dialect.h"
#include "compiler/syntax/parse.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace {

using namespace placid;

class Files final : public source::SourceProvider {
public:
  source::SourcePtr load(const std::string &path) override {
    std::ifstream file(path, std::ios::binary);
    if (!file || std::filesystem::is_directory(path)) {
      return nullptr;
    }
    std::ostringstream text;
    text << file.rdbuf();
    return std::make_shared<source::SourceText>(path, text.str());
  }
  bool exists(const std::string &path) override { return std::filesystem::is_regular_file(path); }
};

void put(std::string_view text) {
  for (char c : text) {
    std::fputs(c == '\n' ? "\\n" : c == '\t' ? "\\t" : std::string(1, c).c_str(), stdout);
  }
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: placid-eval FILE [ROOT...]\n");
    return 2;
  }
  auto files = std::make_shared<Files>();
  source::SourcePtr text = files->load(argv[1]);
  if (!text) {
    std::fprintf(stderr, "placid-eval: cannot read %s\n", argv[1]);
    return 2;
  }
  frontend::ModuleCache cache;
  frontend::ImportedModules modules(files, &cache);
  frontend::PlDialect dialect;
  py::SearchPath search;
  std::string path = argv[1];
  size_t slash = path.rfind('/');
  search.entryFolder = slash == std::string::npos ? "" : path.substr(0, slash);
  search.roots.assign(argv + 2, argv + argc);
  search.workingFolder = std::filesystem::current_path().string();
  py::Interpreter run(modules, dialect, search);
  py::ModuleObject *entry = run.runEntry(syntax::Parser().parse(text));
  for (const py::Namespace::Entry &name : entry->env->names.entries()) {
    if (!name.slot.present || name.name.starts_with("__")) {
      continue;
    }
    put(name.name);
    py::Value shown = run.repr(name.slot.value);
    if (shown.is(py::Kind::Str)) {
      std::fputs("\t", stdout);
      put(py::textOf(shown));
    } else {
      std::fputs("\t?\t", stdout);
      put(py::reasonOf(shown));
    }
    std::fputs("\n", stdout);
  }
  for (const py::Fault &fault : run.faults()) {
    std::fprintf(stderr, "fault: %s\n", fault.message.c_str());
  }
  return 0;
}
