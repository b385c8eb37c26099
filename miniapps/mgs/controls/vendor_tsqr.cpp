#include "take_triangle.hpp"
#include "vendor.hpp"

#include "array/launch/for_each.hpp"
#include "base/error.hpp"
#include "base/kokkos.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#if defined(STRATA_LAPACK_TSQR)
// LAPACK's Fortran interface, from 3.7 on; the last numbers are the lengths of the words.
extern "C" {
// NOLINTBEGIN(readability-identifier-naming)
void dgeqr_(int const* m, int const* n, double* a, int const* lda, double* t, int const* tsize,
            double* work, int const* lwork, int* info);
void dgemqr_(char const* side, char const* trans, int const* m, int const* n, int const* k,
             double const* a, int const* lda, double const* t, int const* tsize, double* c,
             int const* ldc, double* work, int const* lwork, int* info, std::size_t,
             std::size_t);
// NOLINTEND(readability-identifier-naming)
}
#endif

namespace strata::mgs::vendor {

index_t TsqrSolver::bytes(index_t rows, index_t columns)
{
  return rows * columns * static_cast<index_t>(sizeof(double));
}

#if defined(STRATA_LAPACK_TSQR)

namespace {

/// Takes A out of its place, which gets the first columns of the unit matrix.
struct TakeMatrix
{
  static constexpr char const* name() { return "strata::mgs::TakeMatrix"; }
  double* a;
  index_t stride;
  double* taken;
  index_t rows, columns;

  KOKKOS_FUNCTION void operator()(index_t i) const
  {
    for (index_t k = 0; k < columns; ++k) {
      taken[k * rows + i] = a[k * stride + i];
      a[k * stride + i] = i == k ? 1 : 0;
    }
  }
};

void require(int info, char const* what)
{
  STRATA_CHECK(info == 0, std::string(what) + " refused its arguments");
}

} // namespace

struct TsqrSolver::State
{
  int rows, columns, stride;
  std::vector<double> reflectors; ///< and R above them, as LAPACK packs both
  std::vector<double> t;          ///< of the blocks
  std::vector<double> work;

  State(index_t m, index_t n, index_t lda)
      : rows(static_cast<int>(m))
      , columns(static_cast<int>(n))
      , stride(static_cast<int>(lda))
      , reflectors(static_cast<std::size_t>(m * n))
  {
    int const ask = -1;
    int info = 0;
    std::array<double, 5> shape{}; // the numbers of t, and how dgeqr divides the rows
    double first = 0;
    double second = 0;
    dgeqr_(&rows, &columns, nullptr, &rows, shape.data(), &ask, &first, &ask, &info);
    require(info, "dgeqr");
    t.assign(shape.begin(), shape.end());
    t.resize(std::max(static_cast<std::size_t>(shape.front()), shape.size()));
    int const size = static_cast<int>(t.size());
    dgemqr_("L", "N", &rows, &columns, &columns, nullptr, &rows, t.data(), &size, nullptr,
            &stride, &second, &ask, &info, 1, 1);
    require(info, "dgemqr");
    work.resize(static_cast<std::size_t>(std::max({first, second, 1.0})));
  }
};

void TsqrSolver::factorise(double* a, double* r, index_t pitch)
{
  auto& s = *state_;
  int const t_size = static_cast<int>(s.t.size());
  int const size = static_cast<int>(s.work.size());
  int info = 0;
  for_each<Host>(index_t{s.rows},
                 TakeMatrix{a, s.stride, s.reflectors.data(), s.rows, s.columns});
  dgeqr_(&s.rows, &s.columns, s.reflectors.data(), &s.rows, s.t.data(), &t_size, s.work.data(),
         &size, &info);
  require(info, "dgeqr");
  for_each<Host>(index_t{s.columns} * s.columns,
                 TakeTriangle{s.reflectors.data(), s.rows, r, pitch, s.columns});
  dgemqr_("L", "N", &s.rows, &s.columns, &s.columns, s.reflectors.data(), &s.rows, s.t.data(),
          &t_size, a, &s.stride, s.work.data(), &size, &info, 1, 1);
  require(info, "dgemqr");
}

std::string TsqrSolver::unavailable()
{
  return device_is_host ? "" : "LAPACK factorises host memory only";
}

#else

struct TsqrSolver::State
{
  State(index_t, index_t, index_t) {}
};

void TsqrSolver::factorise(double*, double*, index_t)
{
  STRATA_CHECK(false, unavailable());
}

std::string TsqrSolver::unavailable()
{
  return device_is_cuda ? "cuSOLVER has no such factorisation"
                        : "built without a LAPACK of 3.7 or newer; install one (liblapack-dev, "
                          "OpenBLAS) and configure again";
}

#endif

TsqrSolver::TsqrSolver(index_t rows, index_t columns, index_t stride)
    : state_(std::make_unique<State>(rows, columns, stride))
{
}
TsqrSolver::~TsqrSolver() = default;

} // namespace strata::mgs::vendor
