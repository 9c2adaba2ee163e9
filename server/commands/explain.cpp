// SPDX-License-Identifier: Apache-2.0
// `explain`: the page of a diagnostic code.
#include "server/commands/command.h"
#include "server/commands/diagnostic_pages.h"

#include <algorithm>

namespace placid::server {

namespace {

/// For a code without a page: what the catalogue alone says.
std::string fromCatalog(const diag::CatalogRow &row) {
  return "# " + diag::codeName(row.code) + " " + std::string(row.slug) + "\n\nMessage: " + std::string(row.format) +
         "\n";
}

} // namespace

CommandResult runExplain(const Arguments &arguments, const CommandContext &) {
  if (arguments.positional.size() != 1) {
    return usageError("explain", "expected one CODE such as PL3105");
  }
  const std::string &asked = arguments.positional.front();
  std::optional<diag::Code> code = diag::parseCodeName(asked);
  const diag::CatalogRow *row = code ? diag::find(*code) : diag::findBySlug(asked);
  if (!row) {
    return usageError("explain",
                      "there is no diagnostic `" + asked + "`: a code looks like PL3105, a name like nz-offset-align");
  }
  std::string name = diag::codeName(row->code);
  std::span<const DiagnosticPage> pages = diagnosticPages();
  auto page =
      std::find_if(pages.begin(), pages.end(), [&](const DiagnosticPage &candidate) { return candidate.code == name; });
  CommandResult result;
  result.out = page == pages.end() ? fromCatalog(*row) : std::string(page->markdown);
  if (result.out.back() != '\n') {
    result.out += '\n';
  }
  return result;
}

} // namespace placid::server
