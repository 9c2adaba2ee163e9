# SPDX-License-Identifier: Apache-2.0
"""What a PL program means, by running it: a stand-in for `pypto.language` whose operations compute at once on logical
tensors of plain Python numbers. It knows no fractals, tiles, memories or passes, so that it can judge a compiler that
does. Only the standard library; every value is rounded to its element type where it is made.

An operation that is not modelled raises Unmodelled, never a guess.
"""
import importlib.util
import itertools
import math
import operator
import struct
import sys
import types


class Unmodelled(Exception):
    """The program uses something whose meaning is not written down here."""


# --- element types


class DType:
    def __init__(self, name, fmt, lo=None, hi=None):
        self.name, self.format, self.lo, self.hi = name, fmt, lo, hi

    @property
    def isFloat(self):
        return self.lo is None

    @property
    def size(self):
        return 2 if self.name == "BF16" else struct.calcsize(self.format)

    def get_byte(self):
        return self.size

    def __repr__(self):
        return "pl." + self.name

    def round(self, value):
        if not self.isFloat:
            value = int(value)
            if self.lo <= value <= self.hi:
                return value
            span = self.hi - self.lo + 1
            return (value - self.lo) % span + self.lo
        if -256 <= value <= 256 and value == int(value):
            return value  # in every float, with the sign that a zero has
        if self.name == "BF16":
            return bfloatToFloat(floatToBfloat(value))
        if self.name == "INDEX":
            return value
        try:
            return struct.unpack(self.format, struct.pack(self.format, value))[0]
        except OverflowError:
            return math.copysign(math.inf, value)

    def pack(self, values):
        if self.name == "BF16":
            return struct.pack(f"<{len(values)}H", *map(floatToBfloat, values))
        return struct.pack(f"<{len(values)}{self.format[1]}", *(values if self.isFloat else map(int, values)))

    def unpack(self, data):
        count = len(data) // self.size
        if self.name == "BF16":
            return [bfloatToFloat(v) for v in struct.unpack(f"<{count}H", data)]
        return list(struct.unpack(f"<{count}{self.format[1]}", data))


def floatToBfloat(value):
    bits = struct.unpack("<I", struct.pack("<f", value))[0]
    if math.isnan(value):
        return 0x7FC0
    return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16 & 0xFFFF


def bfloatToFloat(bits):
    return struct.unpack("<f", struct.pack("<I", bits << 16))[0]


DTYPES = {
    d.name: d
    for d in [
        DType("FP32", "<f"), DType("FP16", "<e"), DType("BF16", "<H"),
        DType("INT8", "<b", -128, 127), DType("INT16", "<h", -(2**15), 2**15 - 1), DType("INT32", "<i", -(2**31), 2**31 - 1),
        DType("INT64", "<q", -(2**63), 2**63 - 1), DType("UINT8", "<B", 0, 255), DType("UINT16", "<H", 0, 65535),
        DType("UINT32", "<I", 0, 2**32 - 1), DType("UINT64", "<Q", 0, 2**64 - 1), DType("BOOL", "<?", 0, 1),
        DType("INDEX", "<q", -(2**63), 2**63 - 1),
    ]
}  # fmt: skip


# --- annotations


class Dynamic:
    """A dynamic extent: a name whose value the harness chooses."""

    def __init__(self, name):
        self.name = name


class Spec:
    shared = False  #: Other devices read and write it.

    def __init__(self, shape, dtype, layout="ND", direction="in"):
        self.shape, self.dtype, self.layout, self.direction = shape, dtype, layout, direction


class TensorMeta(type):
    def __getitem__(cls, items):
        shape, dtype, *rest = items if isinstance(items, tuple) else (items,)
        layout = "ND"
        for item in rest:
            layout = getattr(item, "layout", item)
        return Spec(list(shape), dtype, str(layout))


class TensorAnnotation(metaclass=TensorMeta):
    pass


class TileAnnotation(metaclass=TensorMeta):
    pass


class Directed:
    def __init__(self, direction):
        self.direction = direction

    def __getitem__(self, spec):
        return Spec(spec.shape, spec.dtype, spec.layout, self.direction)


class ScalarSpec:
    def __init__(self, dtype):
        self.dtype = dtype


class ScalarAnnotation:
    def __class_getitem__(cls, dtype):
        return ScalarSpec(dtype)


