#include "vendor.hpp"

#include "base/error.hpp"
#include "base/kokkos.hpp"
#include "runtime/node/host_library.hpp"

#include <limits>
#include <type_traits>

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

template <class T>
constexpr T one = 1;
template <class T>
constexpr T zero = 0;

template <class T>
inline constexpr cudaDataType_t data_type = CUDA_R_64F;
template <>
inline constexpr cudaDataType_t data_type<float> = CUDA_R_32F;
template <>
inline constexpr cudaDataType_t data_type<float16> = CUDA_R_16F;
template <>
inline constexpr cudaDataType_t data_type<bfloat16> = CUDA_R_16BF;

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

template <class T>
void gemv(bool column_major, bool transposed, index_t rows, index_t cols, T const* a,
          T const* x, T* y)
{
  int const lead = checked(column_major ? rows : cols);
  int const other = checked(column_major ? cols : rows);
  auto const op = column_major != transposed ? CUBLAS_OP_N : CUBLAS_OP_T;
  if constexpr (std::is_same_v<T, double>)
    require(cublasDgemv(handle(), op, lead, other, &one<T>, a, lead, x, 1, &zero<T>, y, 1),
            "cublasDgemv");
  else
    require(cublasSgemv(handle(), op, lead, other, &one<T>, a, lead, x, 1, &zero<T>, y, 1),
            "cublasSgemv");
}

void spmv(index_t order, double const* a, double const* x, double* y)
{
  // The lower triangle by rows is the upper one by columns.
  require(cublasDspmv(handle(), CUBLAS_FILL_MODE_UPPER, checked(order), &one<double>, a, x, 1,
                      &zero<double>, y, 1),
          "cublasDspmv");
}

void symv(index_t order, double const* a, double const* x, double* y)
{
  int const n = checked(order);
  require(cublasDsymv(handle(), CUBLAS_FILL_MODE_LOWER, n, &one<double>, a, n, x, 1,
                      &zero<double>, y, 1),
          "cublasDsymv");
}

template <class T>
void gemm(bool column_major_a, bool column_major_b, bool column_major_c, index_t rows,
          index_t order, T const* a, T const* b, computed_t<T>* c)
{
  using Number = computed_t<T>;
  int const m = checked(rows);
  int const n = checked(order);
  auto const op = [](bool plain) { return plain ? CUBLAS_OP_N : CUBLAS_OP_T; };
  auto const multiply = [&](cublasOperation_t op_left, cublasOperation_t op_right, int height,
                            int width, T const* left, int lead_left, T const* right,
                            int lead_right, int lead) {
    if constexpr (std::is_same_v<T, double>)
      require(cublasDgemm(handle(), op_left, op_right, height, width, n, &one<T>, left,
                          lead_left, right, lead_right, &zero<T>, c, lead),
              "cublasDgemm");
    else // floats are multiplied as floats
      require(cublasGemmEx(handle(), op_left, op_right, height, width, n, &one<Number>, left,
                           data_type<T>, lead_left, right, data_type<T>, lead_right,
                           &zero<Number>, c, data_type<Number>, lead, CUBLAS_COMPUTE_32F,
                           CUBLAS_GEMM_DEFAULT),
              "cublasGemmEx");
  };
  // A row-major C is the column-major product Bᵀ Aᵀ.
  if (column_major_c)
    multiply(op(column_major_a), op(column_major_b), m, n, a, column_major_a ? m : n, b, n, m);
  else
    multiply(op(!column_major_b), op(!column_major_a), n, m, b, n, a, column_major_a ? m : n,
             n);
}

native::BatchProduct batched_gemv()
{
  return [](native::Batch const& batch) {
    int const n = checked(batch.order);
    require(cublasDgemvStridedBatched(handle(), CUBLAS_OP_T, n, n, &one<double>, batch.a, n,
                                      batch.order * batch.order, batch.x, 1, batch.order,
                                      &zero<double>, batch.y, 1, batch.order,
                                      checked(batch.count)),
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

template <class T>
void gemv(bool column_major, bool transposed, index_t rows, index_t cols, T const* a,
          T const* x, T* y)
{
  auto const order = column_major ? CblasColMajor : CblasRowMajor;
  auto const op = transposed ? CblasTrans : CblasNoTrans;
  int const lead = checked(column_major ? rows : cols);
  if constexpr (std::is_same_v<T, double>)
    cblas_dgemv(order, op, checked(rows), checked(cols), 1, a, lead, x, 1, 0, y, 1);
  else
    cblas_sgemv(order, op, checked(rows), checked(cols), 1, a, lead, x, 1, 0, y, 1);
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

template <class T>
void gemm(bool column_major_a, bool column_major_b, bool column_major_c, index_t rows,
          index_t order, T const* a, T const* b, computed_t<T>* c)
{
  int const m = checked(rows);
  int const n = checked(order);
  auto const op = [&](bool column_major) {
    return column_major == column_major_c ? CblasNoTrans : CblasTrans;
  };
  auto const major = column_major_c ? CblasColMajor : CblasRowMajor;
  int const lead_a = column_major_a ? m : n;
  int const lead_c = column_major_c ? m : n;
  if constexpr (std::is_same_v<T, double>)
    cblas_dgemm(major, op(column_major_a), op(column_major_b), m, n, n, 1, a, lead_a, b, n, 0,
                c, lead_c);
  else if constexpr (std::is_same_v<T, float>)
    cblas_sgemm(major, op(column_major_a), op(column_major_b), m, n, n, 1, a, lead_a, b, n, 0,
                c, lead_c);
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
template <class T>
void gemv(bool, bool, index_t, index_t, T const*, T const*, T*)
{
}
void spmv(index_t, double const*, double const*, double*)
{
}
void symv(index_t, double const*, double const*, double*)
{
}
template <class T>
void gemm(bool, bool, bool, index_t, index_t, T const*, T const*, computed_t<T>*)
{
}
native::BatchProduct batched_gemv()
{
  return nullptr;
}

#endif

template void gemv(bool, bool, index_t, index_t, double const*, double const*, double*);
template void gemv(bool, bool, index_t, index_t, float const*, float const*, float*);

template void gemm(bool, bool, bool, index_t, index_t, double const*, double const*, double*);
template void gemm(bool, bool, bool, index_t, index_t, float const*, float const*, float*);
template void gemm(bool, bool, bool, index_t, index_t, float16 const*, float16 const*, float*);
template void gemm(bool, bool, bool, index_t, index_t, bfloat16 const*, bfloat16 const*,
                   float*);

} // namespace strata::matvec::vendor
