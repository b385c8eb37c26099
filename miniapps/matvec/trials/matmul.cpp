#include "matmul_trial.hpp"

#include "array/launch/for_each.hpp"
#include "controls/vendor.hpp"
#include "matmul/device_tile.hpp"
#include "matmul/host_tile.hpp"
#include "matmul/launch_tensor_product.hpp"
#include "matmul/plain_product.hpp"
#include "verify/every.hpp"

#include <algorithm>
#include <array>

// C = A B: S5's plain loops over differently ordered factors, and a blocked product.

namespace strata::matvec {

namespace {

enum SlotNumber : int
{
  slot_left = 80,
  slot_right = 82,
  slot_output = 84
};

bool left_order(Choice const& choice, int factor)
{
  return choice.layout == "left" || (choice.layout == "cxf" && factor == 1);
}

std::vector<driver::Slot> slots_of(Choice const& choice, Problem const& problem)
{
  constexpr auto word = static_cast<index_t>(sizeof(double));
  index_t const rows = problem.setting.share.count(problem.matmul_order);
  // Factors with the same layout have the same elements at the same addresses in every case.
  return {{slot_left + (left_order(choice, 0) ? 1 : 0), rows * problem.matmul_order * word},
          {slot_right + (left_order(choice, 1) ? 1 : 0),
           problem.matmul_order * problem.matmul_order * word},
          {slot_output, rows * problem.matmul_order * word}};
}

template <class Matrix, bool Second>
struct FillFactor
{
  static constexpr char const* name() { return "strata::matvec::FillFactor"; }
  Matrix matrix;
  Values values;
  index_t first;

  KOKKOS_FUNCTION void operator()(index_t i, index_t j) const
  {
    matrix(i, j) = Second ? values.second(first + i, j) : values.matrix(first + i, j);
  }
};

template <class T, class Layout>
auto matrix_at(T* data, index_t rows, index_t cols)
{
  using Matrix = Span<T, Dynamic<2>, Layout,
                      std::conditional_t<std::is_const_v<T>, AccessReadOnly, AccessDefault>>;
  return Matrix(data, typename Matrix::mapping_type(Dynamic<2>(rows, cols)));
}

template <class Layout, bool Second>
void fill(double* data, index_t rows, index_t cols, Values const& values, index_t first)
{
  auto const matrix = matrix_at<double, Layout>(data, rows, cols);
  verify::for_every<Layout>(
      matrix.extents(),
      FillFactor<std::remove_const_t<decltype(matrix)>, Second>{matrix, values, first});
}

/// Calls f(A, B, C) with the operands' spans.
template <class First, class Second, class F>
void with_spans(Factors const& o, F const& f)
{
  f(matrix_at<double const, First>(o.a, o.rows, o.order),
    matrix_at<double const, Second>(o.b, o.order, o.order),
    matrix_at<double, First>(o.c, o.rows, o.order));
}

template <class First, class Second>
void launch_plain(Factors const& o)
{
  with_spans<First, Second>(o, [](auto const& a, auto const& b, auto const& c) {
    for_each(in_order_of<std::conditional_t<device_is_host, LayoutRight, First>>(c.extents()),
             PlainProduct<std::remove_cvref_t<decltype(a)>, std::remove_cvref_t<decltype(b)>,
                          std::remove_cvref_t<decltype(c)>>{a, b, c});
  });
}

template <class First, class Second>
void launch_tiles(Factors const& o)
{
  with_spans<First, Second>(o, [](auto const& a, auto const& b, auto const& c) {
    using A = std::remove_cvref_t<decltype(a)>;
    using B = std::remove_cvref_t<decltype(b)>;
    using C = std::remove_cvref_t<decltype(c)>;
    if constexpr (device_is_host) {
      HostTile<double, y_along_k<B, C>> const kernel(operands_of(a, b, c),
                                                     Device().concurrency());
      for_each_team<1>(kernel.tiles(), kernel);
    } else {
#if defined(KOKKOS_ENABLE_CUDA)
      if (launch_tensor_product(a, b, c))
        return;
#endif
      DeviceTile<A, B, C> const kernel{a, b, c};
      for_each_team<DeviceTile<A, B, C>::members>(kernel.tiles(), kernel);
    }
  });
}

template <class First, class Second>
void launch_vendor(Factors const& o)
{
  constexpr bool first = std::is_same_v<First, LayoutLeft>;
  vendor::gemm(first, std::is_same_v<Second, LayoutLeft>, first, o.rows, o.order, o.a, o.b,
               o.c);
}

template <class First, class Second>
MatmulLaunch launch_of(Choice const& choice)
{
  if (choice.variant == "vendor")
    return choice.parallel == "auto" ? &launch_vendor<First, Second> : nullptr;
  if (choice.variant != "span")
    return nullptr;
  return choice.parallel == "row"    ? &launch_plain<First, Second>
         : choice.parallel == "auto" ? &launch_tiles<First, Second>
                                     : nullptr;
}

MatmulLaunch launch_of_layout(Choice const& choice)
{
  if (choice.layout == "right")
    return launch_of<LayoutRight, LayoutRight>(choice);
  if (choice.layout == "left")
    return launch_of<LayoutLeft, LayoutLeft>(choice);
  return choice.layout == "cxf" ? launch_of<LayoutRight, LayoutLeft>(choice) : nullptr;
}

} // namespace

void fill_factors(Choice const& choice, Factors const& o, Values const& values, index_t first)
{
  (left_order(choice, 0) ? &fill<LayoutLeft, false>
                         : &fill<LayoutRight, false>)(o.a, o.rows, o.order, values, first);
  (left_order(choice, 1) ? &fill<LayoutLeft, true>
                         : &fill<LayoutRight, true>)(o.b, o.order, o.order, values, 0);
}

driver::Maker matmul_maker(Choice const& choice, Problem const& problem)
{
  if (choice.variant == "vector_of_vectors")
    return choice.parallel == "row" && choice.layout == "right" ? nested_matmul_maker(problem)
                                                                : driver::Maker();
  auto const launch = launch_of_layout(choice);
  if (launch == nullptr)
    return {};
  return [choice, problem, launch](driver::Workspace& workspace) {
    return make_matmul_trial(choice, problem, launch, slots_of(choice, problem), workspace);
  };
}

report::Facts matmul_facts(Choice const&, Problem const& problem)
{
  return {{"order", std::to_string(problem.matmul_order)}};
}

void matmul_memory(Choice const& choice, Problem const& problem, driver::Case& made)
{
  if (choice.variant == "vector_of_vectors")
    for (auto const& slot : slots_of(choice, problem))
      made.private_bytes += slot.bytes;
  else
    made.slots = slots_of(choice, problem);
  if (problem.matmul_order < problem.setting.share.ranks && made.unavailable.empty())
    made.unavailable = "fewer rows than ranks; raise problem.matmul_order";
}

} // namespace strata::matvec