class TensorView:
    def __init__(self, layout="ND", **kwargs):
        self.layout = str(layout)
        if kwargs.get("valid_shape") or (kwargs.get("stride") and self.layout != "DN"):
            raise Unmodelled("a tensor view with strides")


# --- values


def count(shape):
    return math.prod(shape)


def rowMajor(shape):
    strides, step = [], 1
    for extent in reversed(shape):
        strides.insert(0, step)
        step *= extent
    return strides


class Array:
    """A tensor or a tile: a window of a list of numbers. Windows of one tensor share the list, so that writes are seen."""

    fractal = False  # an NZ tensor, whole
    tile = False  # loaded by `pl.load`, or made of such

    def __init__(self, data, shape, dtype, offset=0, strides=None):
        self.data, self.shape, self.dtype, self.offset = data, list(shape), dtype, offset
        self.strides = rowMajor(shape) if strides is None else strides

    def indices(self):
        def walk(axis, at):
            if axis == len(self.shape):
                yield at
                return
            for i in range(self.shape[axis]):
                yield from walk(axis + 1, at + i * self.strides[axis])

        if self.shape and self.strides[-1] == 1:  # runs at a time: most tensors are row-major
            return itertools.chain.from_iterable(range(at, at + self.shape[-1]) for at in self.runs())
        return walk(0, self.offset)

    def runs(self):
        starts = [self.offset]
        for extent, stride in zip(self.shape[:-1], self.strides[:-1]):
            starts = [s + i * stride for s in starts for i in range(extent)]
        return starts

    def values(self):
        if self.strides[-1:] == [1]:
            width, data = self.shape[-1], self.data
            return [v for at in self.runs() for v in data[at : at + width]]
        return [self.data[i] for i in self.indices()]

    def write(self, values):
        data = self.data
        for i, v in zip(self.indices(), values):
            data[i] = v

    def window(self, offsets, shape):
        if len(offsets) != len(self.shape) or len(shape) != len(self.shape):
            raise Unmodelled("a window of another rank")
        for o, s, whole in zip(offsets, shape, self.shape):
            if o < 0 or s < 0 or o + s > whole:
                raise IndexError(f"window {offsets} + {shape} of {self.shape}")
        at = self.offset + sum(o * s for o, s in zip(offsets, self.strides))
        return self.like(Array(self.data, shape, self.dtype, at, self.strides))

    def subscript(self, key):
        key = key if isinstance(key, tuple) else (key,)
        offsets, shape, kept = [], [], []
        for axis, whole in enumerate(self.shape):
            part = key[axis] if axis < len(key) else slice(None)
            if isinstance(part, slice):
                start = 0 if part.start is None else part.start
                stop = whole if part.stop is None else part.stop
                offsets.append(start)
                shape.append(stop - start)
                kept.append(axis)
            else:
                offsets.append(part)
                shape.append(1)
        return offsets, shape, kept

    def __getitem__(self, key):
        offsets, shape, kept = self.subscript(key)
        made = self.window(offsets, shape)
        made.shape = [made.shape[a] for a in kept]
        made.strides = [made.strides[a] for a in kept]
        return made

    def __setitem__(self, key, value):
        offsets, shape, _ = self.subscript(key)
        store(value, offsets, self, limit=shape)

    def squeezed(self):
        """Without leading axes of extent 1, down to rank 2."""
        shape, strides = list(self.shape), list(self.strides)
        while len(shape) > 2 and shape[0] == 1:
            shape.pop(0)
            strides.pop(0)
        return self.like(Array(self.data, shape, self.dtype, self.offset, strides))

    def like(self, made):
        made.tile = self.tile
        return made

    def __add__(self, other):
        return elementWise(operator.add, self, other)

    def __sub__(self, other):
        return elementWise(operator.sub, self, other)

    def __mul__(self, other):
        return elementWise(operator.mul, self, other)


def make(values, shape, dtype):
    return Array([dtype.round(v) for v in values], shape, dtype)


# --- operations


def live(tensor, offsets, shape, valid_shape=None, clamp=False, **kwargs):
    """The extents of a window that are read; `clamp` cuts it at the edges of the tensor."""
    sizes = list(shape if valid_shape is None else valid_shape)
    if not clamp:
        return sizes
    if any(o < 0 for o in offsets):
        raise Unmodelled("a clamped window before the beginning")
    return [min(s, max(e - o, 0)) for o, s, e in zip(offsets, sizes, tensor.shape)]


