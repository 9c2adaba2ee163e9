// SPDX-License-Identifier: Apache-2.0
// The op table for people: docs/dialects/operations.md, and the text of a hover.
#pragma once

#include "compiler/ops/op_table.h"

#include <string>

namespace placid::ops {

/// The whole table as a page of Markdown.
std::string operationsPage();

/// One operation as Markdown: its forms, what it does, where its tiles live. For hovers and completion.
std::string documentation(const OpRow &row);

} // namespace placid::ops
