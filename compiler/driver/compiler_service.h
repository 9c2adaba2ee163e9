// SPDX-License-Identifier: Apache-2.0
// The compiler as the server sees it: texts in, plain data out. No MLIR type, no JSON, no file access behind it that
// the caller did not hand in. Implementations: driver/in_process.h (this process) and, with the daemon, a worker
// process; both must answer the same bytes for the same input. Thread: one call at a time per service object; results
// are values the caller owns. Nothing throws.
#pragma once

#include "compiler/diagnostics/diagnostic.h"
#include "compiler/index/index.h"
#include "compiler/source/provider.h"
#include "compiler/source/text.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

namespace placid::compiler {

struct Options {
  std::string arch;                           ///< "a2", "a3", "a5" or "" for the dialect's default. "a2a3" means a3.
  std::string planner;                        ///< Who gives tiles addresses: "placid", "ptoas" or "" for the default.
  std::map<std::string, std::string> defines; ///< --define: module constants to override, Python literals.
  std::vector<std::string> entries;           ///< --entry: only these kernels; empty means all.
  /// Where imported modules come from; null: none can be read, and what they define is unknown.
  std::shared_ptr<source::SourceProvider> sources;
  /// Folders in which absolute imports are looked up, after the checked file's own, spelled as paths are shown.
  std::vector<std::string> roots;
  std::string folder; ///< What relative paths are relative to, as an absolute path; empty when nobody knows.
};

struct Counts {
  uint32_t kernels = 0;
  uint32_t errors = 0;
  uint32_t warnings = 0;
};

struct CheckResult {
  std::vector<diag::Diagnostic> diagnostics; ///< Sorted, deduplicated.
  Counts counts;
  std::vector<std::string> modulesRead;   ///< Paths of imported modules that the result depends on; sorted.
  std::vector<std::string> unusedDefines; ///< Of Options::defines, the names that the file never binds; sorted.
  bool stopped = false; ///< The stop token was honoured: the result is partial and must not be published.
};

/// A coordinate or extent as users read it: a number when constant, else the source's own spelling.
using Expr = std::variant<int64_t, std::string>;

struct InspectTensor {
  std::string name;
  std::string function;         ///< The source function that declares it.
  source::ByteRange annotation; ///< The whole third subscript element for NZ tensors, else the whole annotation.
  std::string layout;           ///< "NZ", "ND", …
  std::string dtype;            ///< "FP16", …
  std::vector<Expr> logical;
  int64_t c0 = 0;            ///< Elements in a 32-byte C0 line; 0 when not NZ.
  std::vector<Expr> blocked; ///< Empty when not NZ or rejected.
  std::vector<Expr> strides; ///< In elements; empty when not NZ or rejected.
  std::string rejected;      ///< Slug, when the declaration was refused.
};

struct OffsetProof {
  int axis = 0;       ///< -2 rows, -1 columns.
  int64_t factor = 0; ///< 16 or c0.
  std::string expr;
  std::string multiple;
  std::string nonNegative;
};

struct InspectAccess {
  std::string op; ///< "load", "store", "slice", "reshape".
  std::string tensor;
  std::string result; ///< The tile's name; for a store the stored tile's. May be empty.
  source::ByteRange range;
  std::vector<Expr> offsets;
  std::vector<Expr> sizes;
  std::vector<Expr> tile;
  std::optional<int64_t> gapBlocks; ///< In 32-byte blocks, worst case; absent where it does not apply.
  std::vector<OffsetProof> proof;
  std::string rejected;
};

/// A name that is bound to a tile or a tensor.
struct InspectValue {
  std::string name;
  source::ByteRange range; ///< The expression that makes it.
  std::vector<Expr> shape;
  std::string dtype;
  std::string place; ///< Memory space of a tile, layout of a tensor that is not ND; else empty.
  std::string type;  ///< As users write it: `pl.Tile[[32, 64], pl.FP16, pl.Mem.Mat]`.
};

/// How one matmul runs through L0: the extents of the product and of the tile it is cut into.
struct TilePlan {
  std::string function; ///< The core function.
  std::string result;   ///< The product's name; may be empty.
  source::ByteRange range;
  std::array<int64_t, 3> shape{}; ///< M, N, K in elements.
  std::array<int64_t, 3> tile{};  ///< m, n, k.
  std::string stationary;         ///< What stays in L0: "output", "left" or "right".
};

/// The partitions in which one NZ store is emitted; one when it was not cut.
struct StoreChunks {
  std::string tensor;
  source::ByteRange range;
  int64_t columns = 0;                    ///< Of one full chunk.
  std::vector<std::vector<Expr>> offsets; ///< Blocked, rank 5.
  std::vector<std::vector<Expr>> partitions;
};

/// What one core function uses of one memory, in bytes.
struct MemoryUse {
  std::string function;
  std::string space;    ///< "Mat", "Acc" …
  std::string hardware; ///< "L1", "L0C" …
  int64_t used = 0;
  int64_t capacity = 0;
};

struct InspectKernel {
  std::string entry; ///< Qualified name.
  std::vector<InspectTensor> tensors;
  std::vector<InspectAccess> accesses;
  std::vector<InspectValue> values; ///< In source order.
  // Empty where the kernel has a fault, or an operation that nobody models.
  std::vector<TilePlan> tiles;
  std::vector<StoreChunks> chunks;
  std::vector<MemoryUse> memory;
};

struct InspectResult {
  std::string arch;
  std::vector<InspectKernel> kernels;
  CheckResult check;
};

struct IrRequest {
  enum class Form { Text, Pto } form = Form::Text;
  std::string afterPass; ///< CamelCase pass name; "" with `all` false means after the last pass.
  bool all = false;
  std::string kernel; ///< Only this kernel; "" means all.
};

struct IrUnit {
  std::string kernel;
  std::string pass; ///< Set with `all`.
  std::string text;
};

struct IrResult {
  std::vector<IrUnit> units;
  CheckResult check;
  std::string error; ///< Wrong request (unknown pass, unknown kernel): a usage error, not a diagnostic.
};

/// One lowered core kernel: what `build --until pto` writes.
struct LoweredKernel {
  std::string name;               ///< File stem and function name in the PTO IR.
  std::string entry;              ///< Qualified source name.
  std::string planner = "placid"; ///< Or "ptoas": `pto` has no addresses, and `memory` is not known.
  std::string coreType;           ///< "aic", "aiv", or "mixed": one function for each core, see `functions`.
  std::string pto;
  struct Argument {
    std::string name, kind, direction, dtype, layout; ///< kind: tensor, workspace, scalar, extent.
    std::vector<Expr> shape, blocked;
    std::vector<Expr> strides; ///< Of `blocked`, in elements; NZ only.
    int64_t panelElements = 0; ///< NZ: elements of one packed plane, align(R, 16) * align(C, c0).
    int64_t elementBytes = 0;  ///< Tensors; 0 for a dtype of less than a byte.
    std::string extentOf;      ///< kind extent: the tensor argument whose shape has it …
    int64_t extentAxis = 0;    ///< … and the axis of its logical shape.
    bool dynamicBatch = false; ///< NZ of rank 3 whose first extent is known at run time.
  };
  std::vector<Argument> arguments;
  /// Parameters behind the arguments, which the launcher fills: "block_idx" …. The functions of a mixed kernel each
  /// have their own, told apart by what stands in front: "aic.block_idx", "aiv.subblock_idx".
  std::vector<std::string> launch;
  std::string function; ///< The core function it was lowered from.
  std::vector<TilePlan> tiles;
  std::vector<MemoryUse> memory;
  std::vector<std::string> functions; ///< Of a mixed kernel: that of the cube core, then that of the vector core.
};

struct LowerResult {
  std::string arch;
  std::vector<LoweredKernel> kernels;
  CheckResult check;
};

/// How often each kind of work was done, since the service began: what an edit re-runs is read from the differences.
struct Counters {
  uint64_t parse = 0;    ///< Texts to trees.
  uint64_t evaluate = 0; ///< Modules evaluated.
  uint64_t check = 0;    ///< Kernels through front end and check pipeline.
  uint64_t lower = 0;    ///< Kernels taken to PTO IR.
  uint64_t cacheHit = 0; ///< Kernels or files whose result was known.
};

/// A stretch of the pipeline and the pass it ends with, as passNames() has it.
struct Phase {
  std::string_view name;
  std::string_view lastPass;
};
inline constexpr std::array<Phase, 4> kPhases = {{{"frontend", "FrontEnd"},
                                                  {"check", "BlockNzTensorViews"},
                                                  {"tiling", "AllocateMemoryAddr"},
                                                  {"pto", "CheckTileHazards"}}};

class CompilerService {
public:
  virtual ~CompilerService() = default;
  virtual Counters counters() const { return {}; }
  /// Does what could wait until an answer was out. For whoever can tell that it is; else the next call does it.
  virtual void rest() {}
  virtual CheckResult check(const source::SourcePtr &text, const Options &options, std::stop_token stop) = 0;
  virtual InspectResult inspect(const source::SourcePtr &text, const Options &options, std::stop_token stop) = 0;
  virtual IrResult ir(const source::SourcePtr &text, const Options &options, const IrRequest &request,
                      std::stop_token stop) = 0;
  virtual LowerResult lower(const source::SourcePtr &text, const Options &options, std::stop_token stop) = 0;
  /// Names, uses and ranges of one text, whether it compiles or not.
  virtual index::Index index(const source::SourcePtr &text) = 0;
  /// The operations of PL, sorted by path. The same for every text.
  virtual std::vector<index::OpInfo> ops() const = 0;
  /// Names that `ir --after` takes, in pipeline order.
  virtual std::vector<std::string> passNames() const = 0;
};

/// True when the text imports a PL dialect: what makes a file in a folder worth checking. Cheap: no parse.
bool importsPl(std::string_view text);

} // namespace placid::compiler
