#include "tile_factor.hpp"
#include "trial.hpp"

namespace strata::mgs {

namespace {

/// Passes over tiles of spans; the small matrices stay on the device, and on one rank the host
/// waits for nothing.
template <class Layout>
class TileLaunches : public ByTiles
{
public:
  TileLaunches(Fields<Layout> const& fields, index_t all_rows)
      : a_(fields.a.write())
      , rows_(fields.rows)
      , all_rows_(all_rows)
      , factor_(fields.factor)
      , ranks_(fields.ranks)
      , numbers_("strata::mgs::tiles", Dynamic<1>(size()))
  {
  }

  void pass(TilePass const& pass) override
  {
    if (pass.repeats && !ranks_.alone() && !shifted())
      return;
    auto const memory = this->memory();
    TileKernel<Out> const kernel(a_, rows_, pass, memory);
    int const teams = TileShape::teams(kernel.tiles());
    Kokkos::parallel_for(kernel.name(), policy(teams, TileShape::team, kernel.scratch_bytes()),
                         kernel);
    index_t const count = pass.left.count * pass.right.count;
    if (count == 0)
      return;
    for_each(count, AddPartials{memory, count, teams, pass.repeats});
    if (!pass.repeats || !ranks_.alone())
      ranks_.sum(memory.products, count);
  }

  void factor(TileFactor const& factor) override
  {
    TileFactorKernel const kernel{factor, memory(), factor_.r(0), factor_.pitch(),
                                  static_cast<double>(all_rows_)};
    int const team = device_is_host ? 1 : 256;
    Kokkos::parallel_for(TileFactorKernel::name(),
                         policy(1, team, TileFactorKernel::scratch_bytes()), kernel);
  }

private:
  using Out = Span<double, Dynamic<2>, Layout>;
  static constexpr index_t square = most_tile_columns * most_tile_columns;

  static auto policy(int teams, int size, std::size_t scratch)
  {
    return Kokkos::TeamPolicy<Device>(teams, size)
        .set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(scratch)));
  }
  [[nodiscard]] index_t size() const
  {
    index_t const tiles = (rows_ + TileShape::rows - 1) / TileShape::rows;
    return square * (3 + TileShape::teams(tiles)) + most_tile_columns + 1;
  }
  [[nodiscard]] TileMemory memory() const
  {
    double* const at = numbers_.data();
    return {at,
            at + 3 * square,
            at + square,
            at + 2 * square,
            at + 3 * square + most_tile_columns + 1,
            at + 3 * square + most_tile_columns,
            most_tile_columns};
  }
  /// Waits for the device, as the sum that follows would.
  [[nodiscard]] bool shifted() const
  {
    double value = 0;
    Kokkos::deep_copy(
        value, Kokkos::View<double, DeviceSpace, Kokkos::MemoryUnmanaged>(memory().shifted));
    return value != 0;
  }

  Out a_;
  index_t rows_;
  index_t all_rows_;
  Factor const& factor_;
  OverRanks& ranks_;
  Array<double, Dynamic<1>, LayoutRight> numbers_;
};

} // namespace

driver::Maker tile_maker(Choice const& choice, Problem const& problem)
{
  auto const by_tiles = algorithm(choice.algorithm).by_tiles;
  if (by_tiles == nullptr || choice.results != "device")
    return {};
  driver::Maker made;
  SpanLayouts::for_each([&]<class Layout>() {
    if (choice.layout == Layout::name())
      made = maker<Layout>(
          choice, problem,
          [by_tiles, rows = problem.matrix.rows](Fields<Layout> const& fields) -> Step {
            auto const launches = std::make_shared<TileLaunches<Layout>>(fields, rows);
            return [by_tiles, launches, columns = fields.factor.columns()] {
              by_tiles(*launches, columns);
            };
          });
  });
  return made;
}

} // namespace strata::mgs
