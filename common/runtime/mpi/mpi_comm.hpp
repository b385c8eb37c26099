#pragma once

#include "communicator.hpp"

#include "base/error.hpp"

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace strata::runtime {

/// A communicator's MPI_Comm, for this folder's sources.
inline MPI_Comm mpi_comm(Communicator const& communicator)
{
  return *static_cast<MPI_Comm const*>(communicator.handle());
}

/// The size of one message, as MPI counts it.
inline int message_size(std::size_t size)
{
  STRATA_CHECK(size <= static_cast<std::size_t>(std::numeric_limits<int>::max()),
               "a message between ranks is larger than MPI can count");
  return static_cast<int>(size);
}

/// MPI's name of a type of numbers.
template <class T>
MPI_Datatype type_of()
{
  if constexpr (std::is_same_v<T, double>) {
    return MPI_DOUBLE;
  } else if constexpr (std::is_same_v<T, std::uint64_t>) {
    return MPI_UINT64_T;
  } else {
    static_assert(std::is_same_v<T, std::int64_t>);
    return MPI_INT64_T;
  }
}

} // namespace strata::runtime
