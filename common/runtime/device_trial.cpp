#include "device_trial.hpp"

#include "base/error.hpp"
#include "base/kokkos.hpp"
#include "node/guard.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace strata::runtime {

namespace {

/// A small prime, so that it is no multiple of a team or a vector.
constexpr std::int64_t trial_size = 1009;

template <class T, class... Traits>
using Numbers = Kokkos::View<T*, Traits..., DeviceSpace>;
using Policy = Kokkos::RangePolicy<Device, Kokkos::IndexType<std::int64_t>>;

/// What a kernel sees of its arguments. The address comes first: no fault of what follows
/// changes where that is.
template <class View>
struct Look
{
  std::int64_t* seen;
  View view;
  std::int64_t last;

  KOKKOS_FUNCTION void operator()(std::int64_t) const
  {
    seen[0] = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(view.data()));
    seen[1] = static_cast<std::int64_t>(view.extent(0));
    seen[2] = last;
  }
};

struct Double
{
  Numbers<double const> from;
  Numbers<double> to;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const { to(i) = 2 * from(i); }
};

struct AddUp
{
  Numbers<double const> numbers;

  KOKKOS_FUNCTION void operator()(std::int64_t i, double& sum) const { sum += numbers(i); }
};

/// Compiled into text: what the run's reader has to change.
std::string versions()
{
  std::string text = "Kokkos " + kokkos_version();
#if defined(KOKKOS_ENABLE_CUDA)
  text += " with CUDA " + std::to_string(CUDART_VERSION / 1000) + "." +
          std::to_string(CUDART_VERSION / 10 % 100);
#endif
#if KOKKOS_VERSION >= 40600 && !defined(KOKKOS_ENABLE_IMPL_VIEW_LEGACY)
  text += " and the View on mdspan";
#endif
  return text;
}

constexpr char const* remedy = "; build Kokkos with Kokkos_ENABLE_IMPL_VIEW_LEGACY=ON or in "
                               "another version, or check the device's driver";

void require(bool right, std::string const& what)
{
  if (!right)
    throw Error(Exit::placement,
                versions() + " gets " + what + " wrong on this device" + remedy);
}

template <class View>
bool sees_arguments(View const& view)
{
  constexpr std::int64_t last = 0x5eed5eed;
  auto* const seen = static_cast<std::int64_t*>(
      Kokkos::kokkos_malloc<DeviceSpace>("strata::runtime::seen", 3 * sizeof(std::int64_t)));
  Kokkos::parallel_for("strata::runtime::Look", Policy(0, 1), Look<View>{seen, view, last});
  Kokkos::fence();
  std::vector<std::int64_t> host(3);
  using Kokkos::MemoryUnmanaged;
  Kokkos::deep_copy(Kokkos::View<std::int64_t*, HostSpace, MemoryUnmanaged>(host.data(), 3),
                    Kokkos::View<std::int64_t*, DeviceSpace, MemoryUnmanaged>(seen, 3));
  Kokkos::kokkos_free<DeviceSpace>(seen);
  return host == std::vector<std::int64_t>{
                     static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(view.data())),
                     static_cast<std::int64_t>(view.extent(0)), last};
}

/// Whether all are `value`, as the host reads them.
bool all_are(Numbers<double> const& numbers, double value)
{
  auto const host = Kokkos::create_mirror_view_and_copy(HostSpace(), numbers);
  for (std::int64_t i = 0; i < trial_size; ++i)
    if (host(i) != value)
      return false;
  return true;
}

} // namespace

void try_device()
{
  static std::string const crashed =
      "strata: " + versions() + " crashed in a trial of this device" + remedy + "\n";
  static std::string const hung =
      "strata: " + versions() + " hung for 60 s in a trial of this device" + remedy + "\n";
  Guard const guard(crashed, hung);

  auto const without = [](std::string const& label) {
    return Kokkos::view_alloc(label, Kokkos::WithoutInitializing);
  };
  Numbers<double> const from(without("strata::runtime::from"), trial_size);
  Numbers<double> const to(without("strata::runtime::to"), trial_size);
  Numbers<char> const bytes(without("strata::runtime::bytes"), trial_size);
  // Before anything is written by a view that a kernel may see otherwise.
  char const* const arguments = "the arguments of kernels";
  require(sees_arguments(from), arguments);
  require(sees_arguments(bytes), arguments);
  require(sees_arguments(Numbers<double, Kokkos::LayoutLeft>(from)), arguments);
  require(sees_arguments(Numbers<double, Kokkos::LayoutRight>(from)), arguments);

  Kokkos::deep_copy(from, 1.5);
  require(all_are(from, 1.5), "a fill");
  Kokkos::parallel_for("strata::runtime::Double", Policy(0, trial_size), Double{from, to});
  Kokkos::fence();
  require(all_are(to, 3), "a kernel");
  Kokkos::deep_copy(from, to);
  require(all_are(from, 3), "a copy");
  double sum = 0;
  Kokkos::parallel_reduce("strata::runtime::AddUp", Policy(0, trial_size), AddUp{from}, sum);
  require(sum == 3.0 * trial_size, "a reduction");
}

} // namespace strata::runtime
