// SPDX-License-Identifier: Apache-2.0
#include "compiler/emit/pto_text.h"

#include "compiler/dialect/pto/ir/core_ops.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace placid::emit {

namespace {

/// SSA names: what the value was called, made unique in the function.
class Names {
public:
  std::string add(Value value) {
    std::string base = baseName(value);
    std::string name = base;
    // Names are never given back, so that those of this base below `next` stay taken.
    for (unsigned &next = next_[base]; !taken_.insert(name).second;) {
      name = base + "_" + std::to_string(++next);
    }
    return names_[value] = "%" + name;
  }
  /// Several results of one operation: `%name:2`, used as `%name#0`.
  std::string addResults(Operation *op) {
    if (op->getNumResults() == 1) {
      return add(op->getResult(0));
    }
    std::string name = add(op->getResult(0));
    for (OpResult result : op->getResults()) {
      names_[result] = name + "#" + std::to_string(result.getResultNumber());
    }
    return name + ":" + std::to_string(op->getNumResults());
  }
  void set(Value value, std::string name) {
    taken_.insert(name);
    names_[value] = "%" + std::move(name);
  }
  const std::string &operator[](Value value) { return names_[value]; }

private:
  static std::string baseName(Value value) {
    if (auto constant = value.getDefiningOp<arith::ConstantOp>()) {
      return constantName(constant);
    }
    std::string out;
    if (auto name = dyn_cast<NameLoc>(value.getLoc())) {
      for (char c : name.getName().getValue()) {
        out += llvm::isAlnum(c) || c == '_' ? c : '_';
      }
    }
    if (out.empty()) {
      return "v";
    }
    return llvm::isDigit(out.front()) ? "_" + out : out;
  }

  static std::string constantName(arith::ConstantOp constant) {
    auto integer = dyn_cast<IntegerAttr>(constant.getValue());
    if (!integer) {
      return "cst";
    }
    if (integer.getType().isInteger(1)) {
      return integer.getValue().isZero() ? "false" : "true";
    }
    std::string type;
    llvm::raw_string_ostream(type) << integer.getType();
    const int64_t value = integer.getValue().getSExtValue();
    return (value < 0 ? "cn" + std::to_string(-static_cast<uint64_t>(value)) : "c" + std::to_string(value)) + "_" +
           type;
  }

  llvm::DenseMap<Value, std::string> names_;
  llvm::StringSet<> taken_;
  llvm::StringMap<unsigned> next_; ///< By base: the last number that was tried.
};

class Printer {
public:
  Printer(llvm::raw_ostream &out, const TextOptions &options) : out_(out), options_(options) {}

  void printFunction(func::FuncOp function) {
    functionLoc_ = bridge::sourceRange(function.getLoc());
    line() << "func.func @" << function.getSymName() << '(';
    for (BlockArgument argument : function.getArguments()) {
      names_.set(argument, "arg" + std::to_string(argument.getArgNumber()));
      out_ << (argument.getArgNumber() ? ", " : "") << names_[argument] << ": " << argument.getType();
    }
    out_ << ')';
    if (auto kind = function->getAttr(pto::kKernelKindAttr)) {
      out_ << " attributes {" << pto::kKernelKindAttr << " = " << kind << '}';
    }
    out_ << " {\n";
    printBlock(function.getBody().front());
    line() << '}';
    endLine(function.getLoc());
  }

  Operation *unknown() const { return unknown_; }
  llvm::raw_ostream &line() { return out_.indent(indent_ * 2); }
  void nest(int by) { indent_ += by; }

private:
  void endLine(Location loc) {
    FileLineColRange range = bridge::sourceRange(loc);
    range = range ? range : functionLoc_;
    if (options_.locations && range) {
      out_ << " loc(\"";
      llvm::printEscapedString(range.getFilename().getValue(), out_);
      out_ << "\":" << std::max(1u, range.getStartLine()) << ':' << column(range) << ')';
    }
    out_ << '\n';
  }

