#include "native.hpp"

#include "array/access/narrow_lanes.hpp"
#include "base/cuda/sum.hpp"
#include "base/past_caches.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace strata::stream::native {

namespace {

// An element's arithmetic, also on vectors of elements.

template <class T>
struct Set
{
  T s;
  KOKKOS_FUNCTION T operator()() const { return s; }
};
struct Copy
{
  template <class V>
  KOKKOS_FUNCTION V operator()(V x) const
  {
    return x;
  }
};
template <class T>
struct Scale
{
  T s;
  template <class V>
  KOKKOS_FUNCTION V operator()(V x) const
  {
    return s * x;
  }
};
struct Add
{
  template <class V>
  KOKKOS_FUNCTION V operator()(V x, V y) const
  {
    return x + y;
  }
};
template <class T>
struct Triad
{
  T s;
  template <class V>
  KOKKOS_FUNCTION V operator()(V x, V y) const
  {
    return x + s * y;
  }
};
template <class T>
struct Nstream
{
  T s;
  template <class V>
  KOKKOS_FUNCTION V operator()(V x, V y, V z) const
  {
    return x + (y + s * z);
  }
};

#if defined(KOKKOS_ENABLE_CUDA)

using nvidia::launch_sum;
using nvidia::Wide;

constexpr int block = nvidia::sum_block;

template <Stores How, class T>
__device__ Wide<T> loaded(Wide<T> const* from)
{
  if constexpr (How == Stores::plain)
    return *from;
  else {
    int4 const words = __ldcs(reinterpret_cast<int4 const*>(from));
    return *reinterpret_cast<Wide<T> const*>(&words);
  }
}
template <Stores How, class T>
__device__ void store(Wide<T>* to, Wide<T> const& value)
{
  if constexpr (How == Stores::plain)
    *to = value;
  else
    __stcs(reinterpret_cast<int4*>(to), *reinterpret_cast<int4 const*>(&value));
}

/// Vectors of a thread, a block apart: two where nothing is read, since the rate at which
/// blocks start would limit it.
template <class... In>
constexpr int vectors_of_thread = sizeof...(In) == 0 ? 2 : 1;

/// out[i] = f(in[i]...), 16 bytes at a time; the last elements one by one.
template <Stores How, class T, class F, class... In>
__global__ void elementwise(T* out, index_t n, F f, In const*... in)
{
  nvidia::await_last_launch();
  constexpr int width = Wide<T>::width;
  constexpr int each = vectors_of_thread<In...>;
  index_t const first = blockIdx.x * static_cast<index_t>(each * block) + threadIdx.x;
  index_t const whole = n / width;
#pragma unroll
  for (int v = 0; v < each; ++v) {
    index_t const i = first + v * block;
    if (i >= whole)
      break;
    Wide<T> result;
    [&](auto const... wide) {
#pragma unroll
      for (int w = 0; w < width; ++w)
        result.lane[w] = f(wide.lane[w]...);
    }(loaded<How>(reinterpret_cast<Wide<T> const*>(in) + i)...);
    store<How>(reinterpret_cast<Wide<T>*>(out) + i, result);
  }
  if (first < n - whole * width)
    out[whole * width + first] = f(in[whole * width + first]...);
}

template <Stores How, class T, class F, class... In>
void launch(T* out, index_t n, F f, In const*... in)
{
  constexpr index_t of_block = vectors_of_thread<In...> * block;
  index_t const items = n / Wide<T>::width + 1;
  nvidia::launch_early(elementwise<How, T, F, In...>,
                       static_cast<unsigned>((items + of_block - 1) / of_block), block, 0,
                       nvidia::stream(), out, n, f, in...);
}

#else

/// W elements as what is computed with them.
template <int W, class T>
struct Computed
{
  // NOLINTNEXTLINE(modernize-use-using): an alias ignores an attribute that depends on T
  typedef computed_t<T> type __attribute__((vector_size(W * sizeof(computed_t<T>))));

