"""Wrapper that hands kernels to the compiler and preserves their types.

Nothing is compiled before a kernel is called, nor is the compiler loaded (`numba_dispatcher`).
Compiled integers wrap silently: each kernel states the bound of its accumulators.
"""

from collections.abc import Callable
from functools import update_wrapper
from threading import Lock
from typing import Generic, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

_alone = Lock()


class Kernel(Generic[P, R]):
    """A function that is compiled when it is first called, from outside or by another kernel."""

    def __init__(self, function: Callable[P, R], *, allocates: bool) -> None:
        self.__wrapped__ = function
        self._allocates = allocates
        self._made: Callable[P, R] | None = None
        update_wrapper(self, function)

    def __call__(self, *arguments: P.args, **named: P.kwargs) -> R:
        """Run the kernel, compiled for the types of its arguments."""
        return (self._made or self.dispatcher)(*arguments, **named)

    @property
    def dispatcher(self) -> Callable[P, R]:
        """The compiling dispatcher; the first of several threads makes it."""
        with _alone:
            if self._made is None:
                from certify.kernels.numba_dispatcher import build_dispatcher

                self._made = build_dispatcher(self.__wrapped__, allocates=self._allocates)
            return self._made

    @property
    def _numba_type_(self) -> object:
        """The type that numba requires of a kernel called by another one."""
        return self.dispatcher._numba_type_  # type: ignore[attr-defined] # numba's dispatcher


def compile_lazily(function: Callable[P, R]) -> Callable[P, R]:
    """Have `function` compiled when it is first called, and keep it on disk; it makes no array.

    Without counts of references to arrays, a third less code is compiled.
    """
    return Kernel(function, allocates=False)


def compile_allocating(function: Callable[P, R]) -> Callable[P, R]:
    """Like `compile_lazily`, for a kernel that makes arrays."""
    return Kernel(function, allocates=True)
