#pragma once

#include "base/kokkos.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace strata::testing {

/// Hears, while it lives, the labels of all kernels that Kokkos and the core launch and of all
/// memory that Kokkos allocates between launches, as a profiling tool would. Memory allocated
/// in the midst of a launch is Kokkos' own scratch, made where a sum is larger than any
/// before; 3.4 gives it no label and allocates it from all host threads at once. One at a time;
/// not for use from several threads.
class Listener
{
public:
  Listener()
  {
    heard() = {};
    namespace tools = Kokkos::Tools::Experimental;
    tools::set_begin_parallel_for_callback(launch);
    tools::set_begin_parallel_reduce_callback(launch);
    tools::set_begin_parallel_scan_callback(launch);
    tools::set_end_parallel_for_callback(launched);
    tools::set_end_parallel_reduce_callback(launched);
    tools::set_end_parallel_scan_callback(launched);
    tools::set_allocate_data_callback(allocation);
  }
  ~Listener()
  {
    namespace tools = Kokkos::Tools::Experimental;
    tools::set_begin_parallel_for_callback(nullptr);
    tools::set_begin_parallel_reduce_callback(nullptr);
    tools::set_begin_parallel_scan_callback(nullptr);
    tools::set_end_parallel_for_callback(nullptr);
    tools::set_end_parallel_reduce_callback(nullptr);
    tools::set_end_parallel_scan_callback(nullptr);
    tools::set_allocate_data_callback(nullptr);
  }
  Listener(Listener const&) = delete;
  Listener& operator=(Listener const&) = delete;

  [[nodiscard]] std::vector<std::string> const& launches() const { return heard().launches; }
  [[nodiscard]] std::vector<std::string> const& allocations() const
  {
    return heard().allocations;
  }
  /// Labels, each once, that do not begin with "strata::" and are no exception.
  [[nodiscard]] std::vector<std::string> strangers() const
  {
    auto labels = launches();
    labels.insert(labels.end(), allocations().begin(), allocations().end());
    std::erase_if(labels, belongs);
    std::sort(labels.begin(), labels.end());
    labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
    return labels;
  }

private:
  struct Heard
  {
    std::vector<std::string> launches, allocations;
    bool launching = false;
  };
  static Heard& heard() // the callbacks have no argument of ours
  {
    static Heard labels;
    return labels;
  }
  static void launch(char const* label, std::uint32_t, std::uint64_t*)
  {
    heard().launches.emplace_back(label);
    heard().launching = true;
  }
  static void launched(std::uint64_t) { heard().launching = false; }
  static void allocation(Kokkos_Profiling_SpaceHandle, char const* label, void const*,
                         std::uint64_t)
  {
    if (!heard().launching)
      heard().allocations.emplace_back(label);
  }

  static bool belongs(std::string const& label)
  {
    if (label.starts_with("strata::"))
      return true;
    // What Kokkos does by itself: fills by deep_copy, and a GPU's scratch for reductions.
    constexpr std::string_view exceptions[] = {"Kokkos::ViewFill", "Kokkos::InternalScratch"};
    return std::any_of(std::begin(exceptions), std::end(exceptions),
                       [&](std::string_view known) { return label.starts_with(known); });
  }
};

} // namespace strata::testing
