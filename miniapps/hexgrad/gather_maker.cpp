#include "element_trial.hpp"

#include "driver/axis.hpp"

namespace strata::hexgrad {

namespace {

/// The nodes of the brick that this rank's elements use: whole planes.
struct NodeRange
{
  index_t first;
  index_t count;

  explicit NodeRange(Problem const& problem)
  {
    index_t const plane = (problem.mesh.edge + 1) * (problem.mesh.edge + 1);
    index_t const layer = problem.mesh.edge * problem.mesh.edge;
    first = problem.first / layer * plane;
    count = ((problem.first + problem.count - 1) / layer + 2) * plane - first;
  }
};

template <class Nodes>
struct SetNodes
{
  static constexpr char const* name() { return "strata::hexgrad::SetNodes"; }
  Nodes values;
  Mesh mesh;
  index_t first;

  KOKKOS_FUNCTION void operator()(index_t node) const
  {
    for (int d = 0; d < dims; ++d)
      values(node, d) = mesh.node_coordinate(first + node, d);
  }
};

template <class Connectivity>
struct SetConnectivity
{
  static constexpr char const* name() { return "strata::hexgrad::SetConnectivity"; }
  Connectivity connectivity;
  Mesh mesh;
  index_t first_element;
  index_t first_node;

  KOKKOS_FUNCTION void operator()(index_t e) const
  {
    for (int n = 0; n < nodes; ++n)
      connectivity(e, n) =
          static_cast<std::int32_t>(mesh.node_number(first_element + e, n) - first_node);
  }
};

using Base = ElementTrial<double, double, LayoutBest>;

/// Coordinates are stored per node and read through connectivity; gradients are as in the other
/// kernel. Counted traffic has every node once, though eight elements read it.
class GatherTrial final : public Base
{
  using Nodes = Array<double, Extents<index_t, dyn, dims>, LayoutBest>;
  using Connectivity = Array<std::int32_t, Extents<index_t, dyn, nodes>, LayoutBest>;

public:
  GatherTrial(Problem const& problem, driver::Workspace& workspace)
      : Base(problem, nullptr, workspace)
      , nodes_("strata::hexgrad::nodes", Nodes::extents_type(NodeRange(problem).count))
      , connectivity_("strata::hexgrad::connectivity",
                      Connectivity::extents_type(problem.count))
  {
    NodeRange const range(problem);
    auto const coordinates = nodes_.write();
    verify::for_every(range.count,
                      SetNodes<decltype(coordinates)>{coordinates, problem.mesh, range.first});
    auto const numbers = connectivity_.write();
    verify::for_every(problem.count, SetConnectivity<decltype(numbers)>{
                                         numbers, problem.mesh, problem.first, range.first});
  }

  static index_t private_bytes(Problem const& problem)
  {
    NodeRange const range(problem);
    return Nodes::bytes_for(Nodes::mapping_type(Nodes::extents_type(range.count))) +
           Connectivity::bytes_for(
               Connectivity::mapping_type(Connectivity::extents_type(problem.count)));
  }

private:
  [[nodiscard]] auto kernel() const
  {
    auto const in = nodes_.read();
    auto const through = connectivity_.read();
    auto const out = fields().gradients.write();
    return GatherGradient<decltype(in), decltype(through), decltype(out)>{in, through, out};
  }

public:
  void step() override { for_each(problem().count, kernel()); }
  [[nodiscard]] measure::Work work() const override
  {
    return work::of(kernel(), problem().count);
  }

private:
  Nodes nodes_;
  Connectivity connectivity_;
};

} // namespace

driver::Maker gather_maker(Choice const& choice, Problem const& problem)
{
  if (problem.mesh.kind != MeshKind::brick || choice.variant != "span" ||
      choice.layout != driver::word_of<LayoutBest>() || choice.scalar != "double-double" ||
      choice.extents != "static" || choice.access != driver::word_of<AccessDefault>())
    return {};
  return [problem](driver::Workspace& workspace) -> std::unique_ptr<driver::Trial> {
    return std::make_unique<GatherTrial>(problem, workspace);
  };
}

index_t gather_bytes(Problem const& problem)
{
  return GatherTrial::private_bytes(problem);
}

} // namespace strata::hexgrad
