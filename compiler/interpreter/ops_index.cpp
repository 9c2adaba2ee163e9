// SPDX-License-Identifier: Apache-2.0
// The vector unit by index and by order: elements to the places that indices name, blocks from byte offsets, groups of
// 32 sorted, sorted runs merged, bytes counted. A sorted element is a record of eight bytes: its value, and its index
// in the upper four. Ties and what is left unwritten follow the hardware's headers.
#include "compiler/interpreter/vector_operands.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace placid::interp {

namespace {

constexpr int64_t kRecordBytes = 8;
constexpr int64_t kIndexAt = 4; ///< Within a record, bytes.
constexpr int64_t kGroup = 32;  ///< Elements that are sorted together.
constexpr int64_t kBins = 256;
constexpr int64_t kBlockBytes = 32;

bool isWhole(const TileValue &tile) {
  return tile.firstRow == 0 && tile.firstCol == 0 && tile.rows == tile.type.rows && tile.cols == tile.type.cols &&
         !tile.type.boxed && !tile.type.blockColMajor;
}

/// An index as the unit takes it: without a sign.
int64_t unsignedIndex(const TileValue &tile, Number number) {
  return info(tile.type.dtype).bytes == 2 ? number.i & 0xFFFF : number.i & 0xFFFFFFFF;
}

/// The result is cleared, then each element goes to the flat place that its index names.
std::string scatter(Core &core, const Statement &statement) {
  VectorOperands o;
  if (std::string wrong = collect(core, statement, 2, 0, o); !wrong.empty()) {
    return wrong;
  }
  const TileValue &src = *o.tiles[0];
  const TileValue &places = *o.tiles[1];
  int64_t bytes = info(src.type.dtype).bytes;
  if (info(places.type.dtype).isFloat || info(places.type.dtype).bytes != (bytes == 1 ? 2 : bytes)) {
    return "takes indices of another width than its elements";
  }
  if (!isWhole(*o.dst)) {
    return "scatters into a part of a tile";
  }
  if (std::string wrong = covers(src, places); !wrong.empty()) {
    return wrong;
  }
  int64_t rows = o.dst->rows;
  int64_t cols = o.dst->cols;
  bool isFloat = info(o.dst->type.dtype).isFloat;
  std::vector<Number> made(static_cast<size_t>(rows * cols), isFloat ? Number::ofFloat(0) : Number::ofInt(0));
  for (int64_t r = 0; r < places.validRows; ++r) {
    for (int64_t c = 0; c < places.validCols; ++c) {
      Number place;
      Number element;
      std::string wrong = core.read(places, r, c, place);
      wrong = wrong.empty() ? core.read(src, r, c, element) : wrong;
      int64_t at = unsignedIndex(places, place);
      if (wrong.empty() && at >= rows * cols) {
        wrong = "scatters to element " + std::to_string(at) + " of " + std::to_string(rows * cols);
      }
      if (!wrong.empty()) {
        return wrong;
      }
      made[static_cast<size_t>(at)] = element;
    }
  }
  return fill(core, *o.dst, rows, cols, [&](int64_t r, int64_t c, Number &out) {
    out = made[static_cast<size_t>(r * cols + c)];
    return std::string();
  });
}

/// Each offset names the first byte of 32 in the source.
std::string gatherBlocks(Core &core, const Statement &statement) {
  VectorOperands o;
  if (std::string wrong = collect(core, statement, 2, 0, o); !wrong.empty()) {
    return wrong;
  }
  const TileValue &src = *o.tiles[0];
  const TileValue &offsets = *o.tiles[1];
  int64_t perBlock = kBlockBytes / info(o.dst->type.dtype).bytes;
  if (info(offsets.type.dtype).bytes != 4 || info(offsets.type.dtype).isFloat || !isWhole(src)) {
    return "takes offsets of 32 bits into a whole tile";
  }
  if (offsets.validRows < o.dst->validRows || offsets.validCols * perBlock < o.dst->validCols) {
    return "makes " + validText(*o.dst) + " of " + validText(offsets) + " offsets";
  }
  int64_t bytes = info(src.type.dtype).bytes;
  return fill(core, *o.dst, o.dst->validRows, o.dst->validCols, [&](int64_t r, int64_t c, Number &out) {
    Number offset;
    std::string wrong = core.read(offsets, r, c / perBlock, offset);
    int64_t first = unsignedIndex(offsets, offset);
    if (wrong.empty() && (first % kBlockBytes != 0 || first + kBlockBytes > src.bytes())) {
      return "gathers 32 bytes from " + std::to_string(first) + " of " + std::to_string(src.bytes());
    }
    int64_t flat = first / bytes + c % perBlock;
    return wrong.empty() ? core.read(src, flat / src.cols, flat % src.cols, out) : wrong;
  });
}

//===-- Records ---------------------------------------------------------------------------------------------------===//

struct Record {
  std::array<uint8_t, kRecordBytes> bytes{};
  double value = 0;
};

/// `at` counts records of the row.
std::string readRecord(Core &core, const TileValue &tile, int64_t row, int64_t at, Record &out) {
  int64_t each = kRecordBytes / info(tile.type.dtype).bytes;
  std::string wrong =
      core.memory(tile.type.space).readBytes(tile.byteAddress(row, at * each), kRecordBytes, out.bytes.data());
  out.value = decode(tile.type.dtype, out.bytes.data()).f;
  return wrong.empty() && std::isnan(out.value) ? "orders what is not a number" : wrong;
}

std::string writeRecord(Core &core, const TileValue &tile, int64_t row, int64_t at, const Record &record) {
  int64_t each = kRecordBytes / info(tile.type.dtype).bytes;
  return core.memory(tile.type.space).writeBytes(tile.byteAddress(row, at * each), kRecordBytes, record.bytes.data());
}

std::string recordFault(const TileValue &tile) {
  return tile.type.dtype == DType::F32 || tile.type.dtype == DType::F16 ? ""
                                                                        : "sorts elements that are no FP16 or FP32";
}

std::string sortGroups(Core &core, const Statement &statement) {
  VectorOperands o;
  if (std::string wrong = collect(core, statement, 2, 0, o); !wrong.empty()) {
    return wrong;
  }
  const TileValue &src = *o.tiles[0];
  const TileValue &indices = *o.tiles[1];
  if (std::string wrong = recordFault(src); !wrong.empty()) {
    return wrong;
  }
  int64_t each = kRecordBytes / info(src.type.dtype).bytes;
  if (src.validCols % kGroup != 0 || info(indices.type.dtype).bytes != 4) {
    return "sorts whole groups of 32 elements with indices of 32 bits";
  }
  if (o.dst->type.dtype != src.type.dtype || o.dst->validRows != src.validRows ||
      o.dst->validCols != src.validCols * each || indices.validCols < src.validCols ||
      (indices.validRows != 1 && indices.validRows < src.validRows)) {
    return "sorts " + validText(src) + " with " + validText(indices) + " indices into " + validText(*o.dst);
  }
  std::vector<std::vector<Record>> rows(static_cast<size_t>(src.validRows));
  for (int64_t r = 0; r < src.validRows; ++r) {
    std::vector<Record> &row = rows[static_cast<size_t>(r)];
    for (int64_t c = 0; c < src.validCols; ++c) {
      Record &record = row.emplace_back();
      Number value;
      Number index;
      std::string wrong = core.read(src, r, c, value);
      wrong = wrong.empty() ? core.read(indices, indices.validRows == 1 ? 0 : r, c, index) : wrong;
      if (!wrong.empty()) {
        return wrong;
      }
      if (std::isnan(value.f)) {
        return "orders what is not a number";
      }
      record.value = value.f;
      encode(src.type.dtype, value, record.bytes.data());
      encode(DType::U32, index, record.bytes.data() + kIndexAt);
    }
    auto indexOf = [](const Record &record) { return decode(DType::U32, record.bytes.data() + kIndexAt).i; };
    for (int64_t from = 0; from < src.validCols; from += kGroup) {
      std::sort(row.begin() + from, row.begin() + from + kGroup, [&](const Record &a, const Record &b) {
        return a.value != b.value ? a.value > b.value : indexOf(a) < indexOf(b);
      });
    }
  }
  for (int64_t r = 0; r < src.validRows; ++r) {
    for (int64_t c = 0; c < src.validCols; ++c) {
      std::string wrong = writeRecord(core, *o.dst, r, c, rows[static_cast<size_t>(r)][static_cast<size_t>(c)]);
      if (!wrong.empty()) {
        return wrong;
      }
    }
  }
  return {};
}

/// Takes the largest head of the runs until all, or with `untilOne` one of them, are at their end; of equal ones that
/// of the first run.
std::vector<Record> mergeRuns(const std::vector<std::vector<Record>> &runs, bool untilOne) {
  std::vector<size_t> at(runs.size(), 0);
  std::vector<Record> out;
  while (true) {
    size_t best = runs.size();
    for (size_t i = 0; i < runs.size(); ++i) {
      if (at[i] == runs[i].size()) {
        if (untilOne) {
          return out;
        }
        continue;
      }
      if (best == runs.size() || runs[i][at[i]].value > runs[best][at[best]].value) {
        best = i;
      }
    }
    if (best == runs.size()) {
      return out;
    }
    out.push_back(runs[best][at[best]++]);
  }
}

std::string readRun(Core &core, const TileValue &tile, int64_t first, int64_t count, std::vector<Record> &out) {
  for (int64_t i = 0; i < count; ++i) {
    if (std::string wrong = readRecord(core, tile, 0, first + i, out.emplace_back()); !wrong.empty()) {
      return wrong;
    }
  }
  return {};
}

std::string writeRun(Core &core, const TileValue &tile, const std::vector<Record> &records, int64_t room) {
  for (size_t i = 0; i < records.size() && static_cast<int64_t>(i) < room; ++i) {
    if (std::string wrong = writeRecord(core, tile, 0, static_cast<int64_t>(i), records[i]); !wrong.empty()) {
      return wrong;
    }
  }
  return {};
}

/// Four sorted blocks at a time become one, all through the row.
std::string mergeBlocks(Core &core, const TileValue &src, const TileValue &dst, int64_t blockLength) {
  int64_t each = kRecordBytes / info(src.type.dtype).bytes;
  if (blockLength <= 0 || blockLength % 64 != 0 || src.validCols % (blockLength * 4) != 0 ||
      src.validCols / (blockLength * 4) > 255 || dst.validCols != src.validCols) {
    return "merges blocks of " + std::to_string(blockLength) + " elements of " + validText(src) + " into " +
           validText(dst);
  }
  std::vector<Record> all;
  int64_t records = blockLength / each;
  for (int64_t first = 0; first < src.validCols / each; first += records * 4) {
    std::vector<std::vector<Record>> runs(4);
    for (int64_t i = 0; i < 4; ++i) {
      std::string wrong = readRun(core, src, first + i * records, records, runs[static_cast<size_t>(i)]);
      if (!wrong.empty()) {
        return wrong;
      }
    }
    std::vector<Record> merged = mergeRuns(runs, false);
    all.insert(all.end(), merged.begin(), merged.end());
  }
  return writeRun(core, dst, all, static_cast<int64_t>(all.size()));
}

std::string merge(Core &core, const Statement &statement) {
  VectorOperands o;
  if (std::string wrong = collect(core, statement, 1, 0, o); !wrong.empty()) {
    return wrong;
  }
  std::string wrong = recordFault(*o.dst);
  for (const std::shared_ptr<TileValue> &tile : o.tiles) {
    bool alike = tile->type.dtype == o.dst->type.dtype && tile->rows == 1 && o.dst->rows == 1;
    wrong = wrong.empty() && !alike ? "merges rows of one element type" : wrong;
  }
  if (!wrong.empty()) {
    return wrong;
  }
  if (!o.scalars.empty()) {
    return mergeBlocks(core, *o.tiles[0], *o.dst, o.scalars[0].i);
  }
  // The last one is scratch, and is as long as all others together.
  if (o.tiles.size() < 3 || o.tiles.size() > 5) {
    return "merges two to four rows by way of another";
  }
  int64_t each = kRecordBytes / info(o.dst->type.dtype).bytes;
  std::vector<std::vector<Record>> runs(o.tiles.size() - 1);
  int64_t sum = 0;
  for (size_t i = 0; i < runs.size(); ++i) {
    sum += o.tiles[i]->cols;
    if (wrong = readRun(core, *o.tiles[i], 0, o.tiles[i]->validCols / each, runs[i]); !wrong.empty()) {
      return wrong;
    }
  }
  if (o.tiles.back()->cols < sum) {
    return "merges " + std::to_string(sum) + " elements by way of " + std::to_string(o.tiles.back()->cols);
  }
  auto found = statement.attributes.find("exhausted");
  bool untilOne = found != statement.attributes.end() && found->second == "true";
  return writeRun(core, *o.dst, mergeRuns(runs, untilOne), o.dst->validCols / each);
}

//===-- Counting --------------------------------------------------------------------------------------------------===//

/// How many elements have a byte that is not larger than the bin. Below the top byte those count whose bytes above are
/// what the second tile says: of a row for elements of two bytes, for all rows else.
std::string histogram(Core &core, const Statement &statement) {
  VectorOperands o;
  if (std::string wrong = collect(core, statement, 2, 0, o); !wrong.empty()) {
    return wrong;
  }
  const TileValue &src = *o.tiles[0];
  const TileValue &wanted = *o.tiles[1];
  int64_t bytes = info(src.type.dtype).bytes;
  auto attribute = statement.attributes.find("byte");
  int64_t byte = attribute == statement.attributes.end() ? 1 : attribute->second[0] - '0';
  if ((bytes != 2 && bytes != 4) || byte < 0 || byte >= bytes) {
    return "counts a byte that its elements do not have";
  }
  if (o.dst->cols != kBins || o.dst->validCols != kBins || o.dst->validRows != src.validRows ||
      info(o.dst->type.dtype).bytes != 4 || info(wanted.type.dtype).bytes != 1) {
    return "counts " + validText(src) + " into " + validText(*o.dst);
  }
  std::vector<int64_t> counts(static_cast<size_t>(src.validRows * kBins), 0);
  for (int64_t r = 0; r < src.validRows; ++r) {
    for (int64_t c = 0; c < src.validCols; ++c) {
      Number element;
      std::string wrong = core.read(src, r, c, element);
      bool counts1 = true;
      for (int64_t above = bytes - 1; wrong.empty() && above > byte; --above) {
        Number filter;
        wrong = bytes == 2 ? core.read(wanted, r, 0, filter) : core.read(wanted, bytes - 1 - above, 0, filter);
        counts1 = counts1 && ((element.i >> (8 * above)) & 255) == (filter.i & 255);
      }
      if (!wrong.empty()) {
        return wrong;
      }
      counts[static_cast<size_t>(r * kBins + ((element.i >> (8 * byte)) & 255))] += counts1 ? 1 : 0;
    }
  }
  return fill(core, *o.dst, src.validRows, kBins, [&](int64_t r, int64_t bin, Number &out) {
    auto first = counts.begin() + r * kBins;
    out = Number::ofInt(0);
    for (auto each = first; each <= first + bin; ++each) {
      out.i += *each;
    }
    return std::string();
  });
}

} // namespace

void addIndexOperations(OperationTable &t) {
  t["pto.tscatter"] = scatter;
  t["pto.tgatherb"] = gatherBlocks;
  t["pto.tsort32"] = sortGroups;
  t["pto.tmrgsort"] = merge;
  t["pto.thistogram"] = histogram;
}

} // namespace placid::interp