def load(tensor, offsets, shape, valid_shape=None, target_memory=None, **kwargs):
    part = tensor.window(list(offsets), live(tensor, offsets, shape, valid_shape, **kwargs))
    made = Array(part.values(), part.shape, part.dtype)
    made.tile = True
    return made


def sliced(tensor, shape, offset, valid_shape=None, drop_dims=None, **kwargs):
    made = tensor.window(list(offset), live(tensor, offset, shape, valid_shape, **kwargs))
    for axis in sorted(drop_dims or [], reverse=True):
        made.shape.pop(axis)
        made.strides.pop(axis)
    return made


def store(value, offsets, destination, limit=None, **kwargs):
    if kwargs.get("atomic") not in (None, "none"):
        raise Unmodelled("an atomic store")
    shape = list(value.shape)
    while len(shape) < len(destination.shape):
        shape.insert(0, 1)
    while len(shape) > len(destination.shape) and shape[0] == 1:
        shape.pop(0)
    if limit is not None and [s for s in shape if s != 1] == [l for l in limit if l != 1]:
        shape = list(limit)  # an index in the subscript leaves the value without that axis
    if limit is not None and any(s > l for s, l in zip(shape, limit)):
        raise Unmodelled(f"{shape} assigned to a window of {limit}")
    window = destination.window(list(offsets), shape)
    window.write([destination.dtype.round(v) for v in value.values()])
    return destination


def transposed(value, axis1=None, axis2=None, **kwargs):
    shape, strides = list(value.shape), list(value.strides)
    a, b = (-2, -1) if axis1 is None else (axis1, axis2)
    shape[a], shape[b] = shape[b], shape[a]
    strides[a], strides[b] = strides[b], strides[a]
    return value.like(Array(value.data, shape, value.dtype, value.offset, strides))


def element(value, indices):
    """One number of a tile or a tensor."""
    return value.window(list(indices), [1] * len(value.shape)).values()[0]


def gathered(value, dim=None, index=None, **kwargs):
    """Along the last axis, by index."""
    if index is None or dim not in (-1, 1) or len(value.shape) != 2 or kwargs:
        raise Unmodelled("this gather")
    rows = [[row[i] for i in at] for row, at in zip(rowsOf(value), rowsOf(index))]
    return make([v for row in rows for v in row], index.shape, value.dtype)


def gatherRow(acc, src, dst_offset, src_offset, shapes, transpose=False, valid_shape=None, **kwargs):
    live = list(valid_shape or shapes)
    if transpose or len(src.shape) != 2 or src.fractal:
        raise Unmodelled("pl.gather_row of this kind")
    acc = acc.like(Array(acc.values(), list(acc.shape), acc.dtype))  # a value of its own, also where it was a slice
    acc.window(dst_offset, live).write(src.window(src_offset, live).values())
    return acc


#: By number, in the order of the language: eq, ne, lt, le, gt, ge.
COMPARISONS = (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge)
COMPARISON_NAMES = ("eq", "ne", "lt", "le", "gt", "ge")


def compared(lhs, rhs, cmp_type=0, **kwargs):
    """Of tensors: one or zero in the dtype of the operands."""
    function = COMPARISONS[COMPARISON_NAMES.index(cmp_type) if isinstance(cmp_type, str) else cmp_type]
    return elementWise(lambda a, b: int(function(a, b)), lhs, rhs)


def rowsOf(value):
    """A rank-2 value as lists of its rows."""
    flat, width = value.values(), value.shape[1]
    return [flat[i * width : (i + 1) * width] for i in range(value.shape[0])]


def product(lhs, rhs):
    left, right = rowsOf(lhs), list(zip(*rowsOf(rhs)))
    if lhs.shape[1] != rhs.shape[0]:
        raise Unmodelled(f"product of {lhs.shape} and {rhs.shape}")
    return [sum(map(operator.mul, row, column)) for row in left for column in right]


