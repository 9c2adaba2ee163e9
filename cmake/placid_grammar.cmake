# The Python grammar of tree-sitter: C sources from the npm package tree-sitter-python (pinned by package-lock.json,
# ABI 14, which Debian's libtree-sitter 0.20 accepts), compiled here and never committed.
set(PLACID_GRAMMAR_DIR "${PROJECT_SOURCE_DIR}/node_modules/tree-sitter-python/src" CACHE PATH "tree-sitter-python C sources")
if(NOT EXISTS "${PLACID_GRAMMAR_DIR}/parser.c")
  message(FATAL_ERROR "tree-sitter-python is missing: run scripts/setup (it runs `npm ci --ignore-scripts`)")
endif()
find_path(PLACID_TREE_SITTER_INCLUDE tree_sitter/api.h REQUIRED)
find_library(PLACID_TREE_SITTER_LIBRARY tree-sitter REQUIRED)

add_library(placid_grammar STATIC "${PLACID_GRAMMAR_DIR}/parser.c" "${PLACID_GRAMMAR_DIR}/scanner.c")
target_include_directories(placid_grammar PRIVATE "${PLACID_GRAMMAR_DIR}")
target_include_directories(placid_grammar SYSTEM PUBLIC "${PLACID_TREE_SITTER_INCLUDE}")
target_link_libraries(placid_grammar PUBLIC "${PLACID_TREE_SITTER_LIBRARY}")
target_compile_options(placid_grammar PRIVATE -w)
