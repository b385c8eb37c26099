#include "matmul_trial.hpp"
#include "slots.hpp"

#include "array/launch/for_each.hpp"
#include "controls/vendor.hpp"
#include "matmul/device_tile.hpp"
#include "matmul/host_tile.hpp"
#include "matmul/launch_cuda_product.hpp"
#include "matmul/padded_lines.hpp"
#include "matmul/plain_product.hpp"
#include "verify/every.hpp"

#include <tuple>
#include <vector>

// C = A B: S5's plain loops over differently ordered factors, and a blocked product.

namespace strata::matvec {

namespace {

bool left_order(Choice const& choice, int factor)
{
  return choice.layout == "left" || (choice.layout == "cxf" && factor == 1);
}

std::vector<driver::Slot> matmul_slots(Choice const& choice, Problem const& problem)
{
  auto const [word, of_sum, narrow] = driver::with_scalar(choice.scalar, [&]<class T>() {
    return std::tuple<index_t, index_t, bool>(sizeof(T), sizeof(computed_t<T>), is_narrow<T>);
  });
  int const scalar = scalar_number(choice.scalar);
  index_t const order = problem.matmul_order;
  index_t const rows = problem.setting.share.count(order);
  // Factors with the same layout have the same elements at the same addresses in every case.
  std::vector<driver::Slot> slots{
      {MatmulSlot::left + 2 * scalar + (left_order(choice, 0) ? 1 : 0), rows * order * word},
      {MatmulSlot::right + 2 * scalar + (left_order(choice, 1) ? 1 : 0), order * order * word},
      {MatmulSlot::output + scalar, rows * order * of_sum}};
  bool const padded =
      narrow && device_is_cuda && choice.variant == "span" && choice.parallel == "auto";
  slots.push_back(
      {MatmulSlot::room,
       padded ? padded_elements<float16>(left_order(choice, 0), rows, order) * word : 0});
  return slots;
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
    using T = typename Matrix::value_type;
    matrix(i, j) = static_cast<computed_t<T>>(Second ? values.second(first + i, j)
                                                     : values.matrix(first + i, j));
  }
};

template <class T, class Layout>
auto matrix_at(T* data, index_t rows, index_t cols)
{
  using Matrix = Span<T, Dynamic<2>, Layout,
                      std::conditional_t<std::is_const_v<T>, AccessReadOnly, AccessDefault>>;
  return Matrix(data, typename Matrix::mapping_type(Dynamic<2>(rows, cols)));
}

template <class T, class Layout, bool Second>
void fill(T* data, index_t rows, index_t cols, Values const& values, index_t first)
{
  auto const matrix = matrix_at<T, Layout>(data, rows, cols);
  verify::for_every<Layout>(
      matrix.extents(),
      FillFactor<std::remove_const_t<decltype(matrix)>, Second>{matrix, values, first});
}

/// Calls f(A, B, C) with the operands' spans.
template <class First, class Second, class T, class F>
auto with_spans(Factors<T> const& o, F const& f)
{
  return f(matrix_at<T const, First>(o.a, o.rows, o.order),
           matrix_at<T const, Second>(o.b, o.order, o.order),
           matrix_at<computed_t<T>, First>(o.c, o.rows, o.order));
}

template <class First, class Second, class T>
char const* launch_plain(Factors<T> const& o)
{
  return with_spans<First, Second>(o, [](auto const& a, auto const& b, auto const& c) {
    using Kernel =
        PlainProduct<std::remove_cvref_t<decltype(a)>, std::remove_cvref_t<decltype(b)>,
                     std::remove_cvref_t<decltype(c)>>;
    for_each(in_order_of<std::conditional_t<device_is_host, LayoutRight, First>>(c.extents()),
             Kernel{a, b, c});
    return Kernel::name();
  });
}

template <class First, class Second, class T>
char const* launch_tiles(Factors<T> const& o)
{
  return with_spans<First, Second>(o, [&](auto const& a, auto const& b, auto const& c) {
    using A = std::remove_cvref_t<decltype(a)>;
    using B = std::remove_cvref_t<decltype(b)>;
    using C = std::remove_cvref_t<decltype(c)>;
    if constexpr (device_is_host) {
      HostTile<T, y_along_k<B, C>> const kernel(operands_of(a, b, c), Device().concurrency());
      for_each_team<1>(kernel.tiles(), kernel);
      return kernel.name();
    } else {
#if defined(KOKKOS_ENABLE_CUDA)
      if (char const* const name = launch_cuda_product(a, b, c, o.room))
        return name;
#endif
      DeviceTile<A, B, C> const kernel{a, b, c};
      for_each_team<DeviceTile<A, B, C>::members>(kernel.tiles(), kernel);
      return kernel.name();
    }
  });
}

template <class First, class Second, class T>
char const* launch_vendor(Factors<T> const& o)
{
  constexpr bool first = std::is_same_v<First, LayoutLeft>;
  vendor::gemm(first, std::is_same_v<Second, LayoutLeft>, first, o.rows, o.order, o.a, o.b,
               o.c);
  return nullptr;
}

template <class T, class First, class Second>
MatmulLaunch<T> launch_of(Choice const& choice)
{
  if (choice.variant == "vendor") {
    if constexpr (vendor::multiplies<T>)
      return choice.parallel == "auto" ? &launch_vendor<First, Second, T> : nullptr;
    return nullptr;
  }
  if (choice.variant != "span")
    return nullptr;
  return choice.parallel == "row"    ? &launch_plain<First, Second, T>
         : choice.parallel == "auto" ? &launch_tiles<First, Second, T>
                                     : nullptr;
}

template <class T>
MatmulLaunch<T> launch_of_layout(Choice const& choice)
{
  if (choice.layout == "right")
    return launch_of<T, LayoutRight, LayoutRight>(choice);
  if (choice.layout == "left")
    return launch_of<T, LayoutLeft, LayoutLeft>(choice);
  return choice.layout == "cxf" ? launch_of<T, LayoutRight, LayoutLeft>(choice) : nullptr;
}

} // namespace

