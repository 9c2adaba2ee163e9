// SPDX-License-Identifier: Apache-2.0
// Prints docs/dialects/operations.md from the op table.
#include "compiler/ops/op_doc.h"

#include <iostream>

int main() {
  std::cout << placid::ops::operationsPage();
  return std::cout.flush() ? 0 : 1;
}
