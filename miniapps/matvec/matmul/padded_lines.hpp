#pragma once

#include "product_operands.hpp"

#include "array/launch/for_each.hpp"

#include <cstdint>

namespace strata::matvec {

/// Elements of two bytes in 16 bytes, on which a tensor core's copies begin.
inline constexpr index_t narrow_vector = 8;

/// The distance of lines of so many elements which all begin on 16 bytes.
inline constexpr index_t padded_pitch(index_t length)
{
  return (length + narrow_vector - 1) / narrow_vector * narrow_vector;
}

/// Room for both factors of rows × order by order × order; lines are along k of those in rows
/// and of the second in columns, else along the rows of the first.
inline index_t padded_elements(bool first_in_columns, index_t rows, index_t order)
{
  return (first_in_columns ? order * padded_pitch(rows) : rows * padded_pitch(order)) +
         order * padded_pitch(order);
}

/// Whether the lines of a matrix begin on 16 bytes.
template <class T>
bool lines_begin_even(T const* matrix, index_t pitch)
{
  return reinterpret_cast<std::uintptr_t>(matrix) % 16 == 0 && pitch % narrow_vector == 0;
}

/// Copies lines to where each begins on 16 bytes; a work item, one vector. What lies behind a
/// line's end is not written.
template <class T>
struct PadLines
{
  static constexpr char const* name() { return "strata::matvec::PadLines"; }
  T const* from;
  T* to;
  index_t from_pitch, to_pitch, length;

  KOKKOS_FUNCTION void operator()(index_t line, index_t v) const
  {
    struct alignas(16) Vector
    {
      T lane[narrow_vector];
    };
    T const* const source = from + line * from_pitch + v * narrow_vector;
    T* const target = to + line * to_pitch + v * narrow_vector;
    index_t const there = length - v * narrow_vector;
    if (there >= narrow_vector) {
      Vector vector;
      for (int n = 0; n < narrow_vector; ++n)
        vector.lane[n] = source[n];
      *reinterpret_cast<Vector*>(target) = vector;
    } else
      for (int n = 0; n < there; ++n)
        target[n] = source[n];
  }
};

/// Copies `lines` lines to `room` and lets the operand and its pitch be the copy's.
template <class T>
void pad_lines(T const*& matrix, index_t& pitch, index_t lines, index_t length, T* room)
{
  index_t const padded = padded_pitch(length);
  for_each(in_order_of<LayoutRight>(Dynamic<2>(lines, padded / narrow_vector)),
           PadLines<T>{matrix, room, pitch, padded, length});
  matrix = room;
  pitch = padded;
}

} // namespace strata::matvec