def matmul(lhs, rhs, a_trans=False, b_trans=False, out_dtype=None, **kwargs):
    if kwargs.get("c_matrix_nz"):
        raise Unmodelled("c_matrix_nz")
    lhs = transposed(lhs) if a_trans else lhs
    rhs = transposed(rhs) if b_trans else rhs
    # A product of tiles is what it is accumulated in; one of tensors comes out as its operands unless it is told.
    tiles = lhs.tile or rhs.tile
    dtype = out_dtype or ((DTYPES["FP32"] if lhs.dtype.isFloat else DTYPES["INT32"]) if tiles else lhs.dtype)
    if len(lhs.squeezed().shape) <= 2 and len(rhs.squeezed().shape) <= 2:
        rank = max(len(lhs.shape), len(rhs.shape))
        lhs, rhs = lhs.squeezed(), rhs.squeezed()
        return make(product(lhs, rhs), [1] * (rank - 2) + [lhs.shape[0], rhs.shape[1]], dtype)
    batch = max(count(lhs.shape[:-2]), count(rhs.shape[:-2]))
    out = []
    for b in range(batch):
        parts = []
        for side in (lhs, rhs):
            flat = side.values()
            size = side.shape[-2] * side.shape[-1]
            at = 0 if count(side.shape[:-2]) == 1 else b * size
            parts.append(Array(flat[at : at + size], side.shape[-2:], side.dtype))
        out += product(*parts)
    lead = lhs.shape[:-2] if count(lhs.shape[:-2]) == batch else rhs.shape[:-2]
    return make(out, lead + [lhs.shape[-2], rhs.shape[-1]], dtype)


def matmulAcc(acc, lhs, rhs, a_trans=False, b_trans=False, **kwargs):
    made = matmul(lhs, rhs, a_trans, b_trans, acc.dtype)
    return make(map(operator.add, acc.values(), made.values()), acc.shape, acc.dtype)


def reshaped(value, shape, **kwargs):
    if value.fractal and len(shape) == 1:
        raise Unmodelled("bytes of an NZ tensor in device order")
    if count(shape) != count(value.shape):
        raise ValueError(f"{value.shape} to {shape}")
    if value.strides == rowMajor(value.shape):  # a view: writes through it are seen
        return value.like(Array(value.data, list(shape), value.dtype, value.offset))
    return value.like(Array(value.values(), list(shape), value.dtype))


def create(shape, dtype=None, **kwargs):
    return Array([0] * count(shape), list(shape), dtype)


def ofFloats(function, dtype):
    """Floats are kept as ints where they are whole; what makes a zero from them makes the one with the right sign."""
    return (lambda *operands: function(*map(float, operands))) if dtype.isFloat else function


def elementWise(function, lhs, rhs):
    function = ofFloats(function, lhs.dtype)
    if not isinstance(rhs, Array):
        promotes = isinstance(rhs, float) and not lhs.dtype.isFloat
        return make([function(v, rhs) for v in lhs.values()], lhs.shape, DTYPES["FP32"] if promotes else lhs.dtype)
    if lhs.shape == rhs.shape:
        return make(map(function, lhs.values(), rhs.values()), lhs.shape, lhs.dtype)
    if len(lhs.shape) == len(rhs.shape) == 2 and rhs.shape[0] in (1, lhs.shape[0]) and rhs.shape[1] in (1, lhs.shape[1]):
        spread = Array(rhs.data, lhs.shape, rhs.dtype, rhs.offset, [s if e > 1 else 0 for s, e in zip(rhs.strides, rhs.shape)])
        flat = [spread.data[spread.offset + r * spread.strides[0] + c * spread.strides[1]] for r in range(lhs.shape[0]) for c in range(lhs.shape[1])]
        return make(map(function, lhs.values(), flat), lhs.shape, lhs.dtype)
    if len(lhs.shape) == len(rhs.shape) and 1 not in lhs.shape + rhs.shape:  # what is live in both
        part = [min(extents) for extents in zip(lhs.shape, rhs.shape)]
        return elementWise(function, *(side.window([0] * len(part), part) for side in (lhs, rhs)))
    raise Unmodelled(f"an operation between {lhs.shape} and {rhs.shape}")


def unary(function):
    return lambda value, **kwargs: make(map(ofFloats(function, value.dtype), value.values()), value.shape, value.dtype)


def binary(function):
    return lambda lhs, rhs, **kwargs: elementWise(function, lhs, rhs)


def reduction(start, axis):
    def run(value, *tmp, **kwargs):
        rows = rowsOf(value) if axis == 1 else list(zip(*rowsOf(value)))
        out = []
        for line in rows:
            total = line[0]
            for v in line[1:]:
                total = value.dtype.round(start(total, v))
            out.append(total)
        return make(out, [len(out), 1] if axis == 1 else [1, len(out)], value.dtype)

    return run


