#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace strata::runtime {

/// Texts as one text that crosses a Communicator; any byte may occur in them.
std::string pack(std::vector<std::string> const& fields);

/// The texts that `pack` was given.
std::vector<std::string> unpack(std::string_view packed);

} // namespace strata::runtime
