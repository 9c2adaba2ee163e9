// SPDX-License-Identifier: Apache-2.0
#include "server/build/toolchains/elf_needs.h"

#include <elf.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>

namespace placid::server {

namespace fs = std::filesystem;

namespace {

constexpr size_t kMaxFiles = 1000;
constexpr uint64_t kMaxTable = uint64_t{64} << 20;

struct Needs {
  std::string interpreter;
  std::vector<std::string> libraries;
  std::vector<std::string> folders; ///< RUNPATH, else RPATH, with $ORIGIN replaced.
};

class ElfFile {
public:
  explicit ElfFile(const std::string &path) : file_(path, std::ios::binary) {}

  template <class T> bool read(uint64_t offset, T &out) {
    file_.clear();
    file_.seekg(static_cast<std::streamoff>(offset));
    file_.read(reinterpret_cast<char *>(&out), sizeof out);
    return static_cast<bool>(file_);
  }
  std::optional<std::string> bytes(uint64_t offset, uint64_t size) {
    if (size > kMaxTable) {
      return std::nullopt;
    }
    std::string out(size, '\0');
    file_.clear();
    file_.seekg(static_cast<std::streamoff>(offset));
    file_.read(out.data(), static_cast<std::streamsize>(size));
    return file_ ? std::optional(std::move(out)) : std::nullopt;
  }

private:
  std::ifstream file_;
};

std::string textAt(const std::string &table, uint64_t at) {
  return at < table.size() ? std::string(table.c_str() + at) : std::string();
}

std::vector<std::string> foldersOf(const std::string &list, const std::string &origin) {
  std::vector<std::string> out;
  std::stringstream parts(list);
  for (std::string part; std::getline(parts, part, ':');) {
    for (const char *name : {"$ORIGIN", "${ORIGIN}"}) {
      size_t at = part.find(name);
      if (at != std::string::npos) {
        part.replace(at, std::strlen(name), origin);
      }
    }
    out.push_back(part);
  }
  return out;
}

std::optional<Needs> needsOf(const std::string &path) {
  ElfFile file(path);
  Elf64_Ehdr header{};
  if (!file.read(0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB ||
      header.e_phentsize != sizeof(Elf64_Phdr)) {
    return std::nullopt;
  }
  Needs needs;
  std::vector<Elf64_Phdr> loads;
  std::optional<Elf64_Phdr> dynamic;
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment{};
    if (!file.read(header.e_phoff + i * sizeof segment, segment)) {
      return std::nullopt;
    }
    if (segment.p_type == PT_LOAD) {
      loads.push_back(segment);
    } else if (segment.p_type == PT_DYNAMIC) {
      dynamic = segment;
    } else if (segment.p_type == PT_INTERP) {
      std::optional<std::string> text = file.bytes(segment.p_offset, std::min<uint64_t>(segment.p_filesz, 4096));
      needs.interpreter = text ? std::string(text->c_str()) : std::string();
    }
  }
  if (!dynamic) {
    return needs; // linked statically
  }
  auto fileOffset = [&](uint64_t address) -> std::optional<uint64_t> {
    for (const Elf64_Phdr &load : loads) {
      if (address >= load.p_vaddr && address - load.p_vaddr < load.p_filesz) {
        return load.p_offset + (address - load.p_vaddr);
      }
    }
    return std::nullopt;
  };
  std::vector<uint64_t> names;
  uint64_t strings = 0, size = 0, runPath = 0, rPath = 0;
  std::optional<std::string> entries = file.bytes(dynamic->p_offset, dynamic->p_filesz);
  for (size_t at = 0; entries && at + sizeof(Elf64_Dyn) <= entries->size(); at += sizeof(Elf64_Dyn)) {
    Elf64_Dyn entry{};
    std::memcpy(&entry, entries->data() + at, sizeof entry);
    switch (entry.d_tag) {
    case DT_NEEDED:
      names.push_back(entry.d_un.d_val);
      break;
    case DT_STRTAB:
      strings = entry.d_un.d_ptr;
      break;
    case DT_STRSZ:
      size = entry.d_un.d_val;
      break;
    case DT_RUNPATH:
      runPath = entry.d_un.d_val;
      break;
    case DT_RPATH:
      rPath = entry.d_un.d_val;
      break;
    default:
      break;
    }
  }
  std::optional<uint64_t> where = fileOffset(strings);
  std::optional<std::string> table = where ? file.bytes(*where, size) : std::nullopt;
  if (table) {
    for (uint64_t name : names) {
      needs.libraries.push_back(textAt(*table, name));
    }
    uint64_t folders = runPath ? runPath : rPath;
    needs.folders = folders ? foldersOf(textAt(*table, folders), fs::path(path).parent_path().string())
                            : std::vector<std::string>();
  }
  return needs;
}

/// The folders of ld.so.conf and the files that it includes, then the loader's own.
void readLoaderFolders(const fs::path &file, std::vector<std::string> &out, int depth) {
  std::ifstream in(file);
  for (std::string line; depth < 4 && std::getline(in, line);) {
    line = line.substr(0, line.find('#'));
    size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string::npos) {
      continue;
    }
    line = line.substr(begin, line.find_last_not_of(" \t\r") + 1 - begin);
    constexpr std::string_view kInclude = "include ";
    if (!line.starts_with(kInclude)) {
      out.push_back(line);
      continue;
    }
    fs::path pattern = line.substr(kInclude.size()); // "/etc/ld.so.conf.d/*.conf" is the form that is used
    std::vector<fs::path> files;
    std::error_code error;
    fs::directory_iterator entries(pattern.parent_path(), error);
    for (fs::directory_iterator last; !error && entries != last; entries.increment(error)) {
      if (entries->path().extension() == pattern.extension()) {
        files.push_back(entries->path());
      }
    }
    std::sort(files.begin(), files.end());
    for (const fs::path &included : files) {
      readLoaderFolders(included, out, depth + 1);
    }
  }
}

const std::vector<std::string> &loaderFolders() {
  static const std::vector<std::string> folders = [] {
    std::vector<std::string> out;
    readLoaderFolders("/etc/ld.so.conf", out, 0);
    for (const char *folder : {"/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib/aarch64-linux-gnu",
                               "/usr/lib/aarch64-linux-gnu", "/lib64", "/usr/lib64", "/lib", "/usr/lib"}) {
      out.emplace_back(folder);
    }
    return out;
  }();
  return folders;
}

} // namespace

