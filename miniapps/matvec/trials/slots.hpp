#pragma once

// Numbers of the blocks of pooled memory. Cases share those whose numbers are the same.

namespace strata::matvec {

struct DenseSlot
{
  enum Number : int
  {
    x,
    y,
    partial,
    pieces,
    tickets,
    matrix ///< the first of those for each layout, scalar and partition
  };
};

/// Vectors and partial sums are those of a DenseSlot.
struct SymmetricSlot
{
  enum Number : int
  {
    packed = 60,
    full
  };
};

struct BatchedSlot
{
  enum Number : int
  {
    matrix = 70,
    x,
    y
  };
};

struct MatmulSlot
{
  enum Number : int
  {
    left = 80, ///< eight blocks each: two orders, four scalars
    right = 88,
    output = 96, ///< four blocks
    room = 100
  };
};

} // namespace strata::matvec
