// SPDX-License-Identifier: Apache-2.0
// The evaluator's promises: it ends, whatever it is given, and what it does not follow is unknown and never wrong.
#include "compiler/evaluator/builtin_names.h"
#include "compiler/frontend/program.h"
#include "compiler/syntax/parse.h"

#include <gtest/gtest.h>

namespace placid::frontend {
namespace {

std::unique_ptr<Program> program(const std::string &text) {
  auto source = std::make_shared<source::SourceText>("t.py", "import pypto.language as pl\n" + text);
  return buildProgram(syntax::Parser().parse(source), ProgramOptions());
}

std::string valueOf(const std::string &text, const std::string &name = "X") {
  auto made = program(text);
  const Binding *found = made->scopes.front().find(name);
  return found ? show(found->value) : "unbound";
}

std::string faultOf(const std::string &text) {
  auto made = program(text);
  return made->diagnostics.empty() ? "" : made->diagnostics.front().message;
}

const char *const kUnknown = "an unknown value";

TEST(EvaluatorEnds, WhereAnObjectLeadsToItselfForEver) {
  EXPECT_EQ(valueOf("class A:\n    def __bool__(self):\n        return self\nX = 1 if A() else 2\n"), kUnknown);
  EXPECT_EQ(valueOf("class A:\n    pass\nA.__call__ = A()\nX = A()()\n"), kUnknown);
  EXPECT_EQ(valueOf("e = ValueError('x')\nfor i in range(60000):\n    e = ValueError(e)\nX = str(e)\n"), kUnknown);
  EXPECT_NE(valueOf("import copy\nx = []\nfor i in range(9900):\n    x = [x]\nX = copy.deepcopy(x)\n"), "unbound");
}

TEST(EvaluatorEnds, PartialsOfPartialsAreOne) {
  const std::string chain = "from functools import partial\ndef g(a, b=0):\n    return a + b\nf = g\n"
                            "for i in range(100000):\n    f = partial(f)\n";
  EXPECT_EQ(valueOf(chain + "X = partial(partial(f, 1, b=5), b=2)()\n"), "3");
}

TEST(EvaluatorEnds, WithinItsBudgetWhateverGrows) {
  // Each of these took many seconds while a step could stand for any amount of work.
  EXPECT_EQ(valueOf("L = list(range(800000))\nfor i in range(60000):\n    L.pop(0)\nX = len(L)\n"), kUnknown);
  EXPECT_EQ(valueOf("L = [0]\nfor x in L:\n    if len(L) < 20000:\n        L.append(0)\nX = len(L)\n"), "20000");
  EXPECT_EQ(valueOf("d = {}\nfor i in range(60000):\n    d[1] = 1\n    del d[1]\nd[2] = 3\nX = len(d) + d[2]\n"), "4");
  EXPECT_EQ(valueOf("from collections import Counter\nc = Counter({i: i for i in range(20000)})\n"
                    "X = c.most_common(1)[0][0]\n"),
            "19999");
  EXPECT_EQ(valueOf("n = 7 ** 20000\nX = 0\nfor i in range(100000):\n    X = hash(n) if n in {n: 1} else n // 3\n"),
            kUnknown);
}

TEST(EvaluatorEnds, RecursionThatOnlyUnknownConditionsEnd) {
  EXPECT_EQ(
      valueOf("import foreign\ndef walk(n):\n    if isinstance(n, foreign.A):\n        return 1\n"
              "    if isinstance(n, foreign.B):\n        for s in n.parts:\n            walk(s)\n"
              "    elif hasattr(n, 'body'):\n        walk(n.body)\n    return 2\nwalk(foreign.root.body)\nX = 5\n"),
      "5");
}

TEST(EvaluatorEnds, ACallWithoutItsArgumentChangesNothing) {
  EXPECT_EQ(valueOf("L = [4]\nL.append()\nX = L[-1]\n"), "4");
  EXPECT_EQ(valueOf("L = [4]\nL.insert(0)\nX = L[0]\n"), "4");
  EXPECT_EQ(valueOf("class A:\n    pass\na = A()\nsetattr(a, 'x')\nX = hasattr(a, 'x')\n"), "False");
  for (const char *call : {"os.fspath()", "Path('a').__class__.as_posix()", "Path.cwd.__class__.name(5)",
                           "parser.__class__.parse_args()", "parser.__class__.set_defaults(5, a=1)"}) {
    EXPECT_EQ(valueOf("import os\nimport argparse\nfrom pathlib import Path\nparser = argparse.ArgumentParser()\nX = " +
                      std::string(call) + "\n"),
              kUnknown)
        << call;
  }
}

TEST(EvaluatorEnds, WhereAListChangesWhileItIsReadOrWritten) {
  EXPECT_EQ(valueOf("L = [1, 2, 3]\nclass A:\n    def __iter__(self):\n        L.clear()\n        return iter([])\n"
                    "L[0:3] = A()\nX = len(L)\n"),
            "0");
  const std::string evil = "L = []\nclass A:\n    def __eq__(self, other):\n        L.clear()\n"
                           "        L.extend([A() for i in range(100)])\n        return False\n"
                           "L.append(A())\nL.append(A())\n";
  for (const char *use :
       {"X = L.count(1)\n", "X = L == [1, 2]\n", "L.remove(7)\n", "X = 7 in L\n", "X = L.index(7)\n"}) {
    program(evil + use); // ends
  }
  EXPECT_EQ(faultOf("d = {1: 2}\nfor k in d:\n    d[k + 1] = 0\n"),
            "the Python here raises: RuntimeError: dictionary changed size during iteration");
}

TEST(EvaluatorIsNeverWrong, WhereTheBudgetEndsAStatement) {
  EXPECT_EQ(valueOf("def f():\n    i = 0\n    while i < 3000000:\n        i += 1\n    return 64\nX = f()\n"), kUnknown);
  EXPECT_EQ(valueOf("L = []\nfor i in range(3000000):\n    L.append(i)\nX = len(L)\n"), kUnknown);
  EXPECT_EQ(valueOf("class A:\n    n = 1\na = A()\na.n = 5\nfor i in range(3000000):\n    a.n += 1\nX = a.n\n"),
            kUnknown);
  // One wish that is too large costs its own statement; the kernels after it are still found.
  auto made = program("TOTAL = sum(range(10**8))\nX = 7\n@pl.jit\ndef k(x: pl.Tensor[[4], pl.FP16]):\n    return x\n");
  EXPECT_EQ(made->kernels.size(), 1U);
  made =
      program("for i in range(10**7):\n    pass\nfor i in range(10**7):\n    pass\nfor i in range(10**7):\n    pass\n"
              "for i in range(10**7):\n    pass\n@pl.jit\ndef k(x: pl.Tensor[[4], pl.FP16]):\n    return x\n");
  EXPECT_EQ(made->kernels.size(), 1U);
}

TEST(EvaluatorIsNeverWrong, NumbersThatStartSomewhere) {
  EXPECT_EQ(valueOf("X = list(enumerate([5, 6], 2**63 - 1))[1][0] == 2**63\n"), "True");
  EXPECT_EQ(valueOf("X = list(enumerate([5], \"a\"))\n"), kUnknown);
  EXPECT_EQ(faultOf("X = list(enumerate([5], \"a\"))\n"),
            "the Python here raises: TypeError: 'str' object cannot be interpreted as an integer");
  EXPECT_EQ(valueOf("try:\n    round(float('nan'))\nexcept ValueError:\n    X = 1\n"), "1");
  EXPECT_EQ(valueOf("X = repr(range(10)[0:5:2])\n"), "\"range(0, 5, 2)\"");
}

TEST(EvaluatorIsNeverWrong, Comparisons) {
  EXPECT_EQ(valueOf("n = float('nan')\nX = [n] >= [1.0]\n"), "False");
  EXPECT_EQ(valueOf("n = float('nan')\nX = [n] == [n]\n"), kUnknown);
  EXPECT_EQ(
      valueOf(
          "class A:\n    def __eq__(self, o):\n        return NotImplemented\na = A()\nX = [a == 3, a == a, a != 4]\n"),
      "[False, True, True]");
  EXPECT_EQ(
      valueOf("import functools\n@functools.total_ordering\nclass A:\n    def __init__(self, n):\n        self.n = n\n"
              "    def __eq__(self, o):\n        return self.n == o.n\n    def __lt__(self, o):\n        return self.n "
              "< o.n\n"
              "X = [A(1) >= A(2), A(2) <= A(2), A(3) > A(2)]\n"),
      "[False, True, True]");
}

TEST(EvaluatorIsNeverWrong, Enumerations) {
  EXPECT_EQ(valueOf("from enum import Enum\nclass Mode(str, Enum):\n    A = 'a'\nX = Mode.A == 'a'\n"), "True");
  EXPECT_EQ(valueOf("from enum import Enum\nclass P(Enum):\n    S = (16, 64)\n    def __init__(self, r, c):\n"
                    "        self.cols = c\nX = P.S.cols\n"),
            "64");
  EXPECT_EQ(
      valueOf("from enum import Enum\nclass E(Enum):\n    A, B = 1, 2\n    _c = 3\n    def f(self):\n        return 1\n"
              "X = [E.A == 1, len(E), E._c == 3]\n"),
      "[False, 3, False]");
  EXPECT_EQ(valueOf("from enum import StrEnum, auto\nclass E(StrEnum):\n    Red = auto()\nX = E.Red.value\n"),
            "\"red\"");
}

TEST(EvaluatorIsNeverWrong, Classes) {
  const std::string diamond = "class A:\n    def n(self):\n        return 16\nclass B(A):\n    def n(self):\n"
                              "        return super().n()\nclass D(A):\n    def n(self):\n        return 64\n"
                              "class E(B, D):\n    pass\n";
  EXPECT_EQ(valueOf(diamond + "X = E().n()\n"), "64");
  EXPECT_EQ(valueOf(diamond + "class F(A, E):\n    pass\nX = 1\n", "F"), kUnknown);
  EXPECT_EQ(valueOf("W = 64\nclass C:\n    W = 128\n    widths = [W for _ in range(2)]\nX = C.widths[0]\n"), "64");
  EXPECT_EQ(valueOf("class Rows(int):\n    def half(self):\n        return self // 2\nX = Rows(128).half()\n"),
            kUnknown);
  EXPECT_EQ(valueOf("class C:\n    def __new__(cls, n):\n        return 5\nX = C(64)\n"), kUnknown);
  EXPECT_EQ(valueOf("class C:\n    def __getattribute__(self, name):\n        return 64\nX = C().n\n"), kUnknown);
  EXPECT_EQ(valueOf("class M(type):\n    def __getattr__(cls, n):\n        return 64\nclass C(metaclass=M):\n    "
                    "pass\nX = C.n\n"),
            kUnknown);
  EXPECT_EQ(valueOf("class D:\n    def __setattr__(self, k, v):\n        object.__setattr__(self, k, v * 2)\nd = "
                    "D()\nd.n = 32\nX = d.n\n"),
            "64");
  EXPECT_EQ(valueOf("class R:\n    subs = []\n    def __init_subclass__(cls, tag=0):\n        R.subs.append(tag)\n"
                    "class R1(R, tag=4):\n    pass\nX = R.subs\n"),
            "[4]");
  EXPECT_EQ(valueOf("class C:\n    def __init__(self, **kw):\n        self.__dict__.update(kw)\nX = C(cols=64).cols\n"),
            "64");
  EXPECT_EQ(valueOf("from collections import namedtuple\nX = namedtuple('P', 'a b')(1, 1).count(1)\n"), "2");
  EXPECT_EQ(
      valueOf(
          "from dataclasses import KW_ONLY, InitVar, dataclass, field\n@dataclass\nclass T:\n    rows: int\n"
          "    by: InitVar[int] = 4\n    cols: int = field(init=False)\n    _: KW_ONLY\n    k: int = 1\n"
          "    def __post_init__(self, by):\n        self.cols = self.rows * by\nX = T(16, k=2).cols + T(1, k=3).k\n"),
      "67");
}

TEST(EvaluatorIsNeverWrong, WhatIsNotFollowedMayChangeThings) {
  EXPECT_EQ(valueOf("import heapq\nL = [64, 128]\nheapq.heappush(L, 32)\nX = L[0]\n"), kUnknown);
  EXPECT_EQ(valueOf("d = {'a': 64, 'b': 128}\nd.popitem()\nX = max(d.values())\n"), "64");
  EXPECT_EQ(valueOf("s = {64, 128}\ns.intersection_update({64})\nX = max(s)\n"), "64");
  EXPECT_EQ(valueOf("L = [1]\nL.__setitem__(0, 5)\nX = L[0]\n"), kUnknown);
  EXPECT_EQ(valueOf("N = 1\nglobals()['N'] = 64\nX = N\n"), "64");
  EXPECT_EQ(valueOf("a = [64]\nb = a\nb *= 2\nX = len(a)\n"), "2");
}

TEST(EvaluatorIsNeverWrong, Generators) {
  EXPECT_EQ(valueOf("LOG = [64]\ndef tiles():\n    LOG.append(128)\n    yield 16\ng = tiles()\nX = LOG[-1]\n"), "64");
  EXPECT_EQ(valueOf("LOG = []\ndef tiles():\n    LOG.append(1)\n    yield 16\nX = list(tiles()) + LOG\n"), "[16, 1]");
  EXPECT_EQ(valueOf("class It:\n    def __iter__(self):\n        yield from (64, 65)\nX = list(It())\n"), "[64, 65]");
}

TEST(EvaluatorIsNeverWrong, OwnSetattr) {
  const std::string body =
      "class C:\n    def __init__(self):\n        self.tile = 64\n    def __setattr__(self, k, v):\n";
  for (const char *way : {"super().__setattr__(k, v)", "self.__dict__[k] = v", "object.__setattr__(self, k, v)"}) {
    EXPECT_EQ(valueOf(body + "        " + way + "\nX = C().tile\n"), "64") << way;
    EXPECT_EQ(faultOf(body + "        " + way + "\nX = C().tile\n"), "") << way;
  }
  EXPECT_EQ(valueOf(body + "        super(C, self).__setattr__(k, v)\nX = C().tile\n"), kUnknown);
  EXPECT_EQ(faultOf(body + "        super(C, self).__setattr__(k, v)\nX = C().tile\n"), "");
}

TEST(EvaluatorIsNeverWrong, IteratorsTakeTurns) {
  const std::string i = "i = iter([1, 2, 3, 4])\n";
  EXPECT_EQ(valueOf("X = list(zip(*[iter([1, 2, 3, 4])] * 2))\n"), "[[1, 2], [3, 4]]");
  EXPECT_EQ(valueOf(i + "X = [list(zip(i, i)), list(i)]\n"), "[[[1, 2], [3, 4]], []]");
  EXPECT_EQ(valueOf(i + "X = [(a, next(i)) for a in i]\n"), "[[1, 2], [3, 4]]");
  EXPECT_EQ(valueOf(i + "X = [any(x == 2 for x in i), list(i)]\n"), "[True, [3, 4]]");
  EXPECT_EQ(valueOf(i + "X = [all(x < 2 for x in i), list(i)]\n"), "[False, [3, 4]]");
  EXPECT_EQ(valueOf(i + "X = [next(x for x in i if x == 2), list(i)]\n"), "[2, [3, 4]]");
  EXPECT_EQ(valueOf(i + "X = [list(zip([1], i)), list(i)]\n"), "[[[1, 1]], [2, 3, 4]]");
  EXPECT_EQ(valueOf(i + "for a in i:\n    if a == 2:\n        break\nX = list(i)\n"), "[3, 4]");
  EXPECT_EQ(valueOf(i + "X = []\nfor a in i:\n    X.append((a, next(i)))\n"), "[[1, 2], [3, 4]]");
  EXPECT_EQ(valueOf("L = [1]\ni = iter(L)\nL.append(2)\nX = list(i)\n"), "[1, 2]");
  EXPECT_EQ(valueOf("L = [1]\ng = (x * 2 for x in L)\nL.append(2)\nX = list(g)\n"), "[2, 4]");
  EXPECT_EQ(valueOf("n = 1\ng = (x * n for x in [1, 2])\nn = 5\nX = list(g)\n"), "[5, 10]");
  EXPECT_EQ(valueOf("X = [(a, b) for a, b in ((p, q) for p in range(3) for q in range(p) if p + q > 1)]\n"),
            "[[2, 0], [2, 1]]");
  EXPECT_EQ(valueOf("import itertools\n" + i + "list(itertools.islice(i, 2))\nX = list(i)\n"), kUnknown);
}

TEST(EvaluatorIsNeverWrong, IteratorsRaiseWhereTheyAreAsked) {
  for (const char *use :
       {"next(map(lambda q: 1 // q, [1, 0]))", "next(1 // q for q in [1, 0])", "next(q for q in [1, 0] if 8 // q == 8)",
        "next(filter(lambda n: 8 // n == 8, [1, 0]))", "1 if any(1 // q for q in [1, 0]) else 2"}) {
    EXPECT_EQ(valueOf(std::string("X = ") + use + "\n"), "1") << use;
    EXPECT_EQ(faultOf(std::string("X = ") + use + "\n"), "") << use;
  }
  EXPECT_EQ(faultOf("X = list(1 // q for q in [1, 0])\n"),
            "the Python here raises: ZeroDivisionError: integer division or modulo by zero");
  EXPECT_EQ(valueOf("X = 0\ng = (1 // q for q in [0, 1])\ntry:\n    next(g)\nexcept ZeroDivisionError:\n"
                    "    X = next(g, 7)\n"),
            "7"); // an exception ends a generator
  EXPECT_EQ(valueOf("def g():\n    yield 64\n    raise ValueError('x')\nX = next(g())\n"), "64");
  EXPECT_EQ(valueOf("X = list(zip([1, 2], [3], strict=True))\n"), kUnknown);
  EXPECT_EQ(valueOf("X = list(zip([1, 2], [3, 4], strict=True))\n"), "[[1, 3], [2, 4]]");
}

TEST(EvaluatorIsNeverWrong, WhatPythonAcceptsIsNoFault) {
  for (const char *text :
       {"import abc\nclass A(metaclass=abc.ABCMeta):\n    pass\nX = A.register(int)\n",
        "async def f():\n    return 5\nX = f().cr_running\n",
        "class P:\n    def __init_subclass__(cls, n=1):\n        super().__init_subclass__()\nclass Q(P, n=2):\n    "
        "pass\n"
        "X = P.__init_subclass__()\n",
        "class P:\n    def __init_subclass__(cls):\n        cls.n = 1\nclass M(P):\n"
        "    def __init_subclass__(cls):\n        super().__init_subclass__()\nclass Q(M):\n    pass\nX = Q.n\n",
        "X = b'%s' % b'a'\n", "class K:\n    def __index__(self):\n        return 1\nX = [5, 6][K()]\n",
        "import enum\nclass E(enum.Enum):\n    A = 1\nX = E._member_map_\nY = E.A._value_\n",
        "class G:\n    @property\n    def p(self):\n        raise AttributeError('p')\n    def __getattr__(self, "
        "name):\n"
        "        return 7\nX = G().p\n",
        "from contextlib import contextmanager\n@contextmanager\ndef cm():\n    try:\n        yield 5\n"
        "    except ValueError:\n        pass\nwith cm() as v:\n    raise ValueError('x')\n"}) {
    EXPECT_EQ(faultOf(text), "") << text;
  }
  EXPECT_EQ(valueOf("async def f():\n    return 5\nX = f()\n"), kUnknown);
  EXPECT_EQ(valueOf("class G:\n    @property\n    def p(self):\n        raise AttributeError('p')\n"
                    "    def __getattr__(self, name):\n        return 7\nX = G().p\n"),
            "7");
}

TEST(EvaluatorIsNeverWrong, ReflectedMethodsOfASubclass) {
  const std::string a = "class A:\n    def __add__(self, o):\n        return 1\n    def __radd__(self, o):\n"
                        "        return 2\n";
  EXPECT_EQ(valueOf(a + "class B(A):\n    def __radd__(self, o):\n        return 3\nX = A() + B()\n"), "3");
  EXPECT_EQ(valueOf(a + "class B(A):\n    pass\nX = A() + B()\n"), "1");
}

TEST(EvaluatorIsNeverWrong, YieldWhereverItStands) {
  for (const char *text :
       {"    if (yield 1):\n        pass\n", "    return (yield 1)\n", "    for a in (yield 1) or []:\n        pass\n",
        "    dict(a=(yield 1))\n", "    return f\"{(yield 1)}\"\n", "    assert not (yield 1)\n"}) {
    EXPECT_EQ(valueOf("def g():\n" + std::string(text) + "X = next(g())\n"), "1") << text;
  }
}

TEST(EvaluatorIsNeverWrong, Contexts) {
  EXPECT_EQ(valueOf("class T:\n    def __enter__(self):\n        return self\n    def __exit__(self, *why):\n"
                    "        self.cols = 64\nwith T() as t:\n    pass\nX = t.cols\n"),
            "64");
  const std::string quiet =
      "X = 1\nclass Q:\n    def __enter__(self):\n        return self\n    def __exit__(self, *a):\n"
      "        return True\nwith Q():\n    X = 2\n    X = 1 // 0\n";
  EXPECT_EQ(valueOf(quiet), "2");
  EXPECT_EQ(faultOf(quiet), "");
  EXPECT_EQ(faultOf("import contextlib\nwith contextlib.suppress(ZeroDivisionError, KeyError):\n    X = 1 // 0\n"), "");
  EXPECT_EQ(faultOf("import contextlib\nwith contextlib.suppress(KeyError):\n    X = 1 // 0\n"),
            "the Python here raises: ZeroDivisionError: integer division or modulo by zero");
}

TEST(EvaluatorIsNeverWrong, SmallThings) {
  EXPECT_EQ(valueOf("try:\n    {}['k']\nexcept KeyError as e:\n    X = [e.args[0], str(e)]\n"), "[\"k\", \"'k'\"]");
  EXPECT_EQ(valueOf("x = 10\nX = f\"{x = }|{ x=}\"\n"), "\"x = 10| x=10\"");
  EXPECT_EQ(valueOf("n = 4\ndef f():\n    a = n\n    n = 5\n    return a\nX = f()\n"), kUnknown);
  EXPECT_EQ(valueOf("X = len(f\"{1:200000}\")\n"), kUnknown);
  EXPECT_EQ(valueOf("X = 64 if Ellipsis is ... else 32\n"), "64");
}

TEST(BuiltinNames, AreSortedAndKnown) {
  EXPECT_TRUE(std::is_sorted(std::begin(py::kBuiltinNames), std::end(py::kBuiltinNames)));
  EXPECT_TRUE(py::isBuiltinName("enumerate"));
  EXPECT_FALSE(py::isBuiltinName("numpy"));
}

} // namespace
} // namespace placid::frontend
