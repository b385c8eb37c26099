#include "vectors.hpp"

#include "array/launch/elementwise.hpp"
#include "array/launch/for_each.hpp"
#include "kernels/split.hpp"
#include "verify/every.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace strata::matvec {

namespace {

/// x(i) = the global vector's element first + i within [begin, end), else NaN.
template <class X>
struct SetVector
{
  static constexpr char const* name() { return "strata::matvec::SetVector"; }
  X x;
  Values values;
  index_t first, begin, end;

  KOKKOS_FUNCTION void operator()(index_t i) const
  {
    using T = typename X::value_type;
    x(i) =
        i >= begin && i < end ? static_cast<T>(values.vector(first + i)) : static_cast<T>(NAN);
  }
};

template <class T>
auto vector_of(T* data, index_t count)
{
  using Vector = Span<T, Dynamic<1>, LayoutRight>;
  return Vector(data, typename Vector::mapping_type(Dynamic<1>(count)));
}

template <class T>
void spoil(T* data, index_t count)
{
  auto const all = vector_of(data, count);
  verify::for_every(count, Set<decltype(all)>{all, static_cast<T>(NAN)});
}

template <class T>
runtime::Message message(int rank, T* data, index_t count)
{
  return {rank, data, count * static_cast<index_t>(sizeof(T))};
}

} // namespace

template <class T>
Vectors<T>::Vectors(Part const& part, bool transposed, driver::Setting const& setting)
    : part_(part)
    , transposed_(transposed)
{
  if (part.down.ranks * part.across.ranks > 1)
    exchange_.emplace(setting.world, setting.gpu_aware);
}

template <class T>
void Vectors<T>::reset(Values const& values, T* x, T* y, T* pieces)
{
  index_t const in = transposed_ ? part_.my_rows() : part_.my_cols();
  auto const all = vector_of(x, in);
  verify::for_every(in, SetVector<decltype(all)>{
                            all, values, transposed_ ? part_.first_row() : part_.first_col(),
                            transposed_ ? 0 : part_.down.begin(in),
                            transposed_ ? in : part_.down.end(in)});
  spoil(y, transposed_ ? part_.my_cols() : part_.my_rows());
  if (mine().in_pieces)
    spoil(pieces, mine().count * part_.across.ranks);
  seconds_ = 0;
  steps_ = 0;
}

template <class T>
typename Vectors<T>::Mine Vectors<T>::mine() const
{
  if (transposed_) {
    index_t const first = part_.down.begin(part_.cols);
    return {first, part_.down.count(part_.cols), false, first};
  }
  index_t const rows = part_.my_rows();
  bool const in_pieces = part_.across.ranks > 1;
  return {part_.first_row() + part_.across.begin(rows), part_.across.count(rows), in_pieces, 0};
}

template <class T>
template <class F>
void Vectors<T>::timed(F const& communicate)
{
  if (!exchange_)
    return;
  Kokkos::fence(); // the product is not part of the communication's time
  auto const start = std::chrono::steady_clock::now();
  communicate();
  Kokkos::fence();
  seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

template <class T>
void Vectors<T>::gather(T* x)
{
  ++steps_;
  if (!transposed_ && part_.down.ranks > 1)
    timed([&] { gather_all(x); });
}

template <class T>
void Vectors<T>::gather_all(T* x)
{
  index_t const count = part_.my_cols();
  auto const& mine = part_.down;
  if constexpr (std::is_same_v<T, double>)
    if (part_.across.ranks == 1) {
      std::vector<index_t> counts;
      for (int r = 0; r < mine.ranks; ++r)
        counts.push_back(runtime::Share{r, mine.ranks}.count(count));
      exchange_->allgatherv(x + mine.begin(count), x, counts);
      return;
    }
  std::vector<runtime::Message> sends;
  std::vector<runtime::Message> receives;
  for (int r = 0; r < mine.ranks; ++r) {
    if (r == mine.rank)
      continue;
    runtime::Share const theirs{r, mine.ranks};
    int const rank = r * part_.across.ranks + part_.across.rank;
    sends.push_back(message(rank, x + mine.begin(count), mine.count(count)));
    receives.push_back(message(rank, x + theirs.begin(count), theirs.count(count)));
  }
  exchange_->exchange(sends, receives);
}

template <class T>
void Vectors<T>::combine(T* y, T* pieces)
{
  if constexpr (std::is_same_v<T, double>)
    if (transposed_)
      add_over_ranks(y, part_.cols);
  if (!transposed_ && part_.across.ranks > 1)
    timed([&] { fold(y, pieces); });
}

template <class T>
void Vectors<T>::add_over_ranks(T* y, index_t count)
  requires std::is_same_v<T, double>
{
  timed([&] { exchange_->allreduce_sum(y, count); });
}

template <class T>
void Vectors<T>::fold(T* y, T* pieces)
{
  index_t const rows = part_.my_rows();
  auto const& mine = part_.across;
  index_t const count = mine.count(rows);
  std::vector<runtime::Message> sends;
  std::vector<runtime::Message> receives;
  for (int c = 0; c < mine.ranks; ++c) {
    runtime::Share const theirs{c, mine.ranks};
    int const rank = part_.down.rank * mine.ranks + c;
    sends.push_back(message(rank, y + theirs.begin(rows), theirs.count(rows)));
    receives.push_back(message(rank, pieces + c * count, count));
  }
  exchange_->exchange(sends, receives);
  using Pieces = Span<T const, Dynamic<2>, LayoutLeft>;
  Pieces const partial(pieces, typename Pieces::mapping_type(Dynamic<2>(count, mine.ranks)));
  auto const sums = vector_of(pieces, count);
  for_each(count, SumParts<Pieces, decltype(sums)>{partial, sums});
}

template <class T>
std::vector<report::Phase> Vectors<T>::phases() const
{
  if (!exchange_)
    return {};
  return {{"communication", seconds_ / (steps_ > 0 ? steps_ : 1)}};
}

template class Vectors<double>;
template class Vectors<float>;

} // namespace strata::matvec
