// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/syntax_memo.h"

#include "llvm/Support/xxhash.h"

#include <cstring>
#include <set>

namespace placid::frontend {

namespace {

constexpr size_t kMaxDefinitions = 4096;

std::shared_ptr<const SyntaxMemo::Reads> readNow(const syntax::Stmt &definition) {
  auto out = std::make_shared<SyntaxMemo::Reads>();
  std::string bytes;
  AstBytes ast(bytes);
  ast.put(definition);
  out->meaning = digest(bytes);
  std::set<NameChain> seen;
  std::vector<const NameChain *> first;
  size_t size = 0;
  for (const NameChain &chain : ast.names()) {
    if (seen.insert(chain).second) {
      first.push_back(&chain);
      for (std::string_view word : chain) {
        size += word.size();
      }
    }
  }
  out->words.reserve(size); // the views stay good
  for (const NameChain *chain : first) {
    NameChain own;
    for (std::string_view word : *chain) {
      size_t at = out->words.size();
      out->words += word;
      own.push_back(std::string_view(out->words).substr(at));
    }
    out->names.push_back(std::move(own));
  }
  return out;
}

} // namespace

std::string digest(std::string_view bytes) {
  llvm::XXH128_hash_t hash =
      llvm::xxh3_128bits({reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()}); // NOLINT: bytes as bytes
  std::string out(16, '\0');
  std::memcpy(out.data(), &hash.low64, 8);
  std::memcpy(out.data() + 8, &hash.high64, 8);
  return out;
}

std::shared_ptr<const SyntaxMemo::Reads> SyntaxMemo::read(const syntax::Module &module,
                                                          const syntax::Stmt &definition) {
  if (!module.faults.empty()) {
    return readNow(definition); // what a broken text is taken for depends on what is around
  }
  std::string_view text = module.source->text;
  std::string key = digest(text.substr(definition.range.begin, definition.range.end - definition.range.begin));
  auto known = known_.find(key);
  if (known != known_.end()) {
    return known->second;
  }
  if (known_.size() >= kMaxDefinitions) {
    known_.clear();
  }
  return known_[key] = readNow(definition);
}

} // namespace placid::frontend
