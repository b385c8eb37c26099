#include "fault.hpp"

#include "base/error.hpp"
#include "base/kokkos.hpp"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace strata::verify {

namespace {

/// Time of a slowed step over that of the step itself.
constexpr double slowness = 1.05;

template <class Space>
using Bytes = Kokkos::View<char*, Space, Kokkos::MemoryUnmanaged>;

/// Applies `change` to the first two elements of the output (or twice to the only one). In no
/// layout are these padding, as later ones may be.
template <class T, class Change>
void alter(Output const& output, Change const& change)
{
  std::size_t const elements = output.count > 1 ? 2 : 1;
  std::array<T, 2> pair{};
  auto const bytes = elements * sizeof(T);
  auto* const where = static_cast<char*>(output.data);
  Bytes<HostSpace> const here(reinterpret_cast<char*>(pair.data()), bytes);
  auto const apply = [&](auto const& there) {
    Kokkos::deep_copy(here, there);
    change(pair[0], pair[elements - 1]);
    Kokkos::deep_copy(there, here);
  };
  Kokkos::fence();
  if (output.on_device)
    apply(Bytes<DeviceSpace>(where, bytes));
  else
    apply(Bytes<HostSpace>(where, bytes));
}

/// Applies `change` to copies of the first two bits of the output, which lie in its first word.
template <class Change>
void alter_bits(Output const& output, Change const& change)
{
  alter<std::uint64_t>({output.data, 1, sizeof(std::uint64_t), output.on_device},
                       [&](std::uint64_t& word, std::uint64_t&) {
                         bool first = (word & 1U) != 0;
                         bool second = (word & 2U) != 0;
                         change(first, output.count > 1 ? second : first);
                         word = (word & ~std::uint64_t{3}) | (first ? 1U : 0U) |
                                (second ? 2U : 0U);
                       });
}

template <class Change>
void alter_elements(Output const& output, Change const& change)
{
  switch (output.element_bytes) {
  case 0:
    return alter_bits(output, change);
  case sizeof(bool):
    return alter<bool>(output, change);
  case sizeof(float):
    return alter<float>(output, change);
  default:
    return alter<double>(output, change);
  }
}

/// A slightly larger value; of a bool, the other one.
template <class T>
T altered(T value)
{
  if constexpr (std::is_same_v<T, bool>)
    return !value;
  else
    return value + value * (sizeof(T) == sizeof(float) ? 1e-3F : 1e-6F) + 1e-30F;
}

Pattern compiled(std::string const& text, std::string const& expression)
{
  try {
    return Pattern(expression);
  } catch (std::invalid_argument const& error) {
    throw Error(Exit::command_line, "STRATA_FAULT is '" + text + "'; " + error.what());
  }
}

} // namespace

Fault Fault::parse(std::string const& text)
{
  static std::array<std::pair<char const*, Kind>, 4> const kinds{{{"value", Kind::value},
                                                                  {"swap", Kind::swap},
                                                                  {"skip", Kind::skip},
                                                                  {"slow", Kind::slow}}};
  auto const colon = text.find(':');
  for (auto const& [name, kind] : kinds)
    if (colon != std::string::npos && text.compare(0, colon, name) == 0) {
      Fault fault;
      fault.kind_ = kind;
      fault.cases_ = compiled(text, text.substr(colon + 1));
      return fault;
    }
  throw Error(Exit::command_line, "STRATA_FAULT is '" + text +
                                      "'; it must be value:REGEX, swap:REGEX, skip:REGEX "
                                      "or slow:REGEX, or be unset for a real run");
}

std::optional<Fault> Fault::from_environment()
{
  char const* const text = std::getenv("STRATA_FAULT");
  if (text == nullptr || *text == '\0')
    return std::nullopt;
  return parse(text);
}

bool Fault::hits(std::string const& label) const
{
  return cases_.matches_in(label);
}

void Fault::step(std::function<void()> const& make, std::function<double()> const& now) const
{
  if (kind_ == Kind::skip)
    return;
  double const start = now();
  make();
  if (kind_ != Kind::slow)
    return;
  Kokkos::fence();
  double const end = start + slowness * (now() - start);
  while (now() < end) // until it is late enough
    ;
}

void Fault::corrupt(Output const& output) const
{
  if (output.data == nullptr || output.count == 0 || kind_ == Kind::skip || kind_ == Kind::slow)
    return;
  if (kind_ == Kind::swap && output.count > 1)
    alter_elements(output, [](auto& a, auto& b) { std::swap(a, b); });
  else
    alter_elements(output, [](auto& a, auto&) { a = altered(a); });
}

} // namespace strata::verify
