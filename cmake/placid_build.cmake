# Compiler settings, third-party packages and placid_library(): one place that says how a folder of ours is built.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set_property(GLOBAL PROPERTY JOB_POOLS link=1 heavy=1)
set(CMAKE_JOB_POOL_LINK link)

# ccache, told that our precompiled headers are deterministic (see the -fno-pch-timestamp below).
find_program(PLACID_CCACHE ccache)
if(PLACID_CCACHE)
  set(launcher "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros "CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}"
      "${PLACID_CCACHE}")
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()

if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  add_link_options(--ld-path=/usr/lib/llvm-22/bin/ld.lld)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wthread-safety>)
  if(PLACID_PCH)
    add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>" $<$<COMPILE_LANGUAGE:CXX>:-fpch-instantiate-templates>)
  endif()
else()
  add_link_options(-fuse-ld=lld -B/usr/lib/llvm-22/bin)
endif()
if(PLACID_SANITIZE)
  add_compile_options(-fsanitize=${PLACID_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${PLACID_SANITIZE})
endif()
if(PLACID_FUZZ AND PLACID_SANITIZE)
  add_compile_options(-fsanitize=fuzzer-no-link) # coverage for the fuzzers, in everything they link
endif()

# Version 22.1, not 22: the package's version file wants major and minor to match.
find_package(MLIR 22.1 REQUIRED CONFIG)
list(APPEND CMAKE_MODULE_PATH "${LLVM_CMAKE_DIR}" "${MLIR_CMAKE_DIR}")
include(TableGen)
include(AddLLVM)
include(AddMLIR)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(spdlog REQUIRED)
find_package(Boost 1.81 REQUIRED)
find_package(Threads REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(OpenSSL 3 REQUIRED)
include(placid_mlir)
if(PLACID_TESTS)
  find_package(GTest REQUIRED)
  include(GoogleTest)
endif()

function(placid_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow -Wimplicit-fallthrough -Wnon-virtual-dtor
                                           -Wno-unused-parameter -Wno-missing-field-initializers)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # False positives of gcc 12 in asio coroutines and in inlined standard containers.
    target_compile_options(${target} PRIVATE -Wno-mismatched-new-delete -Wno-maybe-uninitialized -Wno-restrict
                                             -Wno-dangling-pointer -Wno-stringop-overflow -Wno-array-bounds)
  endif()
  if(PLACID_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()

# placid_library(<name> SOURCES … [DEPS …] [MLIR] [TESTS …])
#   MLIR   the folder may include LLVM and MLIR headers; it shares the MLIR precompiled header.
#   TESTS  *_test.cpp beside the sources; they are collected into one program per top-level folder.
function(placid_library name)
  cmake_parse_arguments(ARG "MLIR" "TEST_PROGRAM" "SOURCES;DEPS;TESTS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_include_directories(${name} PUBLIC "${PROJECT_SOURCE_DIR}")
  target_include_directories(${name} SYSTEM PUBLIC "${PROJECT_BINARY_DIR}") # tablegen output: not held to our warnings
  target_link_libraries(${name} PUBLIC ${ARG_DEPS})
  placid_warnings(${name})
  if(ARG_MLIR)
    target_include_directories(${name} SYSTEM PUBLIC ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
    target_link_libraries(${name} PUBLIC placid_mlir)
    placid_mlir_pch(${name})
  endif()
  if(PLACID_TESTS AND ARG_TESTS)
    foreach(test IN LISTS ARG_TESTS)
      set_property(GLOBAL APPEND PROPERTY PLACID_TESTS_${ARG_TEST_PROGRAM} "${CMAKE_CURRENT_SOURCE_DIR}/${test}")
    endforeach()
    set_property(GLOBAL APPEND PROPERTY PLACID_TEST_DEPS_${ARG_TEST_PROGRAM} ${name})
  endif()
endfunction()

# One precompiled header for everything that sees MLIR. It holds no header of ours.
function(placid_mlir_pch target)
  if(NOT PLACID_PCH)
    return()
  endif()
  if(NOT TARGET placid_mlir_pch_host)
    file(WRITE "${CMAKE_BINARY_DIR}/placid_mlir_pch_host.cpp" "\n")
    add_library(placid_mlir_pch_host STATIC "${CMAKE_BINARY_DIR}/placid_mlir_pch_host.cpp")
    target_include_directories(placid_mlir_pch_host SYSTEM PUBLIC ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
    target_precompile_headers(placid_mlir_pch_host PRIVATE
      <mlir/IR/Builders.h> <mlir/IR/BuiltinOps.h> <mlir/IR/BuiltinTypes.h> <mlir/IR/Dialect.h>
      <mlir/IR/DialectImplementation.h> <mlir/IR/OpDefinition.h> <mlir/IR/OpImplementation.h>
      <mlir/IR/PatternMatch.h> <mlir/Bytecode/BytecodeOpInterface.h> <mlir/Dialect/Arith/IR/Arith.h>
      <mlir/Dialect/Func/IR/FuncOps.h> <mlir/Dialect/SCF/IR/SCF.h> <mlir/Pass/Pass.h> <mlir/Pass/PassManager.h>
      <llvm/ADT/TypeSwitch.h> <string> <vector>)
  endif()
  target_precompile_headers(${target} REUSE_FROM placid_mlir_pch_host)
endfunction()

# placid_test_program(<name> [MLIR]): the collected *_test.cpp of one top-level folder, as one GoogleTest program.
#   MLIR  the tests include LLVM and MLIR headers; they share the MLIR precompiled header.
function(placid_test_program name)
  cmake_parse_arguments(ARG "MLIR" "" "" ${ARGN})
  get_property(sources GLOBAL PROPERTY PLACID_TESTS_${name})
  get_property(deps GLOBAL PROPERTY PLACID_TEST_DEPS_${name})
  if(NOT PLACID_TESTS OR NOT sources)
    return()
  endif()
  # Objects first: a precompiled header wants the flags of a library, not those of a program.
  add_library(${name}_objects OBJECT ${sources})
  target_include_directories(${name}_objects PRIVATE "${PROJECT_SOURCE_DIR}")
  target_include_directories(${name}_objects SYSTEM PRIVATE "${PROJECT_BINARY_DIR}")
  target_compile_definitions(${name}_objects PRIVATE PLACID_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name}_objects PRIVATE ${deps} GTest::gmock GTest::gtest)
  placid_warnings(${name}_objects)
  if(ARG_MLIR)
    placid_mlir_pch(${name}_objects)
  endif()
  add_executable(${name})
  target_link_libraries(${name} PRIVATE ${name}_objects ${deps} GTest::gmock GTest::gtest_main)
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST PROPERTIES TIMEOUT 600 LABELS ${name})
endfunction()