  /// 1-based, in characters.
  unsigned column(FileLineColRange range) const {
    const unsigned byteColumn = std::max(1u, range.getStartColumn());
    source::SourcePtr source = options_.lookup ? options_.lookup(range.getFilename().str()) : nullptr;
    if (!source || range.getStartLine() == 0) {
      return byteColumn;
    }
    std::string_view text = source->lines.line(source->text, range.getStartLine() - 1);
    text = text.substr(0, byteColumn - 1);
    return 1 + static_cast<unsigned>(
                   llvm::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
  }

  void printBlock(Block &block) {
    nest(1);
    for (Operation &op : block) {
      // An empty yield is implied by the closing brace.
      if (!(isa<scf::YieldOp>(op) && op.getNumOperands() == 0)) {
        print(&op);
      }
    }
    nest(-1);
  }

  void list(ValueRange values) {
    out_ << '[';
    commas(values);
    out_ << ']';
  }

  void commas(ValueRange values) {
    llvm::interleaveComma(values, out_, [&](Value value) { out_ << names_[value]; });
  }

  /// `ins(%a, %b : ta, tb) outs(%d : td)`
  void insOuts(ValueRange ins, Value outs) {
    out_ << " ins(";
    commas(ins);
    out_ << " : ";
    llvm::interleaveComma(ins.getTypes(), out_);
    out_ << ") outs(" << names_[outs] << " : " << outs.getType() << ')';
  }

  void print(Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      return printFor(loop);
    }
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      return printIf(branch);
    }
    line();
    if (op->getNumResults() > 0) {
      out_ << names_.addResults(op) << " = ";
    }
    printOp(op);
    endLine(op->getLoc());
  }

