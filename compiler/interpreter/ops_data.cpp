// SPDX-License-Identifier: Apache-2.0
// Operations that make views and tiles and move elements: between global memory and tiles, and between tiles. Each
// checks what the hardware relies on and the assembler leaves unchecked: extents, bounds, alignment, field widths.
#include "compiler/interpreter/fixpipe.h"
#include "compiler/interpreter/window.h"

#include <algorithm>
#include <array>

namespace placid::interp {

namespace {

std::string text(int64_t rows, int64_t cols) { return std::to_string(rows) + " x " + std::to_string(cols); }

std::string integers(Core &core, const Statement &statement, const char *list, std::vector<int64_t> &out) {
  auto found = statement.lists.find(list);
  if (found == statement.lists.end()) {
    return std::string("has no ") + list;
  }
  for (int slot : found->second) {
    out.emplace_back();
    if (std::string wrong = core.scalar(slot, out.back()); !wrong.empty()) {
      return wrong;
    }
  }
  return {};
}

std::string makeTensorView(Core &core, const Statement &statement) {
  auto view = std::make_shared<ViewValue>();
  if (statement.operands.empty() || core.value(statement.operands[0]).kind != Value::Kind::Ptr) {
    return "needs a pointer";
  }
  const Value &pointer = core.value(statement.operands[0]);
  view->buffer = pointer.buffer;
  view->dtype = pointer.dtype;
  view->offset = pointer.offset;
  if (std::string wrong = integers(core, statement, "shape", view->shape); !wrong.empty()) {
    return wrong;
  }
  if (std::string wrong = integers(core, statement, "strides", view->strides); !wrong.empty()) {
    return wrong;
  }
  if (view->shape.size() != view->strides.size() || view->shape.empty() || view->shape.size() > 5) {
    return "needs as many strides as extents, one to five";
  }
  for (size_t i = 0; i < view->shape.size(); ++i) {
    if (view->shape[i] < 0 || view->strides[i] < 0) {
      return "has a negative extent or stride";
    }
  }
  auto layout = statement.attributes.find("layout");
  std::string name = layout == statement.attributes.end() ? "nd" : layout->second;
  view->layout = name.find("nz") != std::string::npos   ? Layout::NZ
                 : name.find("dn") != std::string::npos ? Layout::DN
                                                        : Layout::ND;
  if (view->layout == Layout::NZ) {
    int64_t c0 = 32 / info(view->dtype).bytes;
    if (view->shape.size() != 5) {
      return "with layout nz needs rank 5 and has rank " + std::to_string(view->shape.size());
    }
    if (view->shape[3] != 16 || view->shape[4] != c0 || view->strides[4] != 1 || view->strides[3] != c0 ||
        view->strides[2] != 16 * c0) {
      return "with layout nz is not made of fractals of 16 x " + std::to_string(c0);
    }
  }
  Value out;
  out.kind = Value::Kind::View;
  out.dtype = view->dtype;
  out.view = std::move(view);
  core.set(statement, std::move(out));
  return {};
}

std::string partitionView(Core &core, const Statement &statement) {
  std::shared_ptr<ViewValue> whole;
  if (statement.operands.empty()) {
    return "needs a view";
  }
  if (std::string wrong = core.partition(statement.operands[0], whole); !wrong.empty()) {
    return wrong;
  }
  std::vector<int64_t> offsets;
  std::vector<int64_t> sizes;
  std::string wrong = integers(core, statement, "offsets", offsets);
  wrong = wrong.empty() ? integers(core, statement, "sizes", sizes) : wrong;
  if (!wrong.empty()) {
    return wrong;
  }
  size_t rank = whole->shape.size();
  if (offsets.size() != rank || sizes.size() != rank) {
    return "needs " + std::to_string(rank) + " offsets and sizes";
  }
  auto part = std::make_shared<ViewValue>(*whole);
  const std::vector<int64_t> *stated = nullptr;
  if (!statement.resultTypes.empty() && statement.resultTypes[0].kind == Type::Kind::Partition) {
    stated = &statement.resultTypes[0].shape;
  }
  for (size_t i = 0; i < rank; ++i) {
    std::string axis = "on axis " + std::to_string(i);
    if (offsets[i] < 0 || sizes[i] < 0 || sizes[i] > whole->shape[i] || offsets[i] > whole->shape[i] - sizes[i]) {
      return axis + " takes " + std::to_string(sizes[i]) + " from " + std::to_string(offsets[i]) + " of " +
             std::to_string(whole->shape[i]);
    }
    if (stated != nullptr && (stated->size() != rank || ((*stated)[i] != kDynamic && (*stated)[i] != sizes[i]))) {
      return axis + " takes " + std::to_string(sizes[i]) + ", its type says otherwise";
    }
    if (whole->layout == Layout::NZ && i >= 3 && (offsets[i] != 0 || sizes[i] != whole->shape[i])) {
      return "cuts inside a fractal " + axis;
    }
    part->offset += offsets[i] * whole->strides[i];
    part->shape[i] = sizes[i];
  }
  Value out;
  out.kind = Value::Kind::Partition;
  out.dtype = part->dtype;
  out.view = std::move(part);
  core.set(statement, std::move(out));
  return {};
}

std::string allocTile(Core &core, const Statement &statement) {
  if (statement.types.empty() || statement.types[0].kind != Type::Kind::Tile) {
    return "makes something that is no tile: " + (statement.types.empty() ? "nothing" : statement.types[0].text);
  }
  auto tile = std::make_shared<TileValue>();
  tile->type = statement.types[0].tile;
  if (tile->type.space == Space::Left && tile->type.boxed) {
    tile->type.blockColMajor = core.arch() == "a5"; // what the assembler makes of either spelling
  }
  if (std::string wrong = tileFault(tile->type); !wrong.empty()) {
    return "makes a tile that " + wrong;
  }
  tile->rows = tile->type.rows;
  tile->cols = tile->type.cols;
  auto valid = [&](const char *list, int64_t stated, int64_t whole, int64_t &out) -> std::string {
    auto found = statement.lists.find(list);
    out = stated;
    if (found != statement.lists.end()) {
      if (std::string wrong = core.scalar(found->second.front(), out); !wrong.empty()) {
        return wrong;
      }
      if (stated != kDynamic && stated != out) {
        return std::string("has a ") + list + " of " + std::to_string(out) + ", its type says " +
               std::to_string(stated);
      }
    }
    return out < 0 || out > whole
               ? std::string("has a ") + list + " of " + std::to_string(out) + " in " + std::to_string(whole)
               : std::string();
  };
  std::string wrong = valid("valid_row", tile->type.validRows, tile->rows, tile->validRows);
  wrong = wrong.empty() ? valid("valid_col", tile->type.validCols, tile->cols, tile->validCols) : wrong;
  if (!wrong.empty()) {
    return wrong;
  }
  auto address = statement.lists.find("addr");
  if (address == statement.lists.end()) {
    tile->address = core.placeFor(statement, tile->type);
  } else {
    if (wrong = core.scalar(address->second.front(), tile->address); !wrong.empty()) {
      return wrong;
    }
    Space space = tile->type.space;
    int64_t alignment = space == Space::Left || space == Space::Right || space == Space::Acc ? 512 : 32;
    if (tile->address < 0 || tile->address % alignment != 0) {
      return "puts a tile at " + std::to_string(tile->address) + ", not at a multiple of " + std::to_string(alignment);
    }
    if (tile->address + tile->bytes() > core.memory(space).size()) {
      return "puts " + std::to_string(tile->bytes()) + " bytes at " + std::to_string(tile->address) + " of " +
             core.memory(space).name() + ", which has " + std::to_string(core.memory(space).size());
    }
    if (wrong = core.placeFault(space, tile->address, tile->bytes(), false); !wrong.empty()) {
      return "makes a tile that " + wrong;
    }
  }
  core.set(statement, Value::ofTile(std::move(tile)));
  return {};
}

struct Transfer {
  std::shared_ptr<ViewValue> view;
  std::shared_ptr<TileValue> tile;
};

std::string transfer(Core &core, const Statement &statement, int viewSlot, int tileSlot, Transfer &out) {
  std::string wrong = core.partition(viewSlot, out.view);
  return wrong.empty() ? core.tile(tileSlot, out.tile) : wrong;
}

/// Extents and the pairing of byte orders: what holds for loads and for stores.
std::string fits(const Window &window, const TileValue &tile) {
  if (window.rows() != tile.validRows || window.cols() != tile.validCols) {
    return "moves a window of " + text(window.rows(), window.cols()) + " and a tile of " +
           text(tile.validRows, tile.validCols);
  }
  if (window.rows() < 1 || window.cols() < 1) {
    return "moves a window of " + text(window.rows(), window.cols()) + ", and the chip moves one element at least";
  }
  bool line = tile.rows == 1 || tile.cols == 1;
  if (!tile.type.boxed && !line) {
    if (window.layout() == Layout::NZ) {
      return "moves fractals and a flat tile";
    }
    if ((window.layout() == Layout::DN) != tile.type.blockColMajor) {
      return "moves a window and a tile that do not run the same way";
    }
  }
  return {};
}

std::string loadLimits(Core &core, const Window &window, const TileValue &tile) {
  if (tile.type.space != Space::Mat && tile.type.space != Space::Vec) {
    return "loads into a memory that has no way from global memory";
  }
  if (window.layout() == Layout::NZ) {
    if (!tile.type.boxed || !tile.type.blockColMajor || tile.type.boxColMajor) {
      return "loads fractals into a tile of another order";
    }
    int64_t bytes = tile.type.dtype == DType::I1 ? 1 : info(tile.type.dtype).bytes;
    int64_t gap = (window.stride(1) - window.extent(2) * window.extent(3) * window.extent(4)) * bytes / 32;
    if (window.extent(1) > 1 && gap > 65535) {
      return "skips " + std::to_string(gap) + " lines between column blocks; the field holds 65535";
    }
    if (window.extent(1) >= 4096) {
      return "loads " + std::to_string(window.extent(1)) + " column blocks; the field holds 4095";
    }
  } else if (tile.type.boxed && window.layout() == Layout::ND) {
    if (window.extent(0) * window.extent(1) * window.extent(2) != 1) {
      return "turns a window of more than two axes into fractals";
    }
    if (window.rows() > 16384 || (window.rows() > 1 && window.stride(3) > 65535)) {
      return "turns a window into fractals whose rows the instruction cannot count";
    }
  }
  return core.arch().empty() ? "runs for no architecture" : "";
}

std::string load(Core &core, const Statement &statement) {
  Transfer t;
  if (statement.ins.size() != 1 || statement.outs.size() != 1) {
    return "needs one window and one tile";
  }
  if (std::string wrong = transfer(core, statement, statement.ins[0], statement.outs[0], t); !wrong.empty()) {
    return wrong;
  }
  Window window(*t.view);
  int64_t bytes = info(t.view->dtype).bytes;
  if (bytes != info(t.tile->type.dtype).bytes) {
    return "moves elements of different sizes";
  }
  std::string wrong = fits(window, *t.tile);
  wrong = wrong.empty() ? loadLimits(core, window, *t.tile) : wrong;
  for (int64_t r = 0; wrong.empty() && r < window.rows(); ++r) {
    for (int64_t c = 0; wrong.empty() && c < window.cols(); ++c) {
      std::array<uint8_t, sizeof(int64_t)> element{};
      wrong = t.view->buffer->readBytes(window.offset(r, c) * bytes, bytes, element.data());
      wrong = wrong.empty()
                  ? core.memory(t.tile->type.space).writeBytes(t.tile->byteAddress(r, c), bytes, element.data())
                  : wrong;
    }
  }
  return wrong;
}

std::string storeLimits(Core &core, const Window &window, const TileValue &tile) {
  if (tile.type.space != Space::Acc && tile.type.space != Space::Vec) {
    return "stores from a memory that has no way to global memory";
  }
  if (tile.type.space != Space::Acc) {
    return {};
  }
  if (window.cols() > 4095 || window.rows() > 65535) {
    return "stores " + text(window.rows(), window.cols()) + "; the fields hold 65535 x 4095";
  }
  if (window.layout() == Layout::NZ && core.arch() != "a5") {
    if (window.cols() % 16 != 0) {
      return "stores " + std::to_string(window.cols()) + " columns as fractals: a multiple of 16 is needed";
    }
    if (window.extent(0) != 1) {
      return "stores more than one panel";
    }
    // The instruction takes the distance between column blocks from the window's rows, not from the tensor's stride.
    int64_t taken = window.extent(2) * window.extent(3) * window.extent(4);
    if (window.extent(1) > 1 && window.stride(1) != taken) {
      return "puts column blocks " + std::to_string(taken) + " elements apart where the tensor has them " +
             std::to_string(window.stride(1)) + " apart";
    }
  }
  return {};
}

std::string store(Core &core, const Statement &statement) {
  Transfer t;
  if (statement.ins.empty() || statement.ins.size() > 2 || statement.outs.size() != 1) {
    return "needs one tile, perhaps a scale, and one window";
  }
  if (std::string wrong = transfer(core, statement, statement.outs[0], statement.ins[0], t); !wrong.empty()) {
    return wrong;
  }
  Window window(*t.view);
  DType from = t.tile->type.dtype;
  DType to = t.view->dtype;
  if (t.tile->type.space != Space::Acc && info(from).bytes != info(to).bytes) {
    return "moves elements of different sizes";
  }
  Fixpipe fixpipe;
  if (std::string wrong = fixpipe.read(core, statement, *t.tile, to); !wrong.empty()) {
    return wrong;
  }
  auto atomic = statement.attributes.find("atomicType");
  bool add = atomic != statement.attributes.end() && atomic->second.find("add") != std::string::npos;
  std::string wrong = fits(window, *t.tile);
  wrong = wrong.empty() ? storeLimits(core, window, *t.tile) : wrong;
  int64_t bytes = info(to).bytes;
  for (int64_t r = 0; wrong.empty() && r < window.rows(); ++r) {
    for (int64_t c = 0; wrong.empty() && c < window.cols(); ++c) {
      Number element;
      Number old;
      wrong = core.read(*t.tile, r, c, element);
      element = fixpipe.leave(element, c);
      if (add && wrong.empty()) {
        wrong = t.view->buffer->read(window.offset(r, c) * bytes, to, old);
        element = Number{element.isFloat, element.i + old.i, element.f + old.f};
      }
      wrong = wrong.empty() ? t.view->buffer->write(window.offset(r, c) * bytes, to, element) : wrong;
    }
  }
  return wrong;
}

/// Element by element from one tile's window at (row, col) to another's.
std::string copy(Core &core, const TileValue &from, int64_t fromRow, int64_t fromCol, const TileValue &to,
                 int64_t toRow, int64_t toCol, int64_t rows, int64_t cols) {
  if (fromRow < 0 || fromCol < 0 || fromRow + rows > from.rows || fromCol + cols > from.cols) {
    return "takes " + text(rows, cols) + " from " + std::to_string(fromRow) + ", " + std::to_string(fromCol) +
           " of a tile of " + text(from.rows, from.cols);
  }
  if (toRow < 0 || toCol < 0 || toRow + rows > to.rows || toCol + cols > to.cols) {
    return "puts " + text(rows, cols) + " at " + std::to_string(toRow) + ", " + std::to_string(toCol) +
           " of a tile of " + text(to.rows, to.cols);
  }
  bool converts = from.type.dtype != to.type.dtype;
  if (converts && from.type.space != Space::Acc && from.type.space != Space::Mat) {
    return "moves elements of different types";
  }
  // First all reads: the two may be one buffer. In Vec, a copy of what nobody wrote is nothing that somebody wrote.
  bool keepsHoles = from.type.space == Space::Vec && to.type.space == Space::Vec;
  std::vector<Number> elements(rows * cols);
  std::vector<uint8_t> holes(rows * cols);
  for (int64_t i = 0; i < rows * cols; ++i) {
    if (std::string wrong = core.read(from, fromRow + i / cols, fromCol + i % cols, elements[i]); !wrong.empty()) {
      holes[i] = keepsHoles && core.isHole(from, fromRow + i / cols, fromCol + i % cols) ? 1 : 0;
      if (holes[i] == 0) {
        return wrong;
      }
    }
  }
  for (int64_t i = 0; i < rows * cols; ++i) {
    if (holes[i] != 0) {
      core.forget(to, toRow + i / cols, toCol + i % cols);
      continue;
    }
    Number element = converts ? convert(elements[i], to.type.dtype, Rounding::Rint) : elements[i];
    if (std::string wrong = core.write(to, toRow + i / cols, toCol + i % cols, element); !wrong.empty()) {
      return wrong;
    }
  }
  return {};
}

std::string way(const Core &core, const TileValue &from, const TileValue &to) {
  Space a = from.type.space;
  Space b = to.type.space;
  bool a5 = core.arch() == "a5";
  bool scales = a == Space::Mat && (b == Space::LeftScale || b == Space::RightScale) && from.type.boxed &&
                from.type.blockColMajor == to.type.blockColMajor && from.type.boxColMajor == to.type.boxColMajor &&
                from.type.fractal == to.type.fractal;
  bool exists =
      scales ||
      (a == Space::Mat && (b == Space::Left || b == Space::Right || b == Space::Bias || b == Space::Scaling)) ||
      (a == Space::Acc && (b == Space::Mat || (a5 && b == Space::Vec))) ||
      (a == Space::Vec && (b == Space::Vec || (a5 && b == Space::Mat))) || (a == Space::Mat && b == Space::Mat);
  return exists ? "" : "takes a way between two memories that does not exist";
}

/// On the way to an operand the order inside boxes changes. The hardware then takes square blocks: of bytes two boxes
/// side by side, of four-byte elements two on top of each other.
bool turns(const TileType &from, const TileType &to) {
  return from.space == Space::Mat && from.boxed && (to.space == Space::Left || to.space == Space::Right) &&
         from.boxColMajor != to.boxColMajor;
}

std::string unevenTurn(const TileType &from, const TileType &to) {
  const BoxExtents box = boxOf(from);
  const int64_t side = std::max(box.rows, box.cols);
  for (const TileType *tile : {&from, &to}) {
    if (tile->rows % side != 0 || tile->cols % side != 0) {
      return "transposes a tile of " + text(tile->rows, tile->cols) + ", which is not made of whole blocks of " +
             text(side, side);
    }
  }
  return {};
}

std::string move(Core &core, const Statement &statement) {
  std::shared_ptr<TileValue> from;
  std::shared_ptr<TileValue> to;
  if (statement.ins.empty() || statement.outs.size() != 1) {
    return "needs two tiles";
  }
  std::string wrong = core.tile(statement.ins[0], from);
  wrong = wrong.empty() ? core.tile(statement.outs[0], to) : wrong;
  wrong = wrong.empty() ? way(core, *from, *to) : wrong;
  if (wrong.empty() && from->type.space == Space::Acc && to->type.space == Space::Vec) {
    return moveToLanes(core, statement, *from, *to);
  }
  if (wrong.empty() && (from->validRows != to->validRows || from->validCols != to->validCols)) {
    wrong = "moves " + text(from->validRows, from->validCols) + " to " + text(to->validRows, to->validCols);
  }
  if (wrong.empty() && turns(from->type, to->type)) {
    wrong = unevenTurn(from->type, to->type);
  }
  return wrong.empty() ? copy(core, *from, 0, 0, *to, 0, 0, to->validRows, to->validCols) : wrong;
}

/// textract: a window of the first tile; tinsert: into a window of the second.
template <bool Extract> std::string windowed(Core &core, const Statement &statement) {
  std::shared_ptr<TileValue> from;
  std::shared_ptr<TileValue> to;
  int64_t row = 0;
  int64_t col = 0;
  if (statement.ins.size() < 3 || statement.outs.size() != 1) {
    return "needs a tile, two indices and a tile";
  }
  std::string wrong = core.tile(statement.ins[0], from);
  wrong = wrong.empty() ? core.tile(statement.outs[0], to) : wrong;
  wrong = wrong.empty() ? core.scalar(statement.ins[1], row) : wrong;
  wrong = wrong.empty() ? core.scalar(statement.ins[2], col) : wrong;
  wrong = wrong.empty() ? way(core, *from, *to) : wrong;
  if (!wrong.empty()) {
    return wrong;
  }
  BoxExtents box = boxOf(Extract ? from->type : to->type);
  if (Extract && turns(from->type, to->type)) {
    box.rows = box.cols = std::max(box.rows, box.cols);
    if (std::string fault = unevenTurn(from->type, to->type); !fault.empty()) {
      return fault;
    }
  }
  // A column of fractals is one run of lines, so that a window may begin at any of them.
  const bool lines = !Extract && to->type.boxed && to->type.blockColMajor && !to->type.boxColMajor;
  if ((row % box.rows != 0 && !lines) || col % box.cols != 0) {
    return "cuts a fractal of " + text(box.rows, box.cols) + " at " + std::to_string(row) + ", " + std::to_string(col);
  }
  return Extract ? copy(core, *from, row, col, *to, 0, 0, to->validRows, to->validCols)
                 : copy(core, *from, 0, 0, *to, row, col, from->validRows, from->validCols);
}

std::string addPointer(Core &core, const Statement &statement) {
  int64_t elements = 0;
  if (statement.operands.size() != 2 || core.value(statement.operands[0]).kind != Value::Kind::Ptr) {
    return "needs a pointer and a number of elements";
  }
  if (std::string wrong = core.scalar(statement.operands[1], elements); !wrong.empty()) {
    return wrong;
  }
  Value moved = core.value(statement.operands[0]);
  moved.offset += elements;
  core.set(statement, std::move(moved));
  return {};
}

std::string loadScalar(Core &core, const Statement &statement) {
  int64_t at = 0;
  if (statement.operands.size() != 2 || core.value(statement.operands[0]).kind != Value::Kind::Ptr) {
    return "needs a pointer and an index";
  }
  if (std::string wrong = core.scalar(statement.operands[1], at); !wrong.empty()) {
    return wrong;
  }
  const Value &pointer = core.value(statement.operands[0]);
  Number element;
  std::string wrong = pointer.buffer->read((pointer.offset + at) * info(pointer.dtype).bytes, pointer.dtype, element);
  core.set(statement, Value::ofScalar(pointer.dtype, element));
  return wrong;
}

std::string storeScalar(Core &core, const Statement &statement) {
  // `pto.store_scalar %value, %ptr[%at]`
  int64_t at = 0;
  if (statement.operands.size() != 3 || core.value(statement.operands[1]).kind != Value::Kind::Ptr ||
      core.value(statement.operands[0]).kind != Value::Kind::Scalar) {
    return "needs a scalar, a pointer and an index";
  }
  if (std::string wrong = core.scalar(statement.operands[2], at); !wrong.empty()) {
    return wrong;
  }
  const Value &pointer = core.value(statement.operands[1]);
  return pointer.buffer->write((pointer.offset + at) * info(pointer.dtype).bytes, pointer.dtype,
                               core.value(statement.operands[0]).number);
}

/// Where element number `slot` of a flat Vec tile lies; elements count from the first of its buffer.
std::string place(Core &core, int slot, const TileValue &tile, int64_t &row, int64_t &col) {
  int64_t at = 0;
  if (std::string wrong = core.scalar(slot, at); !wrong.empty()) {
    return wrong;
  }
  if (tile.type.space != Space::Vec || tile.firstRow != 0 || tile.firstCol != 0) {
    return "needs a whole tile in Vec";
  }
  if (at < 0 || at >= tile.rows * tile.cols) {
    return "names element " + std::to_string(at) + " of " + std::to_string(tile.rows * tile.cols);
  }
  row = at / tile.cols;
  col = at % tile.cols;
  return {};
}

/// `pto.tgetval ins(%tile, %at : …) outs : type`
std::string getElement(Core &core, const Statement &statement) {
  std::shared_ptr<TileValue> tile;
  if (statement.ins.size() != 2 || statement.types.size() != 1) {
    return "needs a tile and an index";
  }
  std::string wrong = core.tile(statement.ins[0], tile);
  int64_t row = 0;
  int64_t col = 0;
  wrong = wrong.empty() ? place(core, statement.ins[1], *tile, row, col) : wrong;
  Number element;
  wrong = wrong.empty() ? core.read(*tile, row, col, element) : wrong;
  if (wrong.empty()) {
    core.set(statement, Value::ofScalar(tile->type.dtype, element));
  }
  return wrong;
}

/// `pto.tsetval ins(%at, %value : …) outs(%tile : …)`
std::string setElement(Core &core, const Statement &statement) {
  std::shared_ptr<TileValue> tile;
  if (statement.ins.size() != 2 || statement.outs.size() != 1 ||
      core.value(statement.ins[1]).kind != Value::Kind::Scalar) {
    return "needs an index, a scalar and a tile";
  }
  std::string wrong = core.tile(statement.outs[0], tile);
  int64_t row = 0;
  int64_t col = 0;
  wrong = wrong.empty() ? place(core, statement.ins[0], *tile, row, col) : wrong;
  return wrong.empty() ? core.write(*tile, row, col, core.value(statement.ins[1]).number) : wrong;
}

} // namespace

void addDataOperations(OperationTable &table) {
  table["pto.make_tensor_view"] = makeTensorView;
  table["pto.partition_view"] = partitionView;
  table["pto.alloc_tile"] = allocTile;
  table["pto.tload"] = load;
  table["pto.tstore"] = store;
  table["pto.tmov"] = move;
  table["pto.textract"] = windowed<true>;
  table["pto.tinsert"] = windowed<false>;
  table["pto.addptr"] = addPointer;
  table["pto.load_scalar"] = loadScalar;
  table["pto.store_scalar"] = storeScalar;
  table["pto.tgetval"] = getElement;
  table["pto.tsetval"] = setElement;
}

} // namespace placid::interp
