"""Makes missing modules of a task importable, so that a runner can say which tests there are and which of them are
skipped before any code of the task exists.

Python loads this file as `sitecustomize`. `WINDLASS_STAND_INS` names the files of the task, `WINDLASS_ANSWER` is what a
stand-in says when it is asked: `1` for yes and a large number, `0` for no and zero. A skip that depends on the task's own
code differs between the two.
"""
import importlib.abc
import importlib.machinery
import os
import signal
import sys
import types

FILES = [path.split("/") for path in os.environ.get("WINDLASS_STAND_INS", "").split(":") if path]
YES = os.environ.get("WINDLASS_ANSWER") == "1"
NUMBER = 1_000_003 if YES else 0
# How long a test may go on, in seconds; at most twice as long.
PATIENCE = 1.0


class Base:
    pass


class StandIn:
    def __call__(self, *args, **options):
        plain = len(args) == 1 and not options
        # As a decorator it leaves the test as it is.
        return args[0] if plain and (isinstance(args[0], type) or isinstance(args[0], types.FunctionType)) else self

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__") or name.startswith("pytest"):
            raise AttributeError(name)
        return self

    def __mro_entries__(self, bases):
        return (Base,)

    def __iter__(self):
        return iter((self,))

    # Without it `reversed` would ask for every index below its length.
    __reversed__ = __iter__

    def __bool__(self):
        return YES

    def __len__(self):
        return NUMBER

    def __int__(self):
        return NUMBER

    def __float__(self):
        return float(NUMBER)

    __index__ = __int__

    def __hash__(self):
        return NUMBER

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False

    def __str__(self):
        return "stand-in" if YES else ""


def asked(self, *args):
    return YES


def itself(self, *args):
    return self


for name in "eq ne lt le gt ge contains instancecheck subclasscheck".split():
    setattr(StandIn, f"__{name}__", asked)
for name in "getitem add radd sub rsub mul rmul truediv rtruediv floordiv rfloordiv mod rmod pow rpow and rand or ror " \
        "xor rxor lshift rshift neg pos abs invert matmul rmatmul".split():
    setattr(StandIn, f"__{name}__", itself)
STAND_IN = StandIn()


def attribute(name):
    if name.startswith("__") and name.endswith("__"):
        raise AttributeError(name)
    return STAND_IN


class Blank(importlib.abc.Loader):
    def create_module(self, spec):
        return None

    def exec_module(self, module):
        module.__getattr__ = attribute
        module.__path__ = []


class Filled(importlib.abc.Loader):
    """Loads what there is, and stands in for the rest."""

    def __init__(self, real):
        self.real = real

    def create_module(self, spec):
        return self.real.create_module(spec)

    def exec_module(self, module):
        try:
            self.real.exec_module(module)
        except Exception:
            pass
        module.__dict__.setdefault("__getattr__", attribute)


class Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        parts = name.split(".")
        own = any(is_module(file, parts) for file in FILES)
        if not own and not any(is_package(file, parts) for file in FILES):
            return None
        finders = (finder for finder in sys.meta_path if finder is not self and hasattr(finder, "find_spec"))
        found = next(filter(None, (finder.find_spec(name, path, target) for finder in finders)), None)
        if found is None:
            return importlib.machinery.ModuleSpec(name, Blank(), is_package=True)
        if own and found.loader is not None and hasattr(found.loader, "exec_module"):
            found.loader = Filled(found.loader)
            return found
        return None


def module_of(file):
    stem = file[-1][:-3] if file[-1].endswith(".py") else None
    if stem is None:
        return None
    return file[:-1] if stem == "__init__" else [*file[:-1], stem]


def is_module(file, parts):
    module = module_of(file)
    return module is not None and module[-len(parts):] == parts


def is_package(file, parts):
    module = module_of(file)
    return module is not None and any(module[at:at + len(parts)] == parts for at in range(len(module)))


class Endless(Exception):
    """A test that would go on: it waits for something that a stand-in never says."""


def test_under_way(frame):
    """The frame of the runner that carries out one test, which is a new one for every test."""
    while frame is not None:
        code = frame.f_code
        if code.co_name == "runtestprotocol" or code.co_name == "run" and code.co_filename.endswith("case.py"):
            return frame
        frame = frame.f_back
    return None


def end_endless_tests():
    """Lets a test fail that is still under way at the second look. That it runs is all that is asked."""
    seen = None

    def look(number, frame):
        nonlocal seen
        before, seen = seen, test_under_way(frame)
        if seen is not None and seen is before:
            seen = None
            raise Endless("it goes on with a stand-in")

    try:
        signal.signal(signal.SIGALRM, look)
        signal.setitimer(signal.ITIMER_REAL, PATIENCE, PATIENCE)
    except (AttributeError, ValueError):
        # Windows, or not the main thread: the run has a limit of its own.
        pass


if FILES:
    sys.meta_path.insert(0, Finder())
    end_endless_tests()