  void printOp(Operation *op) {
    if (auto instr = dyn_cast<pto::InstrOp>(op)) {
      return printInstr(instr);
    }
    const StringRef name = isa<func::ReturnOp>(op)    ? StringRef("return")
                           : isa<pto::AccToVecOp>(op) ? StringRef("pto.tmov")
                                                      : op->getName().getStringRef();
    out_ << name;
    llvm::TypeSwitch<Operation *>(op)
        .Case<arith::ConstantOp>([&](auto constant) {
          out_ << ' ';
          if (constant.getType().isInteger(1)) {
            out_ << (cast<IntegerAttr>(constant.getValue()).getValue().isZero() ? "false" : "true");
          } else {
            out_ << Attribute(constant.getValue());
          }
        })
        .Case<arith::CmpIOp>([&](auto cmp) { compare(cmp, stringifyEnum(cmp.getPredicate())); })
        .Case<arith::CmpFOp>([&](auto cmp) { compare(cmp, stringifyEnum(cmp.getPredicate())); })
        .Case<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp,
              arith::SIToFPOp, arith::UIToFPOp, arith::FPToSIOp, arith::FPToUIOp, arith::ExtFOp, arith::TruncFOp,
              arith::BitcastOp>([&](Operation *cast) {
          out_ << ' ' << names_[cast->getOperand(0)] << " : " << cast->getOperand(0).getType() << " to "
               << cast->getResult(0).getType();
        })
        .Case<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivSIOp, arith::DivUIOp, arith::RemSIOp,
              arith::RemUIOp, arith::FloorDivSIOp, arith::CeilDivSIOp, arith::CeilDivUIOp, arith::MaxSIOp,
              arith::MinSIOp, arith::MaxUIOp, arith::MinUIOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp, arith::ShLIOp,
              arith::ShRSIOp, arith::ShRUIOp, arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
              arith::MaximumFOp, arith::MinimumFOp, arith::NegFOp, arith::SelectOp>([&](Operation *plain) {
          out_ << ' ';
          commas(plain->getOperands());
          out_ << " : " << plain->getResult(0).getType();
        })
        .Case<scf::YieldOp>([&](auto yield) {
          out_ << ' ';
          commas(yield.getOperands());
          out_ << " : ";
          llvm::interleaveComma(yield.getOperandTypes(), out_);
        })
        .Case<func::ReturnOp>([&](auto) {})
        .Case<pto::MakeTensorViewOp>([&](auto view) {
          out_ << ' ' << names_[view.getPtr()] << ", shape = ";
          list(view.getShape());
          out_ << ", strides = ";
          list(view.getStrides());
          if (view.getLayoutAttr()) {
            out_ << " {layout = " << Attribute(view.getLayoutAttr()) << '}';
          }
          out_ << " : " << view.getResult().getType();
        })
        .Case<pto::PartitionViewOp>([&](auto view) {
          out_ << ' ' << names_[view.getSource()] << ", offsets = ";
          list(view.getOffsets());
          out_ << ", sizes = ";
          list(view.getSizes());
          out_ << " : " << view.getSource().getType() << " -> " << view.getResult().getType();
        })
        .Case<pto::AllocTileOp>([&](auto alloc) {
          optional(" addr = ", alloc.getAddr());
          optional(" valid_row = ", alloc.getValidRow());
          optional(" valid_col = ", alloc.getValidCol());
          out_ << " : " << alloc.getResult().getType();
        })
        .Case<pto::TLoadOp, pto::TMovOp>([&](auto move) { insOuts(move.getSrc(), move.getDst()); })
        .Case<pto::TStoreOp>([&](auto store) {
          out_ << " ins(" << names_[store.getSrc()] << " : " << store.getSrc().getType();
          if (store.getFp()) {
            out_ << " fp " << names_[store.getFp()] << " : " << store.getFp().getType();
          }
          if (store.getPreQuantScalar()) {
            out_ << ", " << names_[store.getPreQuantScalar()] << " : " << store.getPreQuantScalar().getType();
          }
          out_ << ") outs(" << names_[store.getDst()] << " : " << store.getDst().getType() << ')';
          const char *before = " {";
          auto attribute = [&](StringRef key, Attribute value) {
            if (value) {
              out_ << before << key << " = " << value;
              before = ", ";
            }
          };
          attribute("stPhase", store.getStPhaseAttr());
          attribute("atomicType", store.getAtomicTypeAttr());
          attribute("reluPreMode", store.getReluPreModeAttr());
          if (*before == ',') {
            out_ << '}';
          }
        })
        .Case<pto::TExtractOp>([&](auto extract) {
          insOuts({extract.getSrc(), extract.getIndexRow(), extract.getIndexCol()}, extract.getDst());
        })
        .Case<pto::TMatmulOp>([&](auto matmul) { insOuts({matmul.getLhs(), matmul.getRhs()}, matmul.getDst()); })
        .Case<pto::SubviewOp>([&](auto view) {
          out_ << ' ' << names_[view.getSource()];
          list(view.getOffsets());
          out_ << " sizes [" << view.getSizes()[0] << ", " << view.getSizes()[1] << "] valid ";
          list(view.getValid());
          out_ << " : " << view.getSource().getType() << " -> " << view.getResult().getType();
        })
        .Case<pto::SetValidShapeOp>([&](auto set) {
          out_ << ' ';
          commas(set.getOperands());
          out_ << " : " << set.getSource().getType();
        })
        .Case<pto::TReshapeOp, pto::BitcastOp>([&](auto view) {
          out_ << ' ' << names_[view.getSource()] << " : " << view.getSource().getType() << " -> "
               << view.getResult().getType();
        })
        .Case<pto::TGetValOp>([&](auto get) {
          out_ << " ins(" << names_[get.getSrc()] << ", " << names_[get.getOffset()] << " : " << get.getSrc().getType()
               << ", index) outs : " << get.getDst().getType();
        })
        .Case<pto::LoadScalarOp>([&](auto load) {
          out_ << ' ' << names_[load.getPtr()] << '[' << names_[load.getOffset()] << "] : " << load.getPtr().getType()
               << " -> " << load.getValue().getType();
        })
        .Case<pto::StoreScalarOp>([&](auto store) {
          out_ << ' ' << names_[store.getValue()] << ", " << names_[store.getPtr()] << '[' << names_[store.getOffset()]
               << "] : " << store.getPtr().getType() << ", " << store.getValue().getType();
        })
        .Case<pto::DeclareLocalArrayOp>([&](auto array) { out_ << " -> " << arrayType(array.getResult()); })
        .Case<pto::LocalArrayGetOp>([&](auto get) {
          out_ << ' ' << names_[get.getArray()] << '[' << names_[get.getIndex()] << "] : " << arrayType(get.getArray())
               << " -> " << get.getValue().getType();
        })
        .Case<pto::LocalArraySetOp>([&](auto set) {
          out_ << ' ' << names_[set.getArray()] << '[' << names_[set.getIndex()] << "], " << names_[set.getValue()]
               << " : " << arrayType(set.getArray()) << ", " << set.getValue().getType();
        })
        .Case<pto::AddPtrOp>([&](auto add) {
          out_ << ' ' << names_[add.getPtr()] << ", " << names_[add.getOffset()] << " : " << add.getPtr().getType()
               << " -> " << add.getResult().getType();
        })
        .Case<pto::BarrierAllOp>([&](auto) { out_ << " <PIPE_ALL>"; })
        .Case<pto::FenceOp>([&](auto) { out_ << " #pto.fence_scope<gm>"; })
        .Case<pto::CacheInvalidOp>([&](auto invalidate) {
          if (Value view = invalidate.getView()) {
            out_ << ' ' << names_[view] << " single_cache_line : " << view.getType();
          } else {
            out_ << " all #pto.address_space<gm>";
          }
        })
        .Case<pto::TNotifyOp, pto::TWaitOp>([&](auto signal) {
          const bool notify = isa<pto::TNotifyOp>(signal.getOperation());
          out_ << '(' << names_[signal.getSignal()] << ", " << names_[signal.getValue()] << " : "
               << signal.getSignal().getType() << ", i32) {"
               << (notify ? "notifyOp = #pto<notify_op " : "cmp = #pto<wait_cmp ") << signal.getHow() << ">}";
        })
        .Case<pto::ReserveBufferOp>([&](auto reserve) {
          out_ << " {name = " << Attribute(reserve.getNameAttr()) << ", size = " << reserve.getSize()
               << ", location = " << Attribute(reserve.getLocationAttr());
          if (reserve.getBase()) {
            out_ << ", auto = false, base = " << *reserve.getBase();
          } else {
            out_ << ", auto = true";
          }
          out_ << "} -> " << reserve.getResult().getType();
        })
        .Case<pto::ImportReservedBufferOp>([&](auto import) {
          out_ << " {name = " << Attribute(import.getNameAttr())
               << ", peer_func = " << Attribute(import.getPeerFuncAttr()) << "} -> " << import.getResult().getType();
        })
        .Case<pto::AicInitializePipeOp, pto::AivInitializePipeOp>([&](auto pipe) {
          out_ << " {dir_mask = " << pipe.getDirMask() << ", slot_size = " << pipe.getSlotSize()
               << ", slot_num = " << pipe.getSlotNum() << "} (";
          if (Value ring = pipe.getGmSlotBuffer()) {
            out_ << "gm_slot_buffer = " << names_[ring] << " : " << ring.getType() << ", ";
          }
          out_ << "c2v_consumer_buf = " << names_[pipe.getC2vConsumerBuf()]
               << " : i32, v2c_consumer_buf = " << names_[pipe.getV2cConsumerBuf()] << " : i32)";
        })
        .Case<pto::AccToVecOp>([&](auto move) { printAccToVec(move); })
        .Case<pto::SetIntraBlockOp, pto::WaitIntraBlockOp>([&](auto flag) {
          out_ << " <PIPE_" << flag.getPipe() << ">, ";
          if (flag.getEvent()) {
            out_ << names_[flag.getEvent()];
          } else {
            out_ << *flag.getStaticEvent();
          }
        })
        .Case<pto::TPushToAivOp, pto::TPushToAicOp>([&](auto push) {
          out_ << '(' << names_[push.getTile()] << " : " << push.getTile().getType() << ") {split = " << push.getSplit()
               << '}';
        })
        .Case<pto::TPopFromAicOp, pto::TPopFromAivOp>([&](auto pop) {
          if (pop.getValidRow()) {
            out_ << '(' << names_[pop.getValidRow()] << ", " << names_[pop.getValidCol()] << ')';
          }
          out_ << " {split = " << pop.getSplit() << "} -> " << pop.getResult().getType();
        })
        .Case<pto::TFreeFromAicOp, pto::TFreeFromAivOp>(
            [&](auto free) { out_ << " {split = " << free.getSplit() << '}'; })
        .Case<pto::TMatmulBiasOp>(
            [&](auto matmul) { insOuts({matmul.getLhs(), matmul.getRhs(), matmul.getBias()}, matmul.getDst()); })
        .Case<pto::TMatmulMxOp>([&](auto matmul) {
          insOuts({matmul.getLhs(), matmul.getLhsScale(), matmul.getRhs(), matmul.getRhsScale()}, matmul.getDst());
        })
        .Case<pto::TMatmulMxAccOp>([&](auto matmul) {
          insOuts({matmul.getAccIn(), matmul.getLhs(), matmul.getLhsScale(), matmul.getRhs(), matmul.getRhsScale()},
                  matmul.getDst());
        })
        .Case<pto::TMatmulAccOp>(
            [&](auto matmul) { insOuts({matmul.getAccIn(), matmul.getLhs(), matmul.getRhs()}, matmul.getDst()); })
        .Default([&](Operation *other) { unknown_ = unknown_ ? unknown_ : other; });
  }

