#include "population.hpp"

#include "array/launch/for_each.hpp"
#include "array/launch/reduce.hpp"

#include <cmath>

// How a population moves, and how far it has.

namespace strata::contact {

namespace {

struct Move
{
  static constexpr char const* name() { return "strata::contact::Move"; }
  double const* start[3];
  double const* velocity[3];
  double const* after[3];
  std::int32_t const* breaks;
  index_t const* gid;
  index_t const* group;
  double* at[3];
  index_t* body;
  index_t rows;
  double low[3], high[3];
  Bounds::Kind kind;
  std::int64_t step;

  KOKKOS_FUNCTION void operator()(index_t i) const
  {
    bool const broken = step >= breaks[i];
    auto const before = static_cast<double>(broken ? breaks[i] : step);
    double const later = static_cast<double>(step) - before;
    for (int k = 0; k < 3; ++k)
      at[k][i] = in_bounds(start[k][i] + velocity[k][i] * before + after[k][i] * later, kind,
                           low[k], high[k]);
    body[i] = broken ? 2 * gid[i] + 1 : i < rows ? 2 * group[i] : -1;
  }
};

/// The largest square of a way, and 1 where some object has come in at the other side.
struct Moves
{
  Largest square, wrapped;

  KOKKOS_FUNCTION Moves& operator+=(Moves const& other)
  {
    square += other.square;
    wrapped += other.wrapped;
    return *this;
  }
};

struct FarthestMove
{
  static constexpr char const* name() { return "strata::contact::FarthestMove"; }
  double const* from[3];
  double const* at[3];
  double edge[3]; ///< of a periodic box, else infinite

  KOKKOS_FUNCTION void operator()(Moves& moves, index_t i) const
  {
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
      double way = fabs(at[k][i] - from[k][i]);
      if (2 * way > edge[k]) {
        way = edge[k] - way;
        moves.wrapped += 1;
      }
      sum += way * way;
    }
    moves.square += sum;
  }
};

struct CopyPositions
{
  static constexpr char const* name() { return "strata::contact::CopyPositions"; }
  double const* at[3];
  double* to[3];

  KOKKOS_FUNCTION void operator()(index_t i) const
  {
    for (int k = 0; k < 3; ++k)
      to[k][i] = at[k][i];
  }
};

} // namespace

void Population::move_to(std::int64_t step)
{
  step_ = step;
  Move kernel{{},    {}, {}, breaks_.data(),     gid_.data(), group_.data(), {}, body_.data(),
              rows_, {}, {}, scene_.bounds.kind, step};
  for (std::size_t k = 0; k < 3; ++k) {
    kernel.start[k] = start_[k].data();
    kernel.velocity[k] = velocity_[k].data();
    kernel.after[k] = after_[k].data();
    kernel.at[k] = at_[k].data();
    kernel.low[k] = scene_.bounds.low[k];
    kernel.high[k] = scene_.bounds.high[k];
  }
  for_each(own_, kernel);
}

void Population::remember()
{
  CopyPositions kernel{};
  for (std::size_t k = 0; k < 3; ++k) {
    kernel.at[k] = at_[k].data();
    kernel.to[k] = last_[k].reserve(own_);
  }
  for_each(own_, kernel);
}

Population::Displacement Population::displacement() const
{
  FarthestMove kernel{};
  bool const wraps = scene_.bounds.kind == Bounds::Kind::periodic;
  for (std::size_t k = 0; k < 3; ++k) {
    kernel.at[k] = at_[k].data();
    kernel.from[k] = last_[k].data();
    kernel.edge[k] = wraps && static_cast<int>(k) < scene_.dim
                         ? scene_.bounds.high[k] - scene_.bounds.low[k]
                         : HUGE_VAL;
  }
  auto const mine = reduced<Moves>(in_order_of<LayoutRight>(Dynamic<1>(own_)), kernel);
  auto const all = world_.max(std::vector{mine.square.value, mine.wrapped.value});
  return {std::sqrt(all[0]), all[1] > 0};
}

} // namespace strata::contact
