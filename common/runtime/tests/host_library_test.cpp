#include "runtime/node/cpuset.hpp"
#include "runtime/node/host_library.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

namespace strata::runtime {

namespace {

TEST(HostLibrary, IsNamedByItsFile)
{
  auto const file = library_file(reinterpret_cast<void const*>(&MPI_Init));
  EXPECT_NE(file.find("mpi"), std::string::npos) << file;
  EXPECT_EQ(file.front(), '/') << file;
  EXPECT_EQ(blas_name("/usr/lib/openblas-pthread/libblas.so.3"), "openblas");
  EXPECT_EQ(blas_name("/opt/intel/oneapi/mkl/lib/libmkl_rt.so.2"), "mkl");
  EXPECT_EQ(blas_name("/usr/lib/blas/libblas.so.3.11.0"), "netlib");
}

TEST(HostLibrary, LeavesTheCallerWhereItRan)
{
  auto const before = thread_cpus();
  ASSERT_FALSE(before.empty());
  bind_thread({before.back()});
  EXPECT_EQ(spread_blas(2), std::nullopt); // this program has no BLAS
  EXPECT_EQ(thread_cpus(), Cpus{before.back()});
  bind_thread(before);
  EXPECT_EQ(thread_cpus(), before);
}

TEST(HostLibrary, TellsNothingOfABlasThatIsNotThere)
{
  EXPECT_EQ(blas_threading(), std::nullopt);
  using Facts = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(library_facts("/lib/some.so"), (Facts{{"library_path", "/lib/some.so"}}));
}

} // namespace

} // namespace strata::runtime
