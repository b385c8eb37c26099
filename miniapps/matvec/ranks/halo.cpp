#include "halo.hpp"

#include "array/launch/for_each.hpp"
#include "verify/every.hpp"

#include <chrono>
#include <cmath>
#include <cstddef>

namespace strata::matvec {

namespace {

struct SetOwn
{
  static constexpr char const* name() { return "strata::matvec::SetOwn"; }
  double* x;
  Values values;
  Box grid, own, reached;

  KOKKOS_FUNCTION void operator()(index_t i) const
  {
    auto const point = reached.point(i);
    x[i] = own.holds(point) ? values.vector(grid.number(point)) : static_cast<double>(NAN);
  }
};

struct SetPlaces
{
  static constexpr char const* name() { return "strata::matvec::SetPlaces"; }
  std::int32_t* places;
  Box points, reached;

  KOKKOS_FUNCTION void operator()(index_t i) const
  {
    places[i] = static_cast<std::int32_t>(reached.number(points.point(i)));
  }
};

template <bool ToX>
struct Move
{
  static constexpr char const* name() { return "strata::matvec::Move"; }
  double* x;
  std::int32_t const* places;
  double* values;

  KOKKOS_FUNCTION void operator()(index_t i) const
  {
    if constexpr (ToX)
      x[places[i]] = values[i];
    else
      values[i] = x[places[i]];
  }
};

} // namespace

Halo::Halo(GridPart const& part, driver::Setting const& setting)
    : part_(part)
{
  auto const& share = setting.share;
  if (share.ranks == 1)
    return;
  exchange_.emplace(setting.world, setting.gpu_aware);
  std::vector<Piece> out;
  std::vector<Piece> in;
  for (int const rank : part.neighbours(share)) {
    GridPart const theirs(part.stencil, {rank, share.ranks});
    out.push_back({rank, common(part.own, theirs.reached)});
    in.push_back({rank, common(theirs.own, part.reached)});
  }
  sent_ = elements(out);
  received_ = elements(in);
}

Halo::Elements Halo::elements(std::vector<Piece> const& pieces) const
{
  index_t count = 0;
  for (auto const& piece : pieces)
    count += piece.points.count();
  Elements all{{"strata::matvec::Halo places", Dynamic<1>(count)},
               {"strata::matvec::Halo values", Dynamic<1>(count)},
               {}};
  index_t first = 0;
  for (auto const& piece : pieces) {
    index_t const mine = piece.points.count();
    for_each(mine, SetPlaces{all.places.data() + first, piece.points, part_.reached});
    all.messages.push_back(
        {piece.rank, all.values.data() + first, mine * static_cast<index_t>(sizeof(double))});
    first += mine;
  }
  Kokkos::fence();
  return all;
}

void Halo::reset(Values const& values, double* x)
{
  verify::for_every(part_.reached.count(),
                    SetOwn{x, values, part_.stencil.grid(), part_.own, part_.reached});
  seconds_ = 0;
  steps_ = 0;
}

void Halo::gather(double* x)
{
  if (!exchange_)
    return;
  ++steps_;
  Kokkos::fence(); // the product before is not part of the communication's time
  auto const start = std::chrono::steady_clock::now();
  for_each(sent_.places.size(), Move<false>{x, sent_.places.data(), sent_.values.data()});
  exchange_->exchange(sent_.messages, received_.messages);
  for_each(received_.places.size(),
           Move<true>{x, received_.places.data(), received_.values.data()});
  Kokkos::fence();
  seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::vector<report::Phase> Halo::phases() const
{
  if (!exchange_)
    return {};
  return {{"communication", seconds_ / (steps_ > 0 ? steps_ : 1)}};
}

} // namespace strata::matvec
