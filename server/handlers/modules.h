// SPDX-License-Identifier: Apache-2.0
// Names across files for one query: modules that are open as they stand in the editor, others from disk, and the symbol
// that a place in one of them means. Compile thread.
#pragma once

#include "server/handlers/query.h"

#include <map>
#include <memory>
#include <optional>
#include <string_view>

namespace placid::server {

struct ModuleView {
  std::string uri;
  source::SourcePtr text;
  const index::Index *index = nullptr;
};

/// A symbol of some module; without one (kNone) the module itself.
struct Target {
  const ModuleView *module = nullptr;
  uint32_t symbol = index::kNone;
};

/// The names of named arguments of a call.
std::vector<source::ByteRange> keywordsOf(std::string_view text, const index::Call &call);

class Modules {
public:
  explicit Modules(const Snapshot &snapshot);

  const ModuleView &here() const { return *here_; }
  /// Null for what cannot be read. Pointers stay valid.
  const ModuleView *at(const std::string &path) { return withWord(path, {}); }
  /// The same, and null for a file that is not open and in which `word` does not stand: such files are not parsed.
  const ModuleView *withWord(const std::string &path, std::string_view word);
  /// Paths of what is open and of the Python files of the workspace; sorted, bounded.
  std::vector<std::string> workspace() const;
  /// The module that an import in `importer` means; null when it is not found.
  const ModuleView *imported(const std::string &module, const ModuleView &importer);

  /// What the place means where it is defined: imports are followed. Nothing for a place that is no name of ours.
  std::optional<Target> targetAt(uint32_t offset);
  /// `symbol` of `module`, or what it imports.
  std::optional<Target> follow(const ModuleView &module, uint32_t symbol);
  /// The symbol that a name of the module stands for, as others import it; an import is not followed.
  std::optional<Target> namedIn(const ModuleView &module, const std::string &name) const;
  /// What a call in `module` calls.
  std::optional<Target> called(const ModuleView &module, const index::Call &call);

  struct Use {
    const ModuleView *module;
    index::Occurrence occurrence;
  };
  struct Found {
    std::vector<Use> uses;                   ///< Definition included; each place once.
    std::vector<const ModuleView *> modules; ///< In which the names stand, whatever they mean there.
    std::vector<std::string> unread;         ///< Files that hold the names and are no text.
    bool whole = true;                       ///< False: there are more files than were looked at.
  };
  /// In its module and, for a name that others can reach, in the workspace, or in the folder of a file outside it.
  /// Files that take everything from a module by `*` and hold `other` are among the modules too.
  Found search(const Target &target, const std::stop_token &stop, const std::string &other = {});
  std::vector<Use> usesOf(const Target &target, const std::stop_token &stop) { return search(target, stop).uses; }

  /// The name behind the module in a dotted path, `NAME` of `pkg.config.NAME`, where the module is found; `Class.NAME`
  /// too.
  std::optional<Target> memberTarget(const std::string &path, const ModuleView &importer);
  /// What one import stands for, which may be another import; nothing where that is not known.
  std::optional<Target> step(const Target &import);
  /// Whether others can reach the symbol: names of the module, of its classes, and parameters of such functions.
  static bool reachable(const index::Index &index, uint32_t symbol);

private:
  std::vector<std::string> searched(const std::string &around, bool &whole) const;
  void usesIn(const ModuleView &module, const Target &target, std::vector<Use> &out);
  /// Whether the symbol is the target, or an import that leads to it.
  bool leadsTo(const ModuleView &module, uint32_t symbol, const Target &target);

  source::SourcePtr textAt(const std::string &path);
  const index::Index &indexed(const source::SourcePtr &text);

  const Snapshot &snapshot_;
  std::map<std::string, ModuleView> modules_;                       ///< By path.
  std::map<std::string, std::shared_ptr<const index::Index>> read_; ///< Of modules from disk.
  const ModuleView *here_ = nullptr;
};

} // namespace placid::server