template <class T>
void fill_factors(Choice const& choice, Factors<T> const& o, Values const& values,
                  index_t first)
{
  (left_order(choice, 0) ? &fill<T, LayoutLeft, false>
                         : &fill<T, LayoutRight, false>)(o.a, o.rows, o.order, values, first);
  (left_order(choice, 1) ? &fill<T, LayoutLeft, true>
                         : &fill<T, LayoutRight, true>)(o.b, o.order, o.order, values, 0);
}
template void fill_factors(Choice const&, Factors<double> const&, Values const&, index_t);
template void fill_factors(Choice const&, Factors<float> const&, Values const&, index_t);
template void fill_factors(Choice const&, Factors<float16> const&, Values const&, index_t);
template void fill_factors(Choice const&, Factors<bfloat16> const&, Values const&, index_t);

driver::Maker matmul_maker(Choice const& choice, Problem const& problem)
{
  if (choice.variant == "vector_of_vectors")
    return choice.parallel == "row" && choice.layout == "right" && choice.scalar == "double"
               ? nested_matmul_maker(problem)
               : driver::Maker();
  return driver::with_scalar(choice.scalar, [&]<class T>() -> driver::Maker {
    auto const launch = launch_of_layout<T>(choice);
    if (launch == nullptr)
      return {};
    return [choice, problem, launch](driver::Workspace& workspace) {
      return make_matmul_trial(choice, problem, launch, matmul_slots(choice, problem),
                               workspace);
    };
  });
}

report::Facts matmul_facts(Choice const&, Problem const& problem)
{
  return {{"order", std::to_string(problem.matmul_order)}};
}

void matmul_memory(Choice const& choice, Problem const& problem, driver::Case& made)
{
  if (choice.variant == "vector_of_vectors")
    for (auto const& slot : matmul_slots(choice, problem))
      made.private_bytes += slot.bytes;
  else
    made.slots = matmul_slots(choice, problem);
  if (problem.matmul_order < problem.setting.share.ranks && made.unavailable.empty())
    made.unavailable = "fewer rows than ranks; raise problem.matmul_order";
}

} // namespace strata::matvec