  static type loaded(T const* from)
  {
    type value;
    if constexpr (is_narrow<T>) {
      typename strata::detail::NarrowLanes<W>::Narrow stored;
      std::memcpy(&stored, from, sizeof(stored));
      strata::detail::widen<W>(typename T::format(), stored, value);
    } else
      std::memcpy(&value, from, sizeof(value));
    return value;
  }
};

/// A vector register of what is computed with elements of T.
template <class T>
struct Vector
{
  static constexpr int width = register_bytes / static_cast<int>(sizeof(computed_t<T>));
  using type = typename Computed<width, T>::type;

  static void store(T* to, type const& value)
  {
    if constexpr (is_narrow<T>) {
      typename strata::detail::NarrowLanes<width>::Narrow stored;
      strata::detail::round<width>(typename T::format(), value, stored);
      std::memcpy(static_cast<void*>(to), &stored, sizeof(stored));
    } else
      std::memcpy(to, &value, sizeof(value));
  }
  /// f(in[i]...) of the next elements.
  template <class F>
  static type computed(F f, index_t i, auto const*... in)
  {
    if constexpr (sizeof...(in) > 0)
      return f(Computed<width, T>::loaded(in + i)...);
    else
      return type{} + f();
  }
};

/// out[i] = f(in[i]...)
template <class T, class F, class... In>
void store_plainly(T* out, index_t n, F f, In const*... in)
{
#if defined(KOKKOS_ENABLE_OPENMP)
#pragma omp parallel for simd schedule(static)
#endif
  for (index_t i = 0; i < n; ++i)
    out[i] = f(in[i]...);
}
/// By registers, since GCC 12 does not make vector conversions of single ones.
template <class T, class F, class... In>
  requires is_narrow<T>
void store_plainly(T* out, index_t n, F f, In const*... in)
{
  using V = Vector<T>;
  index_t const whole = n / V::width * V::width;
#if defined(KOKKOS_ENABLE_OPENMP)
#pragma omp parallel for schedule(static)
#endif
  for (index_t i = 0; i < whole; i += V::width)
    V::store(out + i, V::computed(f, i, in...));
  for (index_t i = whole; i < n; ++i)
    out[i] = f(in[i]...);
}

/// The same by whole cache lines, past the caches where that is known; what is before the first
/// line and behind the last one plainly.
template <class T, class F, class... In>
void store_streaming(T* out, index_t n, F f, In const*... in)
{
  using V = Vector<T>;
  constexpr index_t line_bytes = 64;
  constexpr index_t width = register_bytes / sizeof(T);
  constexpr index_t line = line_bytes / sizeof(T);
  auto const behind =
      static_cast<index_t>(reinterpret_cast<std::uintptr_t>(out) % line_bytes / sizeof(T));
  index_t const head = std::min((line - behind) % line, n);
  index_t const lines = (n - head) / line;
#if defined(KOKKOS_ENABLE_OPENMP)
#pragma omp parallel
#endif
  {
#if defined(KOKKOS_ENABLE_OPENMP)
#pragma omp for schedule(static) nowait
#endif
    for (index_t l = 0; l < lines; ++l)
      for (index_t i = head + l * line; i < head + (l + 1) * line; i += width) {
        T stored[width];
        for (index_t w = 0; w < width; w += V::width)
          V::store(stored + w, V::computed(f, i + w, in...));
        store_past_caches(out + i, stored);
      }
    publish_stores();
  }
  for (index_t i = 0; i < head; ++i)
    out[i] = f(in[i]...);
  for (index_t i = head + lines * line; i < n; ++i)
    out[i] = f(in[i]...);
}

template <Stores How, class T, class F, class... In>
void launch(T* out, index_t n, F f, In const*... in)
{
  if constexpr (How == Stores::plain)
    store_plainly(out, n, f, in...);
  else
    store_streaming(out, n, f, in...);
}

/// A vector register of doubles, from so many T.
template <class T>
typename Vector<double>::type doubles(T const* from)
{
  constexpr int width = Vector<double>::width;
  auto const value = Computed<width, T>::loaded(from);
  if constexpr (std::is_same_v<T, double>)
    return value;
  typename Vector<double>::type wide;
  for (int w = 0; w < width; ++w) // one instruction; GCC 12 makes two of a vector conversion
    wide[w] = static_cast<double>(value[w]);
  return wide;
}

/// *sum = Σ x[i] y[i], or Σ x[i]. Four sums at a time hide the latency of additions.
template <bool Product, class T>
void launch_sum(T const* x, T const* y, index_t n, double* sum)
{
  using V = typename Vector<double>::type;
  constexpr int chains = 4;
  constexpr int width = Vector<double>::width;
  constexpr index_t piece = chains * width;
  double total = 0;
#if defined(KOKKOS_ENABLE_OPENMP)
#pragma omp parallel reduction(+ : total)
#endif
  {
    V sums[chains] = {};
#if defined(KOKKOS_ENABLE_OPENMP)
#pragma omp for schedule(static) nowait
#endif
    for (index_t p = 0; p < n / piece; ++p)
#pragma GCC unroll 4
      for (int c = 0; c < chains; ++c) {
        index_t const i = p * piece + c * width;
        if constexpr (Product)
          sums[c] += doubles(x + i) * doubles(y + i);
        else
          sums[c] += doubles(x + i);
      }
    V const all = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    for (int w = 0; w < width; ++w)
      total += all[w];
  }
  for (index_t i = n / piece * piece; i < n; ++i)
    total += static_cast<double>(x[i]) * (Product ? static_cast<double>(y[i]) : 1.0);
  *sum = total;
}

#endif

template <Stores How, class T>
void launch_move(KernelId kernel, Fields<T> const& fields, computed_t<T> s)
{
  if (kernel == KernelId::set)
    launch<How>(fields.a, fields.n, Set<computed_t<T>>{s});
  else
    launch<How>(fields.c, fields.n, Copy{}, fields.a);
}

template <Stores How, class T>
void launch_kernel(KernelId kernel, Fields<T> const& fields, computed_t<T> s, double* sum)
{
  auto const [a, b, c, n] = fields;
  switch (kernel) {
  case KernelId::set:
  case KernelId::copy:
    return launch_move<How>(kernel, fields, s);
  case KernelId::scale:
    return launch<How>(b, n, Scale<computed_t<T>>{s}, c);
  case KernelId::add:
    return launch<How>(c, n, Add{}, a, b);
  case KernelId::triad:
    return launch<How>(a, n, Triad<computed_t<T>>{s}, b, c);
  case KernelId::nstream:
    return launch<How>(a, n, Nstream<computed_t<T>>{s}, a, b, c);
  case KernelId::dot:
    return launch_sum<true>(a, b, n, sum);
  case KernelId::read:
    return launch_sum<false>(a, a, n, sum);
  }
}

} // namespace

template <class T>
void move(KernelId kernel, Fields<T> const& fields, T s)
{
  launch_move<Stores::plain>(kernel, fields, s);
}

template <class T>
void run(KernelId kernel, Fields<T> const& fields, computed_t<T> s, double* sum, Stores stores)
{
  if (stores == Stores::plain)
    launch_kernel<Stores::plain>(kernel, fields, s, sum);
  else
    launch_kernel<Stores::streaming>(kernel, fields, s, sum);
}

template void move<bool>(KernelId, Fields<bool> const&, bool);
template void move<std::uint64_t>(KernelId, Fields<std::uint64_t> const&, std::uint64_t);
template void run<double>(KernelId, Fields<double> const&, double, double*, Stores);
template void run<float>(KernelId, Fields<float> const&, float, double*, Stores);
template void run<float16>(KernelId, Fields<float16> const&, float, double*, Stores);
template void run<bfloat16>(KernelId, Fields<bfloat16> const&, float, double*, Stores);

} // namespace strata::stream::native