std::vector<std::string> loadedFiles(const std::string &program) {
  std::set<std::string> seen;
  struct Wanted {
    std::string path;
    std::vector<std::string> folders; ///< Of those that loaded it: RPATH is inherited, and some rely on it.
  };
  std::deque<Wanted> wanted;
  std::error_code error;
  wanted.push_back({fs::canonical(program, error).string(), {}});
  if (error || !needsOf(wanted.front().path)) {
    return {};
  }
  while (!wanted.empty() && seen.size() < kMaxFiles) {
    Wanted next = std::move(wanted.front());
    wanted.pop_front();
    if (!seen.insert(next.path).second) {
      continue;
    }
    std::optional<Needs> needs = needsOf(next.path);
    if (!needs) {
      continue;
    }
    std::vector<std::string> folders = needs->folders;
    folders.insert(folders.end(), next.folders.begin(), next.folders.end());
    auto add = [&](const std::string &path) {
      std::error_code wrong;
      std::string real = fs::canonical(path, wrong).string();
      if (!wrong && fs::is_regular_file(real, wrong)) {
        wanted.push_back({real, folders});
        return true;
      }
      return false;
    };
    if (!needs->interpreter.empty()) {
      add(needs->interpreter);
    }
    for (const std::string &library : needs->libraries) {
      if (library.find('/') != std::string::npos) {
        add(library);
        continue;
      }
      auto in = [&](const std::string &folder) { return add(folder + "/" + library); };
      if (std::none_of(folders.begin(), folders.end(), in)) {
        std::any_of(loaderFolders().begin(), loaderFolders().end(), in);
      }
    }
  }
  return {seen.begin(), seen.end()};
}

std::string interpreterOf(const std::string &script) {
  std::ifstream in(script, std::ios::binary);
  std::array<char, 256> head{};
  in.read(head.data(), head.size() - 1);
  std::string line(head.data());
  if (!line.starts_with("#!")) {
    return {};
  }
  line = line.substr(2, line.find('\n') - 2);
  size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string::npos) {
    return {};
  }
  return line.substr(begin, std::min(line.find_first_of(" \t\r", begin), line.size()) - begin);
}

} // namespace placid::server
