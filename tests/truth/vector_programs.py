# SPDX-License-Identifier: Apache-2.0
"""Random legal programs for the vector unit: loads, arithmetic between tiles, with numbers and along axes, conversions,
windows of tiles, loops that carry tiles, stores. `program(seed, src)` fills the frame of generate.py.
"""

#: Element types and the column unit: whole 32-byte blocks, also of what FP32 is converted to.
TYPES = {"FP32": 16, "FP16": 16, "INT32": 8}


class Tiles:
    """The tiles in sight, by shape, each of one element type."""

    def __init__(self, src, rng, dtype, rows, cols):
        self.src, self.rng, self.dtype, self.rows, self.cols = src, rng, dtype, rows, cols
        self.full, self.row, self.column, self.count = [], [], [], 0
        self.without = ()  #: Kinds of operations that are not to come.

    def name(self):
        self.count += 1
        return f"t{self.count}"

    def put(self, depth, text, kind):
        name = self.name()
        self.src.line(depth, f"{name} = {text}")
        getattr(self, kind).append(name)
        return name

    def number(self):
        value = self.rng.randint(-3, 3)
        return str(value) if self.dtype == "INT32" else f"{value}.0"

    def pick(self, kind="full"):
        return self.rng.choice(getattr(self, kind))

    def scratch(self, depth):
        name = self.name()
        self.src.line(depth, f"{name} = pl.create_tile([{self.rows}, {self.cols}], dtype=pl.{self.dtype}, target_memory=pl.Mem.Vec)")
        return name

    def step(self, depth):
        """One more operation."""
        rng = self.rng
        kinds = ["binary", "binary", "scalar", "unary", "reduceRow", "reduceColumn"]
        kinds += ["expandRow"] * (2 * bool(self.column)) + ["expandColumn"] * bool(self.row)
        kinds += ["columnScalar", "turn"] * bool(self.column) + ["cast"] * (self.dtype == "FP32")
        kinds += ["columnOf"]
        kind = rng.choice([k for k in kinds if k not in self.without])
        if kind == "binary":
            op = rng.choice(["add", "sub", "maximum", "minimum", "mul"])
            self.put(depth, f"pl.{op}({self.pick()}, {self.pick()})", "full")
        elif kind == "scalar":
            op = rng.choice(["adds", "subs", "muls", "maximums", "minimums"])
            self.put(depth, f"pl.tile.{op}({self.pick()}, {self.number()})", "full")
        elif kind == "unary":
            op = "neg" if self.dtype == "INT32" else rng.choice(["neg", "abs"])
            self.put(depth, f"pl.{op}({self.pick()})", "full")
        elif kind == "reduceRow":
            op = rng.choice(["sum", "max", "min"])
            self.put(depth, f"pl.row_{op}({self.pick()}, {self.scratch(depth)})", "column")
        elif kind == "reduceColumn":
            self.put(depth, f"pl.col_{rng.choice(['sum', 'max', 'min'])}({self.pick()})", "row")
        elif kind == "expandRow":
            op = rng.choice(["add", "sub", "mul"])
            text = f"pl.row_expand_{op}({self.pick()}, {self.pick('column')})"
            self.put(depth, rng.choice([text, text.replace(f"row_expand_{op}", op)]), "full")
        elif kind == "expandColumn":
            op = rng.choice(["add", "sub", "mul"])
            text = f"pl.col_expand_{op}({self.pick()}, {self.pick('row')})"
            self.put(depth, rng.choice([text, text.replace(f"col_expand_{op}", op)]), "full")
        elif kind == "columnScalar":
            self.put(depth, f"pl.tile.{rng.choice(['adds', 'muls'])}({self.pick('column')}, {self.number()})", "column")
        elif kind == "columnOf":
            self.put(depth, f"pl.slice({self.pick()}, [{self.rows}, 1], [0, {rng.randrange(self.cols)}])", "column")
        elif kind == "turn":
            line = self.name()
            self.src.line(depth, f"{line} = pl.reshape({self.pick('column')}, [1, {self.rows}])")
            more = self.name()  # another name: the column may have come from an accumulator
            self.src.line(depth, f"{more} = pl.tile.adds({line}, {self.number()})")
            self.put(depth, f"pl.reshape({more}, [{self.rows}, 1])", "column")
        else:
            low = self.name()
            self.src.line(depth, f"{low} = pl.tile.minimums(pl.tile.maximums({self.pick()}, -1000.0), 1000.0)")
            by = rng.choice(["INT32", "FP16", "BF16"])
            other = self.name()
            self.src.line(depth, f'{other} = pl.cast({low}, target_type=pl.{by}, mode="rint")')
            self.put(depth, f'pl.cast({other}, target_type=pl.FP32, mode="rint")', "full")


def program(src, offsetTerm):
    rng = src.rng
    dtype = rng.choice(list(TYPES))
    unit = TYPES[dtype]
    rows, cols = 16 * rng.randint(1, 2), unit * rng.choice([1, 2, 4, 5])
    wide, tall = cols + unit * rng.randint(0, 3), rows + rng.randint(0, 9)
    src.tensor("x", [tall, wide], dtype)
    src.tensor("g", [1, wide], dtype)
    variables, depth, trips = [], 0, 1
    if rng.random() < 0.5:
        trips = rng.randint(1, 3)
    src.tensor("y", [rows * trips, cols], dtype, out=True)
    tiles = Tiles(src, rng, dtype, rows, cols)
    at = lambda room: offsetTerm(rng, room, 1, variables)[0]
    zero = "0" if dtype == "INT32" else "0.0"
    carried = rng.random() < 0.5
    if carried:
        src.line(0, f"acc = pl.tile.full([{rows}, {cols}], dtype=pl.{dtype}, value={zero})")
    if trips > 1:
        src.line(0, f"for i in pl.range({trips}):")
        variables, depth = [("i", trips - 1)], 1
    tiles.put(depth, f"pl.load(x, [{at(tall - rows)}, {at(wide - cols)}], [{rows}, {cols}])", "full")
    tiles.put(depth, f"pl.load(g, [0, {at(wide - cols)}], [1, {cols}])", "row")
    if carried:
        tiles.full.append("acc")
    for _ in range(rng.randint(2, 8)):
        tiles.step(depth)
    result = tiles.full[-1] if tiles.full[-1] != "acc" else tiles.full[0]
    # Zero has one sign after a sum with zero; the oracle computes with Python's integers, which know only one.
    result = tiles.put(depth, f"pl.tile.adds({result}, {zero})", "full")
    if rng.random() < 0.4 and rows == 32:
        half = tiles.name()
        first = rng.choice([0, 8, 16])
        src.line(depth, f"{half} = pl.slice({result}, [16, {cols}], [{first}, 0])")
        src.line(depth, f"y = pl.store({half}, [{'i * ' + str(rows) if trips > 1 else 0}, 0], y)")
    if carried:
        src.line(depth, f"acc = pl.add(acc, {result})")
        if rng.random() < 0.5:
            src.line(depth, f"acc = pl.maximum(acc, {tiles.full[0]})")
        result = "acc"
    src.line(depth, f"y = pl.store({result}, [{'i * ' + str(rows) if trips > 1 else 0}, 0], y)")
    src.line(0, "return y")
