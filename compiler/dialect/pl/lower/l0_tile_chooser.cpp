// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/lower/l0_tile_chooser.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace placid::pl {

namespace {

/// Above this no on-chip memory holds an operand, and products of three extents stay inside 64 bits.
constexpr int64_t kMaxExtent = 1 << 20;

int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

int64_t oddPart(int64_t value) {
  while (value % 2 == 0) {
    value /= 2;
  }
  return value;
}

/// One way to use the L0 memories: what is held and how many buffers each memory is split into.
struct Regime {
  Stationary stationary;
  bool doubleAcc;

  int64_t leftBuffers() const { return stationary == Stationary::Left ? 1 : 2; }
  int64_t rightBuffers() const { return stationary == Stationary::Right ? 1 : 2; }
  bool wholeK() const { return stationary != Stationary::Output || doubleAcc; }
};

class CostModel {
public:
  CostModel(const target::Target &target, const L0Request &request) : cost_(target.cube), r_(request) {}

  /// Bytes over bandwidth when the left, or the right, operand is loaded once.
  double holdLeft(int64_t m) const {
    return bytesLeft() / cost_.leftBandwidth +
           bytesRight() * static_cast<double>(ceilDiv(r_.m, m)) / cost_.rightBandwidth;
  }
  double holdRight(int64_t n) const {
    return bytesLeft() * static_cast<double>(ceilDiv(r_.n, n)) / cost_.leftBandwidth +
           bytesRight() / cost_.rightBandwidth;
  }
  bool holdsLeft(int64_t m, int64_t n) const { return holdLeft(m) <= holdRight(n); }

  double load(int64_t m, int64_t n, int64_t k, Stationary stationary) const {
    switch (stationary) {
    case Stationary::Left:
      return holdLeft(m);
    case Stationary::Right:
      return holdRight(n);
    case Stationary::Output:
      break;
    }
    if (k >= r_.k) {
      return std::min(holdLeft(m), holdRight(n));
    }
    return bytesLeft() * static_cast<double>(ceilDiv(r_.n, n)) / cost_.leftBandwidth +
           bytesRight() * static_cast<double>(ceilDiv(r_.m, m)) / cost_.rightBandwidth;
  }

  double multiply(int64_t m, int64_t n, int64_t k) const {
    int64_t lineK = std::max<int64_t>(1, target::kLineBytes / r_.lhsBytes);
    int64_t passes = r_.lhsBytes == 4 ? std::max<int64_t>(1, cost_.fp32Passes) : std::max<int64_t>(1, r_.lhsBytes / 2);
    int64_t full = r_.k / k;
    int64_t tail = r_.k - full * k;
    int64_t blocks = full + (tail > 0 ? 1 : 0);
    int64_t lines = full * ceilDiv(k, lineK) + (tail > 0 ? ceilDiv(tail, lineK) : 0);
    return static_cast<double>(tiles(m, n) * (blocks * cost_.head + passes * ceilDiv(m, 16) * lines * ceilDiv(n, 16)));
  }

  double drain(int64_t m, int64_t n) const {
    int64_t lines = ceilDiv(n, std::max<int64_t>(1, target::kLineBytes / r_.accBytes));
    double row = std::max(cost_.drainRow, static_cast<double>(r_.accBytes * n) / cost_.drainBandwidth) +
                 cost_.drainPenalty * static_cast<double>(oddPart(lines) - 1);
    return static_cast<double>(tiles(m, n)) * (cost_.drainFixed + static_cast<double>(m) * row);
  }

  int64_t cycles(int64_t m, int64_t n, int64_t k, const Regime &regime) const {
    double compute = std::max(load(m, n, k, regime.stationary), multiply(m, n, k));
    double drained = drain(m, n);
    double wall = regime.doubleAcc
                      ? std::max(compute, drained) + std::min(compute, drained) / static_cast<double>(tiles(m, n))
                      : compute + drained;
    return static_cast<int64_t>(std::floor(wall + 0.5));
  }

private:
  double bytesLeft() const { return static_cast<double>(r_.lhsBytes * r_.m * r_.k); }
  double bytesRight() const { return static_cast<double>(r_.rhsBytes * r_.k * r_.n); }
  int64_t tiles(int64_t m, int64_t n) const { return ceilDiv(r_.m, m) * ceilDiv(r_.n, n); }

