#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace strata::runtime {

/// Packs texts, which may hold any byte, into one text for a Communicator.
std::string pack(std::vector<std::string> const& fields);

/// The texts that `pack` was given.
std::vector<std::string> unpack(std::string_view packed);

} // namespace strata::runtime