def divide(a, b):
    if isinstance(a, int) and isinstance(b, int):
        return a / b
    return a / b if b else math.copysign(math.inf, a) if a else math.nan


def cast(value, target_type=None, mode="round", **kwargs):
    dtype = target_type or kwargs.get("dtype")
    if not isinstance(value, Array):
        return dtype.round(value)
    rounding = {"round": lambda v: math.floor(abs(v) + 0.5) * (1 if v >= 0 else -1), "rint": round, "floor": math.floor,
                "ceil": math.ceil, "trunc": math.trunc}  # fmt: skip
    if not dtype.isFloat and value.dtype.isFloat:
        return make([min(max(rounding[mode](v), dtype.lo), dtype.hi) for v in value.values()], value.shape, dtype)
    if value.dtype.isFloat and dtype.name in SIGNIFICANT and mode in rounding:
        return make([shortened(v, dtype, rounding[mode]) for v in value.values()], value.shape, dtype)
    return make(value.values(), value.shape, dtype)


#: Bits of a significand, and the exponent (as frexp counts) of the smallest number that has all of them.
SIGNIFICANT = {"FP16": (11, -13), "BF16": (8, -125)}


def shortened(value, dtype, rounding):
    if not math.isfinite(value) or value == 0:
        return value
    bits, least = SIGNIFICANT[dtype.name]
    unit = 2.0 ** (max(math.frexp(value)[1], least) - bits)
    return math.copysign(rounding(value / unit) * unit, value)


# --- control: scopes and loops


class Scope:
    def __enter__(self):
        return self

    def __exit__(self, *exc):
        return False


class Loop:
    """`pl.range` and its kin, with or without carried values."""

    def __init__(self, *bounds, init_values=None, **kwargs):
        self.range, self.init = range(*bounds), init_values

    def __iter__(self):
        if self.init is None:
            return iter(self.range)
        raise Unmodelled("a loop with init_values")


class Blocks:
    """`pl.spmd(n)`, as a loop over the blocks or as a scope whose body runs once a block (not modelled)."""

    current, total = 0, 1

    def __init__(self, n=None, core_num=None, **kwargs):
        self.n = core_num if n is None else n

    def __iter__(self):
        for i in range(self.n):
            Blocks.current, Blocks.total = i, self.n
            yield i
        Blocks.current, Blocks.total = 0, 1

    def __enter__(self):
        raise Unmodelled("a `with pl.spmd` scope")

    def __exit__(self, *exc):
        return False


class Lanes:
    """`pl.split_aiv`: the body once for each vector lane. What the cube core gets is whole when both have run."""

    current, mode, gathered, count = 0, "NONE", [], 0

    def __init__(self, lanes, mode=None, **kwargs):
        self.lanes, self.mode = lanes, str(mode).rsplit(".", 1)[-1]

    def __iter__(self):
        Lanes.gathered = []
        for lane in range(self.lanes):
            Lanes.current, Lanes.mode, Lanes.count = lane, self.mode, 0
            yield lane
        Lanes.current, Lanes.mode = 0, "NONE"


def laneWindow(value, shape):
    """The part of `value` that the lane has, of `shape`."""
    at = [Lanes.current * shape[0] * (Lanes.mode == "UP_DOWN"), Lanes.current * shape[1] * (Lanes.mode == "LEFT_RIGHT")]
    return value.window(at, shape)


