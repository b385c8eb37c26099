#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

// Libraries that somebody else wrote and that controls call: which one the process has really
// loaded, and how many threads it runs on.

namespace strata::runtime {

/// The file that holds `function`, links resolved; "unknown" where the loader does not tell.
std::string library_file(void const* function);

/// A word for labels from the path of a BLAS or LAPACK: "openblas", "mkl"; "netlib" where it
/// names none. Distributions give all of them the same file name, in a folder of its own.
std::string blas_name(std::string const& file);

/// Has the BLAS that is loaded run on `threads` threads, free to use all of process_cpus(), and
/// returns on how many it says it does; nothing where it does not tell. OpenBLAS takes its
/// number from the CPUs of the thread that loads it and BLIS runs on one, so that under
/// OMP_PROC_BIND either would measure one core. Their variables of the environment are
/// overruled. Others keep what they have.
std::optional<int> spread_blas(int threads);

/// What the threads of the BLAS that is loaded are, in OpenBLAS' words for its builds: "none",
/// "pthreads", "openmp"; nothing where it does not tell.
std::optional<std::string> blas_threading();

/// Facts for the record of a case that calls the library in `file`: the file and, on a host,
/// the threads of its BLAS, which are set to the number that launches have, and their kind.
std::vector<std::pair<std::string, std::string>> library_facts(std::string const& file);

} // namespace strata::runtime
