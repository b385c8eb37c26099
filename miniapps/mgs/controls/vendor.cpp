#include "vendor.hpp"

#include "take_triangle.hpp"

#include "array/dense/array.hpp"
#include "array/launch/for_each.hpp"
#include "base/error.hpp"
#include "base/kokkos.hpp"
#include "runtime/node/host_library.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#if defined(STRATA_CUSOLVER)
#include <cusolverDn.h>
#endif

#if defined(STRATA_LAPACK)
// LAPACK's Fortran interface, which every implementation has.
extern "C" {
// NOLINTBEGIN(readability-identifier-naming)
void dgeqrf_(int const* m, int const* n, double* a, int const* lda, double* tau, double* work,
             int const* lwork, int* info);
void dorgqr_(int const* m, int const* n, int const* k, double* a, int const* lda,
             double const* tau, double* work, int const* lwork, int* info);
// NOLINTEND(readability-identifier-naming)
}
#endif

namespace strata::mgs::vendor {

namespace {

void require(bool succeeded, char const* what)
{
  STRATA_CHECK(succeeded, std::string(what) + " refused its arguments");
}

} // namespace

bool can_address(index_t stride, index_t columns)
{
  return (device_is_host ? stride : stride * columns) <= std::numeric_limits<int>::max();
}

#if defined(STRATA_CUSOLVER)

char const* unavailable()
{
  return "";
}
std::string path()
{
  return runtime::library_file(reinterpret_cast<void const*>(&cusolverDnCreate));
}

namespace {

/// Numbers of workspace that both steps need; none where the library refuses the sizes, which
/// it does where their own count passes an int.
std::optional<int> workspace(cusolverDnHandle_t handle, int rows, int columns, int stride)
{
  int factor = 0;
  int product = 0;
  if (cusolverDnDgeqrf_bufferSize(handle, rows, columns, nullptr, stride, &factor) !=
          CUSOLVER_STATUS_SUCCESS ||
      cusolverDnDorgqr_bufferSize(handle, rows, columns, columns, nullptr, stride, nullptr,
                                  &product) != CUSOLVER_STATUS_SUCCESS)
    return std::nullopt;
  return std::max(factor, product);
}

} // namespace

bool Solver::takes(index_t rows, index_t columns, index_t stride)
{
  cusolverDnHandle_t handle = nullptr;
  require(cusolverDnCreate(&handle) == CUSOLVER_STATUS_SUCCESS, "cusolverDnCreate");
  auto const needed = workspace(handle, static_cast<int>(rows), static_cast<int>(columns),
                                static_cast<int>(stride));
  cusolverDnDestroy(handle);
  return needed.has_value();
}

struct Solver::State
{
  using Numbers = Array<double, Dynamic<1>, LayoutRight>;
  int rows, columns, stride;
  cusolverDnHandle_t handle = nullptr;
  Numbers tau, work;
  Array<int, Dynamic<1>, LayoutRight> info;
  int size = 0;

  State(index_t m, index_t n, index_t lda)
      : rows(static_cast<int>(m))
      , columns(static_cast<int>(n))
      , stride(static_cast<int>(lda))
      , tau("strata::mgs::vendor::tau", Dynamic<1>(n))
      , info("strata::mgs::vendor::info", Dynamic<1>(1))
  {
    require(cusolverDnCreate(&handle) == CUSOLVER_STATUS_SUCCESS, "cusolverDnCreate");
    require(cusolverDnSetStream(handle, Device().cuda_stream()) == CUSOLVER_STATUS_SUCCESS,
            "cusolverDnSetStream");
    auto const needed = workspace(handle, rows, columns, stride);
    STRATA_CHECK(needed, "a matrix that cuSOLVER refuses");
    size = *needed;
    work = Numbers("strata::mgs::vendor::work", Dynamic<1>(size));
  }
  ~State() { cusolverDnDestroy(handle); }
  State(State const&) = delete;
  State& operator=(State const&) = delete;
};

void Solver::factorise(double* a, double* r, index_t pitch)
{
  auto& s = *state_;
  require(cusolverDnDgeqrf(s.handle, s.rows, s.columns, a, s.stride, s.tau.data(),
                           s.work.data(), s.size, s.info.data()) == CUSOLVER_STATUS_SUCCESS,
          "cusolverDnDgeqrf");
  for_each(index_t{s.columns} * s.columns, TakeTriangle{a, s.stride, r, pitch, s.columns});
  require(cusolverDnDorgqr(s.handle, s.rows, s.columns, s.columns, a, s.stride, s.tau.data(),
                           s.work.data(), s.size, s.info.data()) == CUSOLVER_STATUS_SUCCESS,
          "cusolverDnDorgqr");
}

#elif defined(STRATA_LAPACK)

char const* unavailable()
{
  return device_is_host ? "" : "built without cuSOLVER; LAPACK factorises host memory only";
}
std::string path()
{
  return runtime::library_file(reinterpret_cast<void const*>(&dgeqrf_));
}

struct Solver::State
{
  int rows, columns, stride;
  std::vector<double> tau;
  std::vector<double> work;

  State(index_t m, index_t n, index_t lda)
      : rows(static_cast<int>(m))
      , columns(static_cast<int>(n))
      , stride(static_cast<int>(lda))
      , tau(static_cast<std::size_t>(n))
  {
    int const ask = -1;
    int info = 0;
    double first = 0;
    double second = 0;
    dgeqrf_(&rows, &columns, nullptr, &stride, nullptr, &first, &ask, &info);
    require(info == 0, "dgeqrf");
    dorgqr_(&rows, &columns, &columns, nullptr, &stride, nullptr, &second, &ask, &info);
    require(info == 0, "dorgqr");
    work.resize(static_cast<std::size_t>(std::max({first, second, 1.0})));
  }
};

void Solver::factorise(double* a, double* r, index_t pitch)
{
  auto& s = *state_;
  int const size = static_cast<int>(s.work.size());
  int info = 0;
  dgeqrf_(&s.rows, &s.columns, a, &s.stride, s.tau.data(), s.work.data(), &size, &info);
  require(info == 0, "dgeqrf");
  for_each<Host>(index_t{s.columns} * s.columns,
                 TakeTriangle{a, s.stride, r, pitch, s.columns});
  dorgqr_(&s.rows, &s.columns, &s.columns, a, &s.stride, s.tau.data(), s.work.data(), &size,
          &info);
  require(info == 0, "dorgqr");
}

#else

char const* unavailable()
{
  return device_is_cuda ? "built without cuSOLVER; add the CUDA toolkit's and configure again"
                        : "built without LAPACK; install one (liblapack-dev, OpenBLAS) and "
                          "configure again";
}
std::string path()
{
  return {};
}

struct Solver::State
{
  State(index_t, index_t, index_t) {}
};

void Solver::factorise(double*, double*, index_t)
{
  require(false, unavailable());
}

#endif

#if !defined(STRATA_CUSOLVER)

bool Solver::takes(index_t, index_t, index_t)
{
  return true;
}

#endif

Solver::Solver(index_t rows, index_t columns, index_t stride)
    : state_(std::make_unique<State>(rows, columns, stride))
{
}
Solver::~Solver() = default;

} // namespace strata::mgs::vendor