  static std::string arrayType(Value array) {
    auto type = cast<pto::LocalArrayType>(array.getType());
    std::string text;
    llvm::raw_string_ostream(text) << "!pto.local_array<" << type.getExtent() << 'x' << type.getElementType() << '>';
    return text;
  }

  /// ` {key = value, …}`, with strings as they are.
  void config(std::optional<DictionaryAttr> dictionary) {
    if (!dictionary || dictionary->empty()) {
      return;
    }
    out_ << " {";
    llvm::interleaveComma(*dictionary, out_, [&](NamedAttribute entry) {
      out_ << entry.getName().getValue() << " = ";
      if (auto text = dyn_cast<StringAttr>(entry.getValue())) {
        out_ << text.getValue();
      } else {
        out_ << entry.getValue();
      }
    });
    out_ << '}';
  }

  void printAccToVec(pto::AccToVecOp op) {
    out_ << " ins(" << names_[op.getSrc()] << " : " << op.getSrc().getType();
    for (Value scale : {Value(op.getFp()), Value(op.getPreQuantScalar())}) {
      if (scale) {
        out_ << ", " << names_[scale] << " : " << scale.getType();
      }
    }
    out_ << ") outs(" << names_[op.getDst()] << " : " << op.getDst().getType()
         << ") {accToVecMode = #pto.acc_to_vec_mode<" << op.getMode() << '>';
    if (op.getReluPreModeAttr()) {
      out_ << ", reluPreMode = " << op.getReluPreModeAttr();
    }
    out_ << '}';
  }

