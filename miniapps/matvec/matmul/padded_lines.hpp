#pragma once

#include "product_operands.hpp"

#include "array/launch/for_each.hpp"

#include <cstdint>

namespace strata::matvec {

/// Elements of type T of a copy.
template <class T>
inline constexpr index_t copied = widest_copy / static_cast<index_t>(sizeof(T));

/// The distance of lines of so many elements of type T which all begin where a copy can.
template <class T>
constexpr index_t padded_pitch(index_t length)
{
  return (length + copied<T> - 1) / copied<T> * copied<T>;
}

/// Elements of the room for those factors of rows × order by order × order that have to be
/// padded: of a matrix that begins on a copy, those whose lines are no whole copies. Lines are
/// along k but for those of a first factor in columns, which are along its rows.
template <class T>
index_t padded_elements(bool first_in_columns, index_t rows, index_t order)
{
  auto const room = [](index_t lines, index_t length) {
    return length % copied<T> == 0 ? 0 : lines * padded_pitch<T>(length);
  };
  return (first_in_columns ? room(order, rows) : room(rows, order)) + room(order, order);
}

/// Whether the lines of a matrix begin where a copy can.
template <class T>
bool lines_begin_even(T const* matrix, index_t pitch)
{
  return reinterpret_cast<std::uintptr_t>(matrix) % widest_copy == 0 && pitch % copied<T> == 0;
}

/// Copies lines to where each begins on a copy; a work item, one vector. What lies behind a
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
    constexpr index_t lanes = copied<T>;
    struct alignas(widest_copy) Vector
    {
      T lane[lanes];
    };
    T const* const source = from + line * from_pitch + v * lanes;
    T* const target = to + line * to_pitch + v * lanes;
    index_t const there = length - v * lanes;
    if (there >= lanes) {
      Vector vector;
      for (int n = 0; n < lanes; ++n)
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
  index_t const padded = padded_pitch<T>(length);
  for_each(in_order_of<LayoutRight>(Dynamic<2>(lines, padded / copied<T>)),
           PadLines<T>{matrix, room, pitch, padded, length});
  matrix = room;
  pitch = padded;
}

} // namespace strata::matvec
