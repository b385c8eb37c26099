#pragma once

#include "grid/cell_table.hpp"
#include "grid/geometry.hpp"

#include <cstdint>
#include <cstring>

// The kernels of ghosts.cpp: which objects are sent, and how they are packed into messages.

namespace strata::contact {

struct AddRow
{
  static constexpr char const* name() { return "strata::contact::AddRow"; }
  Geometry in;
  int halves;

  KOKKOS_FUNCTION void operator()(Box& box, index_t i) const
  {
    Box one;
    for (int k = 0; k < 3; ++k) {
      double const half = in.half[halves == 1 ? 0 : k][i];
      one.low[k] = in.at[k][i] - half;
      one.high[k] = in.at[k][i] + half;
    }
    box += one;
  }
};

/// Lists the objects whose image touches a box that is wider by `margin`; those beyond the
/// list's room are only counted.
struct SelectNear
{
  using value_type = index_t;
  static constexpr char const* name() { return "strata::contact::SelectNear"; }
  Geometry in;
  int halves;
  Box box;
  double shift[3];
  double margin;
  std::int32_t image;
  index_t room;
  std::int32_t* source;
  std::int32_t* images;

  KOKKOS_FUNCTION bool is_near(index_t i) const
  {
    for (int k = 0; k < 3; ++k) {
      double const half = in.half[halves == 1 ? 0 : k][i] + margin;
      double const x = in.at[k][i] + shift[k];
      if (x + half < box.low[k] || x - half > box.high[k])
        return false;
    }
    return true;
  }
  KOKKOS_FUNCTION void operator()(index_t i, index_t& sum, bool final) const
  {
    if (!is_near(i))
      return;
    if (final && sum < room) {
      source[sum] = static_cast<std::int32_t>(i);
      images[sum] = image;
    }
    ++sum;
  }
};

KOKKOS_FUNCTION inline double as_double(index_t bits)
{
  double word = 0;
  memcpy(&word, &bits, sizeof(word));
  return word;
}
KOKKOS_FUNCTION inline index_t as_index(double word)
{
  index_t bits = 0;
  memcpy(&bits, &word, sizeof(bits));
  return bits;
}

struct CopyGids
{
  static constexpr char const* name() { return "strata::contact::CopyGids"; }
  index_t const* from;
  index_t* to;

  KOKKOS_FUNCTION void operator()(index_t i) const { to[i] = from[i]; }
};

/// The arrays that an object's words come from or go to.
struct Words
{
  double* at[3];
  index_t* body;
  index_t* gid;
  double* half[3];
  double* corner;
  index_t* point;
  int halves;
  bool bonded; ///< else nobody asks for bodies
  bool cornered;
  bool positions_only;
};

/// Writes the words of listed objects: the w-th of entry e to box[w * count + e].
struct PackGhosts
{
  static constexpr char const* name() { return "strata::contact::PackGhosts"; }
  Words in;
  std::int32_t const* source;
  std::int32_t const* image;
  double shifts[27][3];
  double* box;
  index_t count;

  KOKKOS_FUNCTION void operator()(index_t e) const
  {
    index_t const i = source[e];
    double* word = box + e;
    auto const put = [&](double value) {
      *word = value;
      word += count;
    };
    for (int k = 0; k < 3; ++k)
      put(in.at[k][i] + shifts[image[e]][k]);
    if (in.bonded)
      put(as_double(in.body[i]));
    if (in.positions_only)
      return;
    put(as_double(in.gid[i]));
    for (int k = 0; k < in.halves; ++k)
      put(in.half[k][i]);
    for (int c = 0; in.cornered && c < 12; ++c)
      put(in.corner[12 * i + c]);
    for (int c = 0; in.cornered && c < 4; ++c)
      put(as_double(in.point[4 * i + c]));
  }
};

/// Reads the words of objects from `first` on.
struct UnpackGhosts
{
  static constexpr char const* name() { return "strata::contact::UnpackGhosts"; }
  Words out;
  double const* box;
  index_t count;
  index_t first;

  KOKKOS_FUNCTION void operator()(index_t e) const
  {
    index_t const i = first + e;
    double const* word = box + e;
    auto const get = [&]() {
      double const value = *word;
      word += count;
      return value;
    };
    for (int k = 0; k < 3; ++k)
      out.at[k][i] = get();
    if (out.bonded)
      out.body[i] = as_index(get());
    if (out.positions_only)
      return;
    out.gid[i] = as_index(get());
    for (int k = 0; k < out.halves; ++k)
      out.half[k][i] = get();
    for (int c = 0; out.cornered && c < 12; ++c)
      out.corner[12 * i + c] = get();
    for (int c = 0; out.cornered && c < 4; ++c)
      out.point[4 * i + c] = as_index(get());
  }
};

} // namespace strata::contact
