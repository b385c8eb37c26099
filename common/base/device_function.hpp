#pragma once

// STRATA_FUNCTION marks what hosts and devices call, as KOKKOS_FUNCTION does, where Kokkos is
// not included: in sources that CUDA's own compiler reads.

#if defined(__CUDACC__) || defined(__HIPCC__)
#define STRATA_FUNCTION __host__ __device__
#else
#define STRATA_FUNCTION
#endif
