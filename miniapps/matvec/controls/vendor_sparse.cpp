#include "vendor_sparse.hpp"

#include "array/dense/array.hpp"
#include "array/launch/for_each.hpp"
#include "base/error.hpp"
#include "base/kokkos.hpp"
#include "runtime/node/host_library.hpp"

#if defined(STRATA_MATVEC_CUSPARSE)
#include <cusparse.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#endif

namespace strata::matvec::vendor {

#if defined(STRATA_MATVEC_CUSPARSE)

namespace {

void require(cusparseStatus_t status, char const* call)
{
  STRATA_CHECK(status == CUSPARSE_STATUS_SUCCESS,
               std::string(call) + " failed: " + cusparseGetErrorString(status));
}

template <class From, class To>
struct Narrow
{
  static constexpr char const* name() { return "strata::matvec::vendor::Narrow"; }
  From const* from;
  To* to;
  KOKKOS_FUNCTION void operator()(index_t i) const { to[i] = static_cast<To>(from[i]); }
};

/// The library's descriptions of one product, and its memory.
class CsrProduct
{
public:
  CsrProduct(native::SparseProduct const& p, index_t cols)
      : offsets_("strata::matvec::vendor::offsets", Dynamic<1>(p.lines + 1))
  {
    STRATA_CHECK(p.entries <= std::numeric_limits<std::int32_t>::max(),
                 "cuSPARSE counts entries in 32 bits; lower problem.sparse_rows");
    for_each(p.lines + 1, Narrow<index_t, std::int32_t>{p.offsets, offsets_.data()});
    Kokkos::fence();
    require(cusparseCreate(&handle_), "cusparseCreate");
    require(cusparseCreateConstCsr(&matrix_, p.lines, cols, p.entries, offsets_.data(),
                                   p.places, p.values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                   CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F),
            "cusparseCreateConstCsr");
    require(cusparseCreateConstDnVec(&x_, cols, p.x, CUDA_R_64F), "cusparseCreateConstDnVec");
    require(cusparseCreateDnVec(&y_, p.rows, p.y, CUDA_R_64F), "cusparseCreateDnVec");
    std::size_t bytes = 0;
    require(cusparseSpMV_bufferSize(handle_, op, &one, matrix_, x_, &zero, y_, CUDA_R_64F,
                                    algorithm, &bytes),
            "cusparseSpMV_bufferSize");
    buffer_ = allocate("strata::matvec::vendor::buffer", static_cast<index_t>(bytes) + 1);
    require(cusparseSpMV_preprocess(handle_, op, &one, matrix_, x_, &zero, y_, CUDA_R_64F,
                                    algorithm, buffer_.data()),
            "cusparseSpMV_preprocess");
  }
  CsrProduct(CsrProduct const&) = delete;
  CsrProduct& operator=(CsrProduct const&) = delete;
  CsrProduct(CsrProduct&&) = delete;
  CsrProduct& operator=(CsrProduct&&) = delete;
  ~CsrProduct()
  {
    cusparseDestroySpMat(matrix_);
    cusparseDestroyDnVec(x_);
    cusparseDestroyDnVec(y_);
    cusparseDestroy(handle_);
  }
  void launch() const
  {
    require(cusparseSpMV(handle_, op, &one, matrix_, x_, &zero, y_, CUDA_R_64F, algorithm,
                         buffer_.data()),
            "cusparseSpMV");
  }

private:
  static constexpr cusparseOperation_t op = CUSPARSE_OPERATION_NON_TRANSPOSE;
  static constexpr cusparseSpMVAlg_t algorithm = CUSPARSE_SPMV_ALG_DEFAULT;
  static constexpr double one = 1;
  static constexpr double zero = 0;

  Array<std::int32_t, Dynamic<1>> offsets_;
  Memory<> buffer_;
  cusparseHandle_t handle_ = nullptr;
  cusparseConstSpMatDescr_t matrix_ = nullptr;
  cusparseConstDnVecDescr_t x_ = nullptr;
  cusparseDnVecDescr_t y_ = nullptr;
};

} // namespace

std::string sparse_library()
{
  return "cusparse";
}
std::string sparse_path()
{
  return runtime::library_file(reinterpret_cast<void const*>(&cusparseCreate));
}
std::function<void()> csr_product(native::SparseProduct const& product, index_t cols)
{
  return [made = std::make_shared<CsrProduct>(product, cols)] { made->launch(); };
}

#else

std::string sparse_library()
{
  return {};
}
std::string sparse_path()
{
  return {};
}
std::function<void()> csr_product(native::SparseProduct const&, index_t)
{
  return {};
}

#endif

} // namespace strata::matvec::vendor
