#pragma once

#include "for_each.hpp"
#include "reduce.hpp"
#include "walk.hpp"

#include "../../base/kokkos.hpp"

#include <concepts>
#include <string>
#include <tuple>
#include <type_traits>

namespace strata {

// Launches of a lambda (KOKKOS_LAMBDA) or functor under a label:
//   for_each("fill", a.extents(), KOKKOS_LAMBDA(int i, int j) { ... });
//   double total = reduce("sum", a.extents(), KOKKOS_LAMBDA(int i, int j, double& sum) { ...
//   });
// They visit `domain`: extents, in the order of the device's own layout; a number of work
// items; or a Walk, for another order, as in_order_of<LayoutLeft>(a.extents()).

namespace detail {

template <class Domain>
auto walk_over(Domain const& domain)
{
  if constexpr (std::is_integral_v<Domain>)
    return in_order_of<LayoutRight>(Dynamic<1>(domain));
  else if constexpr (requires { domain.runs(); })
    return domain;
  else
    return in_order_of<LayoutDefault>(domain);
}

/// f(indices...) as a kernel.
template <class F>
struct Call
{
  char const* label; ///< read as it is launched
  F f;

  template <class... I>
  KOKKOS_FUNCTION void operator()(I... i) const
  {
    f(i...);
  }
};

/// A sum that F starts and joins.
template <class F>
struct JoinedBy
{
  typename F::value_type value;

  KOKKOS_FUNCTION JoinedBy() { F::init(value); }
  KOKKOS_FUNCTION JoinedBy& operator+=(JoinedBy const& other)
  {
    F::join(value, other.value);
    return *this;
  }
};

template <class F>
concept JoinsItself = requires(typename F::value_type& value) {
  F::init(value);
  F::join(value, value);
};

/// One value in memory, seen as the sum that F joins there: JoinedBy has it as its only member,
/// at its own address. Only of memory that launches reach: a span of the host's alone has
/// another accessor.
template <JoinsItself F, class E, class Layout>
Span<JoinedBy<F>, Extents<index_t>, LayoutRight>
joined_in(Span<typename F::value_type, E, Layout> const& result)
{
  static_assert(E::rank() == 0, "the result of a reduction has no indices");
  static_assert(sizeof(JoinedBy<F>) == sizeof(typename F::value_type) &&
                alignof(JoinedBy<F>) == alignof(typename F::value_type));
  using One = Span<JoinedBy<F>, Extents<index_t>, LayoutRight>;
  return One(reinterpret_cast<JoinedBy<F>*>(result.data_handle()), typename One::mapping_type(),
             result.label());
}

template <class Function>
struct LastParameter;
template <class Result, class F, class... P>
struct LastParameter<Result (F::*)(P...) const>
{
  using type = std::tuple_element_t<sizeof...(P) - 1, std::tuple<P...>>;
};
template <class Result, class F, class... P>
struct LastParameter<Result (F::*)(P...) const noexcept>
    : LastParameter<Result (F::*)(P...) const>
{
};

/// The type of what f(indices..., value) adds to.
template <class F>
struct Summed
{
  static_assert(
      requires { &F::operator(); },
      "a reduction takes a lambda or functor with one call operator, whose last "
      "parameter is the sum: (int i, int j, double& sum)");
  using Reference = typename LastParameter<decltype(&F::operator())>::type;
  static_assert(std::is_lvalue_reference_v<Reference> &&
                    !std::is_const_v<std::remove_reference_t<Reference>>,
                "the last parameter of a reduction's lambda is the sum, by reference: "
                "(int i, int j, double& sum)");
  using type = std::remove_reference_t<Reference>;
};
template <JoinsItself F>
struct Summed<F>
{
  using type = JoinedBy<F>;
};

/// f(indices..., sum) as a kernel.
template <class F>
struct AddingCall
{
  char const* label;
  F f;

  template <class Sum, class... I>
  KOKKOS_FUNCTION void operator()(Sum& sum, I... i) const
  {
    if constexpr (JoinsItself<F>)
      f(i..., sum.value);
    else
      f(i..., sum);
  }
};

} // namespace detail

/// Calls f(indices...) for every multi-index of `domain`, in parallel on Execution; returns
/// before the launch has finished. Source: S1 section IV (parallel_for).
template <class Execution = Device, class Domain, class F>
void for_each(std::string const& label, Domain const& domain, F const& f)
{
  for_each<Execution>(detail::walk_over(domain), detail::Call<F>{label.c_str(), f});
}

/// Returns the sum of what f(indices..., sum) adds over `domain`; waits for the launch. The sum
/// has any type with Sum{} as zero and +=; or f is a functor with a value_type and static
/// functions init(value&) and join(value&, other). Source: S1 section IV.A and Fig 4
/// (parallel_reduce).
template <class Execution = Device, class Domain, class F>
auto reduce(std::string const& label, Domain const& domain, F const& f)
{
  using Sum = typename detail::Summed<F>::type;
  auto const sum = reduced<Sum, Execution>(detail::walk_over(domain),
                                           detail::AddingCall<F>{label.c_str(), f});
  if constexpr (detail::JoinsItself<F>)
    return sum.value;
  else
    return sum;
}

/// What a reduction finds the greatest of: `most += x` keeps the greater one.
///   auto const most = reduce("most", n, KOKKOS_LAMBDA(int i, Maximum<double>& most) {
///     most += x(i);
///   }).value;
template <class T>
struct Maximum
{
  T value = Kokkos::reduction_identity<T>::max();

  KOKKOS_DEFAULTED_FUNCTION Maximum() = default;
  KOKKOS_FUNCTION Maximum(T x)
      : value(x)
  {
  }
  KOKKOS_FUNCTION Maximum& operator+=(Maximum const& other)
  {
    value = value < other.value ? other.value : value;
    return *this;
  }
};
/// The same of the least.
template <class T>
struct Minimum
{
  T value = Kokkos::reduction_identity<T>::min();

  KOKKOS_DEFAULTED_FUNCTION Minimum() = default;
  KOKKOS_FUNCTION Minimum(T x)
      : value(x)
  {
  }
  KOKKOS_FUNCTION Minimum& operator+=(Minimum const& other)
  {
    value = other.value < value ? other.value : value;
    return *this;
  }
};

/// The same into an array without indices, or a span of one, in the device's memory, where the
/// next launch reads it: returns before the launch has finished. Its element is the sum's type,
/// or the value_type of a functor that joins itself. Source: S1 (ValueView).
template <class Execution = Device, class Domain, class F, class Result>
void reduce(std::string const& label, Domain const& domain, F const& f, Result const& result)
{
  static_assert(
      requires { result.extents(); },
      "what follows the lambda is an array or span without indices, for a sum that stays on "
      "the device; for a maximum the lambda's last parameter is a Maximum<T>&");
  auto const walk = detail::walk_over(domain);
  detail::AddingCall<F> const kernel{label.c_str(), f};
  if constexpr (!detail::JoinsItself<F>)
    reduce<Execution>(walk, kernel, result);
  else if constexpr (requires { result.write(); })
    reduce<Execution>(walk, kernel, detail::joined_in<F>(result.write()));
  else
    reduce<Execution>(walk, kernel, detail::joined_in<F>(result));
}

} // namespace strata
