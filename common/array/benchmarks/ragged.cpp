#include "array/ragged/ragged.hpp"

#include "cases.hpp"
#include "memory.hpp"
#include "ways.hpp"

namespace strata::bench {

/// o(row) = Σ of the row's entries.
template <class A>
struct SumRow
{
  A a;
  int* o;

  KOKKOS_FUNCTION void operator()(index_t row) const
  {
    A const rows = a; // on the stack, where no store aliases its members
    int sum = 0;
    index_t const length = rows.length(row);
    for (index_t k = 0; k < length; ++k)
      sum += rows(row, k);
    o[row] = sum;
  }
};

/// Rows of 1 to 64 entries.
struct LengthOfRow
{
  KOKKOS_FUNCTION index_t operator()(index_t row) const
  {
    return 1 + 4 * value(row, 1, 0) + value(row, 2, 0) % 4;
  }
};

/// By hand.
struct RawRows
{
  int const* values;
  index_t const* offsets;
  KOKKOS_FUNCTION index_t length(index_t row) const { return offsets[row + 1] - offsets[row]; }
  KOKKOS_FUNCTION int operator()(index_t row, index_t k) const
  {
    return values[offsets[row] + k];
  }
};

/// By arrays of one index.
template <class Values, class Offsets>
struct IndexedRows
{
  Values values;
  Offsets offsets;
  KOKKOS_FUNCTION index_t length(index_t row) const { return offsets(row + 1) - offsets(row); }
  KOKKOS_FUNCTION int operator()(index_t row, index_t k) const
  {
    return values(offsets(row) + k);
  }
};

namespace {

std::vector<index_t> offsets_of(index_t rows)
{
  std::vector<index_t> offsets(1, 0);
  for (index_t row = 0; row < rows; ++row)
    offsets.push_back(offsets.back() + LengthOfRow()(row));
  return offsets;
}

std::vector<int> sums_of(std::vector<index_t> const& offsets)
{
  std::vector<int> sums(offsets.size() - 1, 0);
  for (std::size_t row = 0; row < sums.size(); ++row)
    for (index_t at = offsets[row]; at < offsets[row + 1]; ++at)
      sums[row] += value(at, 0, 0);
  return sums;
}

/// The offsets live as long as the program.
template <class D>
Running summing_rows(auto const& a, int* values, std::vector<index_t> const& offsets)
{
  using Space = typename D::Space;
  std::size_t const rows = offsets.size() - 1;
  int* const o = kept<Space>("row sums", rows);
  SumRow<std::remove_cvref_t<decltype(a)>> const sum{a, o};
  return {
      .pass = [=] { D::each(0, D::rows, sum); },
      .wait = D::wait,
      .clear = [=] { fill<Space>(o, rows, -1); },
      .wrong = [=, &offsets] { return difference(on_host<Space>(o, rows), sums_of(offsets)); },
      .spoil = [=, &offsets](int by) { add_to<Space>(values + offsets[rows / 2], by); }};
}

/// A ragged array is an owner: this one lives as long as the case.
template <class D>
Running prepare(SpanWay, std::vector<int> const& values, std::vector<index_t> const& offsets)
{
  using Space = typename D::Space;
  RaggedRight<int, Space> const array("strata::bench::ragged", D::rows, LengthOfRow());
  int* const p = array.values().data();
  put<Space>(p, values);
  auto running = summing_rows<D>(array.write(), p, offsets);
  running.wait = [array] { D::wait(); };
  return running;
}

template <class D, class Way>
Running prepare(Way, std::vector<int> const& values, std::vector<index_t> const& offsets)
{
  using Space = typename D::Space;
  int* const p = kept<Space>("ragged values", values);
  index_t const* const o = kept<Space>("ragged offsets", offsets);
  if constexpr (std::is_same_v<Way, RawWay>) {
    return summing_rows<D>(RawRows{p, o}, p, offsets);
  } else {
    auto const see = []<class T>(T const* first, std::vector<T> const& of) {
      return Way::template see_line<T const, Space>(first, static_cast<index_t>(of.size()));
    };
    return summing_rows<D>(
        IndexedRows{see(static_cast<int const*>(p), values), see(o, offsets)}, p, offsets);
  }
}

template <class D, class Way>
Running prepare_rows()
{
  static auto const offsets = offsets_of(D::rows);
  auto const& values = known("ragged values " + std::to_string(D::rows),
                             [] { return laid_out<true>(offsets.back(), 1, 1, value); });
  return prepare<D>(Way{}, values, offsets);
}

} // namespace

void add_ragged(Cases& cases)
{
  each_device([&]<class D>(D) {
    each_way([&]<class Way>(Way) {
      cases.push_back({"RaggedRowSums", "right", "matching", "dynamic", D::name, Way::name,
                       offsets_of(D::rows).back(), prepare_rows<D, Way>});
    });
  });
}

} // namespace strata::bench
