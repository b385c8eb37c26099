#include "take_triangle.hpp"
#include "vendor.hpp"

#include "array/dense/array.hpp"
#include "array/launch/for_each.hpp"
#include "base/error.hpp"
#include "base/kokkos.hpp"

#include <cstddef>
#include <string>
#include <vector>

#if defined(STRATA_CUSOLVER)
#include <cublas_v2.h>
#include <cusolverDn.h>
#endif

#if defined(STRATA_LAPACK)
// The Fortran interface, which every implementation has; the last numbers are the lengths of
// the words.
extern "C" {
// NOLINTBEGIN(readability-identifier-naming)
void dsyrk_(char const* uplo, char const* trans, int const* n, int const* k,
            double const* alpha, double const* a, int const* lda, double const* beta, double* c,
            int const* ldc, std::size_t, std::size_t);
void dpotrf_(char const* uplo, int const* n, double* a, int const* lda, int* info, std::size_t);
void dtrsm_(char const* side, char const* uplo, char const* trans, char const* diag,
            int const* m, int const* n, double const* alpha, double const* a, int const* lda,
            double* b, int const* ldb, std::size_t, std::size_t, std::size_t, std::size_t);
void dtrmm_(char const* side, char const* uplo, char const* trans, char const* diag,
            int const* m, int const* n, double const* alpha, double const* a, int const* lda,
            double* b, int const* ldb, std::size_t, std::size_t, std::size_t, std::size_t);
// NOLINTEND(readability-identifier-naming)
}
#endif

namespace strata::mgs::vendor {

#if defined(STRATA_CUSOLVER)

namespace {

/// Of cuBLAS, cuSOLVER and CUDA, whose word for success is 0.
template <class Status>
void require_success(Status status, char const* what)
{
  auto const number = static_cast<int>(status);
  STRATA_CHECK(number == 0,
               std::string(what) + " failed with status " + std::to_string(number));
}

constexpr double one = 1;
constexpr double zero = 0;

} // namespace

struct CholeskySolver::State
{
  using Numbers = Array<double, Dynamic<1>, LayoutRight>;
  int rows, columns, stride;
  cublasHandle_t blas = nullptr;
  cusolverDnHandle_t solver = nullptr;
  Numbers first, second; ///< R of both passes, whose lower triangles are 0 and stay so
  Numbers work;
  Array<int, Dynamic<1>, LayoutRight> info;
  int size = 0;

  State(index_t m, index_t n, index_t lda)
      : rows(static_cast<int>(m))
      , columns(static_cast<int>(n))
      , stride(static_cast<int>(lda))
      , first("strata::mgs::vendor::first", Dynamic<1>(n * n))
      , second("strata::mgs::vendor::second", Dynamic<1>(n * n))
      , info("strata::mgs::vendor::info", Dynamic<1>(1))
  {
    auto const stream = Device().cuda_stream();
    require_success(cublasCreate(&blas), "cublasCreate");
    require_success(cublasSetStream(blas, stream), "cublasSetStream");
    require_success(cusolverDnCreate(&solver), "cusolverDnCreate");
    require_success(cusolverDnSetStream(solver, stream), "cusolverDnSetStream");
    require_success(cusolverDnDpotrf_bufferSize(solver, CUBLAS_FILL_MODE_UPPER, columns,
                                                first.data(), columns, &size),
                    "cusolverDnDpotrf_bufferSize");
    work = Numbers("strata::mgs::vendor::work", Dynamic<1>(size));
    auto const bytes = static_cast<std::size_t>(n * n) * sizeof(double);
    for (auto* const r : {first.data(), second.data()})
      require_success(cudaMemsetAsync(r, 0, bytes, stream), "cudaMemsetAsync");
  }
  ~State()
  {
    cusolverDnDestroy(solver);
    cublasDestroy(blas);
  }
  State(State const&) = delete;
  State& operator=(State const&) = delete;

  /// r = the factor of a's products; a becomes a / r.
  void pass(double* a, double* r)
  {
    require_success(cublasDsyrk(blas, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_T, columns, rows, &one,
                                a, stride, &zero, r, columns),
                    "cublasDsyrk");
    require_success(cusolverDnDpotrf(solver, CUBLAS_FILL_MODE_UPPER, columns, r, columns,
                                     work.data(), size, info.data()),
                    "cusolverDnDpotrf");
    require_success(cublasDtrsm(blas, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N,
                                CUBLAS_DIAG_NON_UNIT, rows, columns, &one, r, columns, a,
                                stride),
                    "cublasDtrsm");
  }
  /// first = second · first
  void multiply()
  {
    require_success(cublasDtrmm(blas, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N,
                                CUBLAS_DIAG_NON_UNIT, columns, columns, &one, second.data(),
                                columns, first.data(), columns, first.data(), columns),
                    "cublasDtrmm");
  }
};

#elif defined(STRATA_LAPACK)

struct CholeskySolver::State
{
  int rows, columns, stride;
  std::vector<double> first, second; ///< R of both passes, whose lower triangles stay 0

  State(index_t m, index_t n, index_t lda)
      : rows(static_cast<int>(m))
      , columns(static_cast<int>(n))
      , stride(static_cast<int>(lda))
      , first(static_cast<std::size_t>(n * n))
      , second(first.size())
  {
  }

  /// r = the factor of a's products; a becomes a / r.
  void pass(double* a, double* r) const
  {
    double const one = 1;
    double const zero = 0;
    int info = 0;
    dsyrk_("U", "T", &columns, &rows, &one, a, &stride, &zero, r, &columns, 1, 1);
    dpotrf_("U", &columns, r, &columns, &info, 1);
    STRATA_CHECK(info >= 0, "dpotrf refused its arguments");
    dtrsm_("R", "U", "N", "N", &rows, &columns, &one, r, &columns, a, &stride, 1, 1, 1, 1);
  }
  /// first = second · first
  void multiply()
  {
    double const one = 1;
    dtrmm_("L", "U", "N", "N", &columns, &columns, &one, second.data(), &columns, first.data(),
           &columns, 1, 1, 1, 1);
  }
};

#else

struct CholeskySolver::State
{
  int columns = 0;
  std::vector<double> first, second;

  State(index_t, index_t, index_t) {}
  void pass(double*, double*) const { STRATA_CHECK(false, unavailable()); }
  void multiply() {}
};

#endif

void CholeskySolver::factorise(double* a, double* r, index_t pitch)
{
  auto& s = *state_;
  s.pass(a, s.first.data());
  s.pass(a, s.second.data());
  s.multiply();
  for_each(index_t{s.columns} * s.columns,
           TakeTriangle{s.first.data(), s.columns, r, pitch, s.columns});
}

CholeskySolver::CholeskySolver(index_t rows, index_t columns, index_t stride)
    : state_(std::make_unique<State>(rows, columns, stride))
{
}
CholeskySolver::~CholeskySolver() = default;

} // namespace strata::mgs::vendor
