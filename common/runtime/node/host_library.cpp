#include "host_library.hpp"

#include "cpuset.hpp"

#include "base/kokkos.hpp"

#include <dlfcn.h>

#include <array>
#include <filesystem>
#include <system_error>
#include <utility>

namespace strata::runtime {

namespace {

/// A function of any library of the process; nullptr where none has it.
template <class Function>
Function* loaded(char const* name)
{
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

} // namespace

std::string library_file(void const* function)
{
  Dl_info found{};
  if (dladdr(function, &found) == 0 || found.dli_fname == nullptr)
    return "unknown";
  std::error_code failed;
  auto const file = std::filesystem::canonical(found.dli_fname, failed);
  return failed ? std::string(found.dli_fname) : file.string();
}

std::string blas_name(std::string const& file)
{
  static constexpr std::array<std::pair<char const*, char const*>, 6> known{
      {{"openblas", "openblas"},
       {"mkl", "mkl"},
       {"blis", "blis"},
       {"atlas", "atlas"},
       {"Accelerate", "accelerate"},
       {"armpl", "armpl"}}};
  for (auto const& [part, name] : known)
    if (file.find(part) != std::string::npos)
      return name;
  return "netlib";
}

std::optional<int> spread_blas(int threads)
{
  std::optional<int> told;
  // Threads that the library starts now inherit the CPUs of the one that calls it.
  auto const mine = thread_cpus();
  bind_thread(process_cpus());
  if (auto* const set = loaded<void(int)>("openblas_set_num_threads"))
    set(threads);
  if (auto* const set = loaded<void(long)>("bli_thread_set_num_threads"))
    set(threads);
  bind_thread(mine);
  if (auto* const get = loaded<int()>("openblas_get_num_threads"))
    told = get();
  else if (auto* const get_blis = loaded<long()>("bli_thread_get_num_threads"))
    told = static_cast<int>(get_blis());
  return told;
}

std::optional<std::string> blas_threading()
{
  auto* const get = loaded<int()>("openblas_get_parallel");
  if (get == nullptr)
    return {};
  static constexpr std::array<char const*, 3> kinds{"none", "pthreads", "openmp"};
  auto const kind = static_cast<std::size_t>(get());
  return kind < kinds.size() ? kinds[kind] : std::to_string(kind);
}

std::vector<std::pair<std::string, std::string>> library_facts(std::string const& file)
{
  std::vector<std::pair<std::string, std::string>> facts = {{"library_path", file}};
  if (device_is_host) {
    if (auto const threads = spread_blas(Host().concurrency()))
      facts.emplace_back("library_threads", std::to_string(*threads));
    if (auto const kind = blas_threading())
      facts.emplace_back("library_threading", *kind);
  }
  return facts;
}

} // namespace strata::runtime