  void printInstr(pto::InstrOp op) {
    // What a merge counts is written, though it is no tile.
    const bool counts = op.getName() == "tmrgsort" && op.getConfig();
    const ValueRange ins = op.getIns().drop_back(counts ? 1 : 0);
    out_ << "pto." << op.getName() << " ins(";
    commas(ins);
    out_ << (op.getName() == "tgather" && op.getConfig() ? "," : ""); // a mask pattern stands in an operand's place
    config(op.getConfig());
    out_ << " : ";
    llvm::interleaveComma(ins.getTypes(), out_);
    out_ << (op.getName() == "tgather" && op.getConfig() ? ", \"row\"" : "") << ") outs(";
    commas(op.getOuts());
    out_ << (counts ? ", " + names_[op.getIns().back()] : "") << " : ";
    llvm::interleaveComma(op.getOuts().getTypes(), out_);
    out_ << (counts ? ", vector<4xi16>" : "") << ')';
    config(op.getTrailing());
  }

  void compare(Operation *op, StringRef predicate) {
    out_ << ' ' << predicate << ", ";
    commas(op->getOperands());
    out_ << " : " << op->getOperand(0).getType();
  }

  void optional(StringRef key, Value value) {
    if (value) {
      out_ << key << names_[value];
    }
  }

  void printFor(scf::ForOp loop) {
    line();
    if (loop.getNumResults() > 0) {
      out_ << names_.addResults(loop) << " = ";
    }
    const std::string induction = names_.add(loop.getInductionVar());
    out_ << "scf.for " << induction << " = " << names_[loop.getLowerBound()] << " to " << names_[loop.getUpperBound()]
         << " step " << names_[loop.getStep()];
    if (loop.getNumResults() > 0) {
      out_ << " iter_args(";
      for (auto [i, argument] : llvm::enumerate(loop.getRegionIterArgs())) {
        const std::string name = names_.add(argument);
        out_ << (i ? ", " : "") << name << " = " << names_[loop.getInitArgs()[i]];
      }
      out_ << ") -> (";
      llvm::interleaveComma(loop.getResultTypes(), out_);
      out_ << ')';
    }
    out_ << " {\n";
    printBlock(*loop.getBody());
    line() << '}';
    endLine(loop.getLoc());
  }

  void printIf(scf::IfOp branch) {
    line();
    if (branch.getNumResults() > 0) {
      out_ << names_.addResults(branch) << " = ";
    }
    out_ << "scf.if " << names_[branch.getCondition()];
    if (branch.getNumResults() > 0) {
      out_ << " -> (";
      llvm::interleaveComma(branch.getResultTypes(), out_);
      out_ << ')';
    }
    out_ << " {\n";
    printBlock(*branch.thenBlock());
    if (!branch.getElseRegion().empty()) {
      line() << "} else {\n";
      printBlock(*branch.elseBlock());
    }
    line() << '}';
    endLine(branch.getLoc());
  }

  llvm::raw_ostream &out_;
  const TextOptions &options_;
  Names names_;
  FileLineColRange functionLoc_;
  int indent_ = 0;
  Operation *unknown_ = nullptr;
};

} // namespace

std::string printPtoKernel(ArrayRef<func::FuncOp> functions, StringRef arch, const TextOptions &options,
                           Operation *&unknown) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << "module attributes {" << pto::kTargetArchAttr << " = \"" << arch << "\"} {\n";
  for (func::FuncOp function : functions) {
    Printer printer(out, options); // names are a function's own
    printer.nest(1);
    printer.printFunction(function);
    unknown = unknown ? unknown : printer.unknown();
  }
  out << "}\n";
  return text;
}

} // namespace placid::emit
