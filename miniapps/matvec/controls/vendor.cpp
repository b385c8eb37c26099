#include "vendor.hpp"

#include "base/error.hpp"
#include "base/kokkos.hpp"
#include "runtime/node/host_library.hpp"

#include <limits>

#if defined(STRATA_MATVEC_CUBLAS)
#include <cublas_v2.h>
#elif defined(STRATA_MATVEC_CBLAS)
#include <cblas.h>
#endif

namespace strata::matvec::vendor {

namespace {

[[maybe_unused]] int checked(index_t n)
{
  STRATA_CHECK(n <= std::numeric_limits<int>::max(),
               "the vendor's library counts in 32 bits; make the matrix smaller");
  return static_cast<int>(n);
}

} // namespace

#if defined(STRATA_MATVEC_CUBLAS)

namespace {

void require(cublasStatus_t status, char const* call)
{
  STRATA_CHECK(status == CUBLAS_STATUS_SUCCESS,
               std::string(call) + " failed with status " + std::to_string(status));
}

/// One handle for all calls; it lives as long as the process.
cublasHandle_t handle()
{
  static cublasHandle_t const one = [] {
    cublasHandle_t made = nullptr;
    require(cublasCreate(&made), "cublasCreate");
    return made;
  }();
  return one;
}

constexpr double one = 1;
constexpr double zero = 0;

} // namespace

std::string unavailable()
{
  return {};
}
std::string library()
{
  return "cublas";
}
std::string path()
{
  return runtime::library_file(reinterpret_cast<void const*>(&cublasCreate));
}

void gemv(bool column_major, bool transposed, index_t rows, index_t cols, double const* a,
          double const* x, double* y)
{
  int const lead = checked(column_major ? rows : cols);
  int const other = checked(column_major ? cols : rows);
  require(cublasDgemv(handle(), column_major != transposed ? CUBLAS_OP_N : CUBLAS_OP_T, lead,
                      other, &one, a, lead, x, 1, &zero, y, 1),
          "cublasDgemv");
}

void spmv(index_t order, double const* a, double const* x, double* y)
{
  // The lower triangle by rows is the upper one by columns.
  require(
      cublasDspmv(handle(), CUBLAS_FILL_MODE_UPPER, checked(order), &one, a, x, 1, &zero, y, 1),
      "cublasDspmv");
}

void symv(index_t order, double const* a, double const* x, double* y)
{
  int const n = checked(order);
  require(cublasDsymv(handle(), CUBLAS_FILL_MODE_LOWER, n, &one, a, n, x, 1, &zero, y, 1),
          "cublasDsymv");
}

void gemm(bool column_major_a, bool column_major_b, bool column_major_c, index_t rows,
          index_t order, double const* a, double const* b, double* c)
{
  int const m = checked(rows);
  int const n = checked(order);
  auto const op = [](bool plain) { return plain ? CUBLAS_OP_N : CUBLAS_OP_T; };
  int const lead_a = column_major_a ? m : n;
  // A row-major C is the column-major product Bᵀ Aᵀ.
  if (column_major_c)
    require(cublasDgemm(handle(), op(column_major_a), op(column_major_b), m, n, n, &one, a,
                        lead_a, b, n, &zero, c, m),
            "cublasDgemm");
  else
    require(cublasDgemm(handle(), op(!column_major_b), op(!column_major_a), n, m, n, &one, b, n,
                        a, lead_a, &zero, c, n),
            "cublasDgemm");
}

native::BatchProduct batched_gemv()
{
  return [](native::Batch const& batch) {
    int const n = checked(batch.order);
    require(cublasDgemvStridedBatched(handle(), CUBLAS_OP_T, n, n, &one, batch.a, n,
                                      batch.order * batch.order, batch.x, 1, batch.order, &zero,
                                      batch.y, 1, batch.order, checked(batch.count)),
            "cublasDgemvStridedBatched");
  };
}

#elif defined(STRATA_MATVEC_CBLAS)

std::string unavailable()
{
  return device_is_host ? "" : "CBLAS runs on hosts; this build has no library for its device";
}
std::string path()
{
  return runtime::library_file(reinterpret_cast<void const*>(&cblas_dgemv));
}
std::string library()
{
  return runtime::blas_name(path());
}

void gemv(bool column_major, bool transposed, index_t rows, index_t cols, double const* a,
          double const* x, double* y)
{
  cblas_dgemv(column_major ? CblasColMajor : CblasRowMajor,
              transposed ? CblasTrans : CblasNoTrans, checked(rows), checked(cols), 1, a,
              checked(column_major ? rows : cols), x, 1, 0, y, 1);
}

void spmv(index_t order, double const* a, double const* x, double* y)
{
  cblas_dspmv(CblasRowMajor, CblasLower, checked(order), 1, a, x, 1, 0, y, 1);
}

void symv(index_t order, double const* a, double const* x, double* y)
{
  int const n = checked(order);
  cblas_dsymv(CblasColMajor, CblasLower, n, 1, a, n, x, 1, 0, y, 1);
}

void gemm(bool column_major_a, bool column_major_b, bool column_major_c, index_t rows,
          index_t order, double const* a, double const* b, double* c)
{
  int const m = checked(rows);
  int const n = checked(order);
  auto const op = [&](bool column_major) {
    return column_major == column_major_c ? CblasNoTrans : CblasTrans;
  };
  cblas_dgemm(column_major_c ? CblasColMajor : CblasRowMajor, op(column_major_a),
              op(column_major_b), m, n, n, 1, a, column_major_a ? m : n, b, n, 0, c,
              column_major_c ? m : n);
}

native::BatchProduct batched_gemv()
{
  return nullptr; // no standard part of CBLAS
}

#else

std::string unavailable()
{
  return "this build found no vendor library; install one (CBLAS, or cuBLAS for CUDA) and "
         "configure again";
}
std::string path()
{
  return {};
}
std::string library()
{
  return "none";
}
void gemv(bool, bool, index_t, index_t, double const*, double const*, double*)
{
}
void spmv(index_t, double const*, double const*, double*)
{
}
void symv(index_t, double const*, double const*, double*)
{
}
void gemm(bool, bool, bool, index_t, index_t, double const*, double const*, double*)
{
}
native::BatchProduct batched_gemv()
{
  return nullptr;
}

#endif

} // namespace strata::matvec::vendor
