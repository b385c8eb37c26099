#include "array/ragged/ragged.hpp"

#include "cases.hpp"
#include "memory.hpp"
#include "ways.hpp"

#include <optional>

namespace strata::bench {

/// o(row) = Σ of the row's entries, for a block of rows.
template <class A>
struct SumRows
{
  index_t block;
  index_t rows;
  A a;
  int* o;

  KOKKOS_FUNCTION void operator()(index_t which) const
  {
    SumRows const k = *this; // on the stack, where no store aliases its members
    index_t const begin = which * k.block;
    index_t const end = begin + k.block < k.rows ? begin + k.block : k.rows;
    for (index_t row = begin; row < end; ++row) {
      int sum = 0;
      index_t const length = k.a.length(row);
      for (index_t entry = 0; entry < length; ++entry)
        sum += k.a(row, entry);
      k.o[row] = sum;
    }
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
  constexpr index_t block = D::is_gpu ? 1 : 1000;
  SumRows<std::remove_cvref_t<decltype(a)>> const sum{block, D::rows, a, o};
  return {
      .pass = [=] { D::each(0, (D::rows + block - 1) / block, sum); },
      .wait = D::wait,
      .clear = [=] { fill<Space>(o, rows, -1); },
      .wrong = [=, &offsets] { return difference(on_host<Space>(o, rows), sums_of(offsets)); },
      .spoil = [=, &offsets](int by) { add_to<Space>(values + offsets[rows / 2], by); }};
}

/// The array, until Kokkos ends; all ways see the same values.
template <class Space>
RaggedRight<int, Space> const& ragged(index_t rows, std::vector<int> const& values)
{
  static std::optional<RaggedRight<int, Space>> array;
  if (!array) {
    Kokkos::push_finalize_hook([] { array.reset(); });
    array.emplace("strata::bench::ragged", rows, LengthOfRow());
    put<Space>(array->values().data(), values);
  }
  return *array;
}

template <class D, class Way>
Running prepare(std::vector<int> const& values, std::vector<index_t> const& offsets)
{
  using Space = typename D::Space;
  auto const& array = ragged<Space>(D::rows, values);
  int* const p = array.values().data();
  if constexpr (std::is_same_v<Way, SpanWay>) {
    return summing_rows<D>(array.write(), p, offsets);
  } else {
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
}

template <class D, class Way>
Running prepare_rows()
{
  static auto const offsets = offsets_of(D::rows);
  auto const& values = known("ragged values " + std::to_string(D::rows),
                             [] { return laid_out<true>(offsets.back(), 1, 1, value); });
  return prepare<D, Way>(values, offsets);
}

} // namespace

void add_ragged(Cases& cases)
{
  each_device([&]<class D>(D) {
    each_way<D>([&]<class Way>(Way) {
      cases.push_back({"RaggedRowSums", "right", "matching", "dynamic", D::name, Way::name,
                       offsets_of(D::rows).back(), prepare_rows<D, Way>});
    });
  });
}

} // namespace strata::bench
