#pragma once

#include "base/error.hpp"
#include "base/kokkos.hpp"
#include "trials/geometry.hpp"
#include "verify/compare.hpp"
#include "verify/output.hpp"

#include <array>
#include <memory>
#include <string>
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
  /// Calls error = f(global index, element) for every element of a field, from vector to vector
  /// and not by the loops that are measured; returns the worst error.
  template <class F>
  double each_element(Field field, F const& f)
  {
    using Visited = verify::Counted<verify::Worst>;
    auto& rows = (*this)[field];
    Visited all;
    Kokkos::parallel_reduce(
        "strata::stream::EachElement",
        Kokkos::RangePolicy<Host, Kokkos::IndexType<index_t>>(0, geometry_.rows),
        EachElement<F>{rows.data(), first_of_row_.data(), f}, all);
    STRATA_CHECK(all.visited == geometry_.elements,
                 "vectors of vectors have " + std::to_string(all.visited) + " of " +
                     std::to_string(geometry_.elements) + " elements");
    return all.sum.value;
  }
  /// All elements of a field.
  verify::Output output(Field field)
  {
    verify::Output output;
    output.on_device = false;
    each_vector((*this)[field], [&](std::vector<T>& vector) {
      output.add(vector.data(), static_cast<index_t>(vector.size()));
    });
    return output;
  }

private:
  template <class V, class F>
  static void each_vector(V& vectors, F const& f)
  {
    if constexpr (std::is_same_v<V, std::vector<T>>)
      f(vectors);
    else
      for (auto& inner : vectors)
        each_vector(inner, f);
  }
  template <class F>
  struct EachElement
  {
    using value_type = verify::Counted<verify::Worst>;
    Nested<T, Levels - 1>* rows;
    index_t const* first_of_row;
    F f;

    void operator()(index_t i, value_type& all) const
    {
      index_t g = first_of_row[i];
      each_vector(rows[i], [&](std::vector<T>& vector) {
        for (T& value : vector) {
          all.sum += static_cast<double>(f(g++, value));
          ++all.visited;
        }
      });
    }
    void join(Joined<value_type>& into, Joined<value_type> const& other) const
    {
      const_cast<value_type&>(into) += const_cast<value_type const&>(other);
    }
  };

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