  const target::CubeCost &cost_;
  const L0Request &r_;
};

/// What a candidate is ordered by: cycles, padded volume, K blocks, load, then the larger tile, then the larger k.
using Key = std::tuple<int64_t, int64_t, int64_t, double, int64_t, int64_t>;

struct Candidate {
  Key key;
  L0Tile tile;
};

class Search {
public:
  Search(const target::Target &target, const L0Request &request) : target_(target), r_(request), model_(target, r_) {}

  std::optional<Candidate> best(const Regime &regime) const {
    const int64_t left = target_.capacity(target::Space::Left) / (r_.lhsBytes * regime.leftBuffers());
    const int64_t right = target_.capacity(target::Space::Right) / (r_.rhsBytes * regime.rightBuffers());
    const int64_t acc = target_.capacity(target::Space::Acc) / (r_.accBytes * (regime.doubleAcc ? 2 : 1));
    std::optional<Candidate> best;
    for (int64_t m = r_.fixedM ? r_.m : r_.multipleM; m <= r_.m; m += r_.multipleM) {
      const int64_t rows = target::roundUp(m, r_.accRowMultiple);
      if (rows * 16 > acc) {
        break;
      }
      for (int64_t n = r_.fixedN ? r_.n : r_.multipleN; n <= std::min(r_.n, acc / rows); n += r_.multipleN) {
        if (regime.doubleAcc && !movesTwoFullTiles(m, n, regime)) {
          continue;
        }
        const int64_t maxK = std::min({left / m, right / n, r_.k}) / r_.multipleK * r_.multipleK;
        for (int64_t k = r_.multipleK; k <= maxK; k += r_.multipleK) {
          if ((regime.wholeK() && k != r_.k) || (!tailAllowed() && r_.k % k != 0)) {
            continue;
          }
          consider(m, n, k, regime, best);
        }
      }
    }
    return best;
  }

private:
  bool tailAllowed() const { return r_.allowTailK && r_.k % r_.multipleK == 0; }

  bool movesTwoFullTiles(int64_t m, int64_t n, const Regime &regime) const {
    bool columnsMove =
        regime.stationary == Stationary::Left || (regime.stationary == Stationary::Output && model_.holdsLeft(m, n));
    return (columnsMove ? r_.n / n : r_.m / m) >= 2;
  }

  void consider(int64_t m, int64_t n, int64_t k, const Regime &regime, std::optional<Candidate> &best) const {
    const int64_t cycles = model_.cycles(m, n, k, regime);
    if (best && cycles > std::get<0>(best->key)) {
      return;
    }
    const int64_t blocksK = ceilDiv(r_.k, k);
    const int64_t padded = ceilDiv(r_.m, m) * m * (ceilDiv(r_.n, n) * n) * (blocksK * k);
    Key key{cycles, padded, blocksK, model_.load(m, n, k, regime.stationary), -m * n, -k};
    if (!best || key < best->key) {
      best = Candidate{key, {m, n, k, regime.stationary, regime.doubleAcc, model_.holdsLeft(m, n), cycles}};
    }
  }

  const target::Target &target_;
  const L0Request &r_;
  CostModel model_;
};

} // namespace

std::optional<L0Tile> chooseL0Tile(const target::Target &target, const L0Request &request) {
  const L0Request &r = request;
  if (r.m < 1 || r.n < 1 || r.k < 1 || std::max({r.m, r.n, r.k}) > kMaxExtent) {
    return std::nullopt;
  }
  if ((r.fixedM && r.m % r.multipleM != 0) || (r.fixedN && r.n % r.multipleN != 0)) {
    return std::nullopt;
  }
  Search search(target, r);
  // The output-stationary form is the baseline: without a legal tile in it nothing else is tried.
  std::optional<Candidate> best = search.best({Stationary::Output, false});
  if (!best) {
    return std::nullopt;
  }
  const bool untiled = best->tile.m == r.m && best->tile.n == r.n && best->tile.k == r.k;
  if (!untiled) {
    for (Stationary stationary : {Stationary::Output, Stationary::Left, Stationary::Right}) {
      if ((stationary == Stationary::Left && !r.allowLeftStationary) ||
          (stationary == Stationary::Right && !r.allowRightStationary)) {
        continue;
      }
      for (bool doubleAcc : {false, true}) {
        if ((doubleAcc && !r.allowDoubleAcc) || (stationary == Stationary::Output && !doubleAcc)) {
          continue;
        }
        std::optional<Candidate> other = search.best({stationary, doubleAcc});
        if (other && std::get<0>(other->key) < std::get<0>(best->key)) {
          best = other;
        }
      }
    }
  }
  return best->tile;
}

} // namespace placid::pl