def shard(value, **kwargs):
    rows, cols = value.shape
    part = laneWindow(value, [rows // 2 if Lanes.mode == "UP_DOWN" else rows, cols // 2 if Lanes.mode == "LEFT_RIGHT" else cols])
    return make(part.values(), part.shape, value.dtype)


def gather(value, **kwargs):
    rows, cols = value.shape
    if Lanes.current == 0:
        shape = [rows * 2 if Lanes.mode == "UP_DOWN" else rows, cols * 2 if Lanes.mode == "LEFT_RIGHT" else cols]
        Lanes.gathered.append(make([0] * count(shape), shape, value.dtype))
    whole = Lanes.gathered[Lanes.count]
    Lanes.count += 1
    laneWindow(whole, value.shape).write(value.values())
    return whole


class Kernel:
    def __init__(self, function, kind):
        self.function, self.kind = function, kind
        self.__name__ = function.__name__

    def __call__(self, *args, **kwargs):
        return self.function(*args, **kwargs)

    def __get__(self, owner, cls):
        return lambda *args, **kwargs: self.function(owner, *args, **kwargs)


def decorator(kind):
    def decorate(function=None, **kwargs):
        actual = str(kwargs.get("type") or kind)
        return Kernel(function, actual) if callable(function) else lambda f: Kernel(f, actual)

    return decorate


class Namespace:
    """Names that only name something: `pl.Mem.Mat`."""

    def __init__(self, path):
        self._path = path

    def __getattr__(self, name):
        return Namespace(f"{self._path}.{name}") if not name.startswith("__") else super().__getattribute__(name)

    def __str__(self):
        return self._path.rsplit(".", 1)[-1]


class Forms(types.SimpleNamespace):
    """`pl.tile`, `pl.tensor`, `pl.prefetch`: what is not modelled there is said as it is for `pl` itself."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        raise Unmodelled(f"an operation `{name}` of one form only")


def buildModule():
    pl = types.ModuleType("pypto.language")
    for name, dtype in DTYPES.items():
        setattr(pl, name, dtype)
    pl.Tensor, pl.Tile, pl.Scalar = TensorAnnotation, TileAnnotation, ScalarAnnotation
    pl.Out, pl.InOut, pl.In = Directed("out"), Directed("inout"), Directed("in")
    pl.TensorView, pl.TensorLayout = TensorView, Namespace("TensorLayout")
    pl.NZ, pl.ND, pl.DN = "NZ", "ND", "DN"
    for name in ("Mem", "MemorySpace", "FunctionType", "Level"):
        setattr(pl, name, Namespace(name))
    pl.dynamic = Dynamic
    pl.program = lambda cls: cls
    pl.function = decorator("Opaque")
    pl.jit = decorator("Orchestration")
    pl.jit.incore, pl.jit.inline = decorator("InCore"), decorator("Inline")
    pl.load, pl.store, pl.slice, pl.reshape = load, store, sliced, reshaped
    pl.move = lambda tile, **kwargs: tile  # to another memory
    pl.matmul = pl.batch_matmul = matmul
    pl.matmul_acc = matmulAcc
    pl.create_tensor = pl.create_tile = create
    pl.full = lambda shape, dtype=None, value=0, **kw: make([value] * count(shape), list(shape), dtype)
    pl.cast = cast
    pl.range = pl.parallel = pl.unroll = pl.pipeline = Loop
    pl.spmd = Blocks
    pl.split_aiv, pl.aiv_shard, pl.aic_gather = Lanes, shard, gather
    pl.SplitMode = Namespace("SplitMode")
    pl.split = pl.cross_core_slot = lambda *args, **kwargs: None
    pl.at = pl.scope = pl.cluster = lambda *args, **kwargs: Scope()
    pl.min, pl.max, pl.const = min, max, lambda value, dtype=None: value
    pl.get_block_idx, pl.get_block_num = (lambda: Blocks.current), (lambda: Blocks.total)
    pl.transpose = transposed
    pl.gather = gathered
    pl.create_l1, pl.gather_row, pl.cmp = create, gatherRow, compared
    pl.read = element
    for name, function in {"add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": divide, "maximum": max, "minimum": min}.items():
        setattr(pl, name, binary(function))
        setattr(pl, name + "s", binary(function))
    for name in ("row_expand", "col_expand"):
        for op, function in {"mul": operator.mul, "add": operator.add, "sub": operator.sub, "div": divide}.items():
            setattr(pl, f"{name}_{op}", binary(function))
    for name, function in {"exp": math.exp, "sqrt": math.sqrt, "abs": abs, "neg": operator.neg, "log": math.log,
                           "rsqrt": lambda v: 1 / math.sqrt(v), "recip": lambda v: 1 / v, "relu": lambda v: max(v, 0)}.items():  # fmt: skip
        setattr(pl, name, unary(function))
    for name, function in {"sum": operator.add, "max": max, "min": min}.items():
        setattr(pl, f"row_{name}", reduction(function, 1))
        setattr(pl, f"col_{name}", reduction(function, 0))
    tile = Forms(**{k: v for k, v in vars(pl).items() if callable(v)})
    tile.transpose_view = transposed
    tile.create = create
    pl.tile = tile
    pl.tensor = Forms(slice=sliced, reshape=reshaped, matmul=matmul, create=create, dim=lambda t, axis: t.shape[axis])
    pl.array = Forms(create=lambda extent, dtype: [None] * extent)
    pl.prefetch = Forms(make_context=lambda *a, **k: None, async_prefetch=lambda *a, **k: None,
                        session=lambda *a, **k: None, wait=lambda *a, **k: True)  # fmt: skip

    def missing(name):
        if name.startswith("__"):
            raise AttributeError(name)
        raise Unmodelled(f"pl.{name}")

    pl.__getattr__ = missing
    return pl


# --- between devices: one of them runs


class DistributedMeta(TensorMeta):
    """What others write is no output of the kernel."""

    def __getitem__(cls, items):
        spec = super().__getitem__(items)
        spec.shared = True
        return spec


class DistributedAnnotation(metaclass=DistributedMeta):
    pass


class Devices:
    """Which device runs, of how many. What it keeps for others is in `peers` of a window, where those have one of their own."""

    rank, count = 0, 1


def windowOf(target, peer):
    """The window of one device. A peer that has none is at hand under the name of this one."""
    peers = getattr(target, "peers", None)
    return target if peers is None or peer == Devices.rank else peers[peer]


def remoteStore(src, target=None, peer=None, offsets=None, atomic=None, **kwargs):
    store(src, offsets, windowOf(target, peer), atomic=atomic)


def put(dst=None, peer=None, src=None, dst_offsets=None, src_offsets=None, shape=None, **kwargs):
    shape = list(src.shape) if shape is None else shape
    part = src.window(src_offsets or [0] * len(shape), shape)
    store(make(part.values(), shape, src.dtype), dst_offsets or [0] * len(shape), windowOf(dst, peer))


def remoteLoad(target=None, peer=None, offsets=None, shape=None, valid_shape=None, **kwargs):
    return load(target, offsets, shape, valid_shape)


def get(dst=None, peer=None, src=None, dst_offsets=None, src_offsets=None, shape=None, **kwargs):
    put(dst, peer, src, dst_offsets, src_offsets, shape)


def notify(target=None, peer=None, offsets=None, value=None, op=None):
    at = windowOf(target, peer).window(offsets, [1] * len(target.shape))
    at.write([value + (0 if str(op).endswith("Set") else at.values()[0])])


def wait(signal=None, offsets=None, expected=None, cmp=None):
    got = signal.window(offsets, [1] * len(signal.shape)).values()[0]
    if got != expected if str(cmp).endswith("Eq") else got < expected:
        raise Unmodelled("signal of another device")


def buildDistributed():
    pld = types.ModuleType("pypto.language.distributed")
    pld.DistributedTensor = DistributedAnnotation
    pld.NotifyOp, pld.WaitCmp, pld.AtomicType = Namespace("NotifyOp"), Namespace("WaitCmp"), Namespace("AtomicType")
    pld.tile = Forms(remote_store=remoteStore, remote_load=remoteLoad)
    pld.tensor = Forms(remote_store=remoteStore, put=put, get=get, barrier=lambda signal: signal)
    pld.remote_store, pld.remote_load = remoteStore, remoteLoad
    pld.system = Forms(notify=notify, wait=wait)
    pld.get_comm_ctx, pld.rank, pld.nranks = (lambda tensor: None), (lambda ctx: Devices.rank), (lambda ctx: Devices.count)
    return pld


def loadProgram(path):
    """The module of a PL file, executed against the stand-in."""
    package = types.ModuleType("pypto")
    package.language = buildModule()
    package.language.distributed = buildDistributed()
    sys.modules["pypto"], sys.modules["pypto.language"] = package, package.language
    sys.modules["pypto.language.distributed"] = package.language.distributed
    spec = importlib.util.spec_from_file_location("pl_program", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def entries(module):
    """Qualified name to (kernel, whether it takes self), in source order."""
    found = {}
    for name, value in list(vars(module).items()):
        if isinstance(value, Kernel):
            found[name] = (value, None)
        elif isinstance(value, type) and value.__module__ == "pl_program":
            for member, kernel in vars(value).items():
                if isinstance(kernel, Kernel):
                    found[f"{name}.{member}"] = (kernel, value)
    return found


def parameters(kernel):
    """Name to Spec or ScalarSpec, in order."""
    names = kernel.function.__code__.co_varnames[: kernel.function.__code__.co_argcount]
    notes = kernel.function.__annotations__
    return {n: notes[n] for n in names if n in notes}
