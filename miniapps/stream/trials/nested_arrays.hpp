#pragma once

#include "geometry.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <type_traits>
#include <vector>

// Vectors of vectors on a host: three or four indices, or two with rows of different lengths.

namespace strata::stream {

template <class T, int Levels>
struct NestedVectors
{
  using type = std::vector<typename NestedVectors<T, Levels - 1>::type>;
};
template <class T>
struct NestedVectors<T, 0>
{
  using type = T;
};
template <class T, int Levels>
using Nested = typename NestedVectors<T, Levels>::type;

/// Vectors of vectors as an operand of the kernels; T may be const.
template <class T, int Levels>
struct NestedOperand
{
  using value_type = std::remove_const_t<T>;
  Nested<value_type, Levels>* vectors;

  template <class... I>
  T& operator()(I... i) const
  {
    return element(*vectors, static_cast<std::size_t>(i)...);
  }

private:
  template <class V, class... I>
  static T& element(V& outer, std::size_t i, I... rest)
  {
    if constexpr (sizeof...(I) == 0)
      return outer[i];
    else
      return element(outer[i], rest...);
  }
};

/// S5's "traditional" arrays: each row is an allocation, made by the thread that uses the row.
template <class T, int Levels>
class NestedArrays
{
public:
  using Array = Nested<T, Levels>;

  explicit NestedArrays(Geometry const& geometry)
      : geometry_(geometry)
  {
    index_t next = geometry.first_element;
    for (index_t i = 0; i < geometry.rows; ++i) {
      first_of_row_.push_back(next);
      next += Levels == 2 ? geometry.lengths(i) : geometry.elements / geometry.rows;
    }
    for (auto& field : fields_) {
      field.resize(static_cast<std::size_t>(geometry.rows));
      rows_in_parallel([&](index_t i) { allocate_row(field[static_cast<std::size_t>(i)], i); });
    }
  }
  /// The arrays of another trial of this run, or new ones.
  static std::shared_ptr<NestedArrays> shared(Geometry const& geometry)
  {
    static std::weak_ptr<NestedArrays> latest;
    auto arrays = latest.lock();
    if (!arrays || arrays->geometry_ != geometry)
      latest = arrays = std::make_shared<NestedArrays>(geometry);
    return arrays;
  }

  Array& operator[](Field f) { return fields_[static_cast<std::size_t>(f)]; }
  /// Global index of a row's first element.
  [[nodiscard]] index_t first_of_row(index_t i) const
  {
    return first_of_row_[static_cast<std::size_t>(i)];
  }

  /// Calls f(i) for this rank's rows on all host threads.
  template <class F>
  void rows_in_parallel(F const& f) const
  {
#if defined(KOKKOS_ENABLE_OPENMP)
#pragma omp parallel for schedule(static)
#endif
    for (index_t i = 0; i < geometry_.rows; ++i)
      f(i);
  }
  /// S5's inner loops: f(i, j, k) or f(i, j, k, l), or f(i, j) over the length of row i.
  template <class F>
  void visit_row(index_t i, F const& f) const
  {
    if constexpr (Levels == 2) {
      auto const length = static_cast<index_t>(fields_[0][static_cast<std::size_t>(i)].size());
      for (index_t j = 0; j < length; ++j)
        f(i, j);
    } else {
      auto const [_, rows, columns, length] = geometry_.global;
      for (index_t j = 0; j < rows; ++j)
        for (index_t k = 0; k < columns; ++k)
          if constexpr (Levels == 3)
            f(i, j, k);
          else
            for (index_t l = 0; l < length; ++l)
              f(i, j, k, l);
    }
  }
  template <class Kernel>
  double sum(Kernel const& kernel) const
  {
    double total = 0;
#if defined(KOKKOS_ENABLE_OPENMP)
#pragma omp parallel for schedule(static) reduction(+ : total)
#endif
    for (index_t i = 0; i < geometry_.rows; ++i)
      visit_row(i, [&](auto... index) { kernel(total, index...); });
    return total;
  }
  /// A row of more than one element, if there is one.
  std::vector<T>& sample(Field f)
  {
    auto& array = (*this)[f];
    if constexpr (Levels == 4) {
      return array.front().front().front();
    } else if constexpr (Levels == 3) {
      return array.front().front();
    } else {
      auto const found = std::find_if(array.begin(), array.end(),
                                      [](auto const& row) { return row.size() > 1; });
      return found == array.end() ? array.front() : *found;
    }
  }

private:
  void allocate_row(Nested<T, Levels - 1>& row, index_t i) const
  {
    if constexpr (Levels == 2)
      row.resize(static_cast<std::size_t>(geometry_.lengths(i)));
    else
      row = zeros<Levels - 1>(geometry_.global.data() + 1);
  }
  /// Zeros of those extents; a copy of a vector allocates each of its vectors anew.
  template <int Depth>
  static Nested<T, Depth> zeros(index_t const* extents)
  {
    auto const count = static_cast<std::size_t>(*extents);
    if constexpr (Depth == 1)
      return std::vector<T>(count);
    else
      return Nested<T, Depth>(count, zeros<Depth - 1>(extents + 1));
  }

  Geometry geometry_;
  std::vector<index_t> first_of_row_;
  std::array<Array, 3> fields_;
};

} // namespace strata::stream
