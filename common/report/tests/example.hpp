#pragma once

#include "report/record.hpp"

#include <utility>
#include <vector>

namespace strata::report::example {

/// `median` seconds, give or take `noise` of it, 20 times; the median is exact and half the
/// interval's width is `noise`.
inline std::vector<double> samples(double median, double noise)
{
  std::vector<double> samples;
  for (int round = 0; round < 20; ++round)
    samples.push_back(median * (1 + noise * (round % 2 == 0 ? 1 : -1)));
  return samples;
}

/// A verified case that moves 12 GB per step.
inline Case stream_case(std::string const& kernel, std::string const& variant, double seconds,
                        double noise)
{
  Case one;
  one.label = kernel + "/" + variant + "/left/double";
  one.axes = {
      {"kernel", kernel}, {"variant", variant}, {"layout", "left"}, {"scalar", "double"}};
  one.problem = {{"size", "500000000"}, {"memory", "auto"}};
  one.work = {8'000'000'000, 4'000'000'000, 1'000'000'000};
  if (kernel == "copy")
    one.work = {6'000'000'000, 6'000'000'000, 0};
  if (kernel == "dot")
    one.work = {12'000'000'000, 0, 1'000'000'000};
  one.memory_bytes = 12'000'000'000;
  one.samples_s = samples(seconds, noise);
  one.rank_min_s = samples(seconds * 0.99, noise);
  one.rank_mean_s = samples(seconds * 0.995, noise);
  one.inner = 4;
  one.warmup_s = 0.5;
  one.checked = 2;
  one.converged = noise <= 0.01;
  one.foms = {rate("bandwidth", "B/s", Scope::job, 12e9, *one.statistics()),
              rate("bandwidth", "B/s", Scope::device, 3e9, *one.statistics())};
  one.checks = {{true, 2.2e-16, 1e-13, "max_relative_error"}};
  one.phases = {{"setup", 0.25}, {"checks", 0.125}};
  return one;
}

/// One of the cases that measure the memory.
inline Case ceiling_case(std::string const& kernel, double rate_of_job)
{
  Case one;
  one.label = "ceiling/" + kernel;
  one.axes = {{"kernel", kernel}};
  one.work = {12'000'000'000, 0, 0};
  one.samples_s = samples(12e9 / rate_of_job, 0.001);
  one.foms = {rate("bandwidth", "B/s", Scope::job, 12e9, *one.statistics())};
  one.checks = {{true, 0, 0, "sum"}};
  one.checked = 2;
  one.converged = true;
  return one;
}

inline Record record()
{
  Record record;
  record.suite = {"0.1.0", "0123456789abcdef0123456789abcdef01234567", true};
  record.app = "stream";
  record.build = {.type = "Release",
                  .compiler = "GNU 12.2.0",
                  .flags = "-O3",
                  .cxx = "C++20",
                  .kokkos = "4.6.99",
                  .backends = {"Cuda", "OpenMP"},
                  .arch = "Hopper90",
                  .bounds_check = false,
                  .mpi = "Open MPI 4.1.4"};
  record.run = {.id = "20260131T123456Z-4711-1a2b",
                .start_utc = "2026-01-31T12:34:56Z",
                .cmdline = {"strata-stream", "--set", "run.rounds=20"},
                .user_label = "before the \"upgrade\"",
                .system = "alps",
                .job = {"slurm", "4711", ""},
                .tier = "quick"};
  record.deck = {"inputs/quick.yaml",
                 std::string(64, 'a'),
                 "strata: 1\napp: stream\n",
                 {"run.seed"},
                 {"run.rounds=20"}};
  for (int rank = 0; rank < 4; ++rank)
    record.placement.push_back({.host = "n1",
                                .rank = rank,
                                .local_rank = rank,
                                .cpuset = "0-15",
                                .numa = rank,
                                .threads = 16,
                                .device_id = rank,
                                .device = "NVIDIA H200",
                                .pci_id = "0000:18:00." + std::to_string(rank),
                                .uuid = "GPU-" + std::to_string(rank),
                                .driver = "580.82.07",
                                .memory_bytes = 150'000'000'000,
                                .binding = "OMP_PROC_BIND=close"});
  record.mpi = {4, 1, {"auto", "staged", "Open MPI v4.1.4 says no (MPIX_Query_cuda_support)"}};
  record.ceilings = {ceiling_case("read", 3.9e12), ceiling_case("write", 3.1e12),
                     ceiling_case("copy", 3.8e12), ceiling_case("triad", 4e12)};
  record.cases = {stream_case("copy", "span", 3.125e-3, 0.004),
                  stream_case("triad", "span", 3e-3, 0.002)};
  record.validity = {true, false, {"tier", "dirty_tree"}};
  record.environment = {{"OMP_NUM_THREADS", "16"}};
  return record;
}

/// One of everything that can become of a case.
inline Record eventful_record()
{
  auto record = example::record();
  auto& cases = record.cases;
  cases[1].ratios = {
      {"triad/native/left/double", {1.0123, 0.25, measure::Interval{1.009, 1.015}, 20}}};

  cases.push_back(stream_case("triad", "native", 2.9e-3, 0.03)); // noisy, and in a cache
  cases.back().in_cache = true;
  cases.push_back(stream_case("dot", "span", 3.2e-3, 0.002));
  cases.back().status = Status::failed;
  cases.back().checks = {{false, 1.2e-3, 1e-13, "max_relative_error"}};

  Case vendor;
  vendor.label = "triad/vendor/left/double";
  vendor.axes = {
      {"kernel", "triad"}, {"variant", "vendor"}, {"layout", "left"}, {"scalar", "double"}};
  vendor.status = Status::unavailable;
  vendor.reason = "cuBLAS was not found when this was built";
  cases.push_back(vendor);

  cases.push_back(stream_case("triad", "view", 3.1e-3, 0.002));
  cases.back().samples_s.resize(3);
  cases.back().status = Status::incomplete;
  cases.back().converged = false;
  cases.back().reason = "interrupted by SIGTERM";
  return record;
}

} // namespace strata::report::example
