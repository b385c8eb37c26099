#pragma once

#include <string>
#include <string_view>

namespace strata::runtime {

/// The first version in a text, such as 580.82.07: digits with points between them. Empty where
/// there is none.
std::string version_in(std::string_view text);

/// Of the GPUs' driver, as the kernel tells it; empty where it does not.
std::string gpu_driver();

} // namespace strata::runtime
