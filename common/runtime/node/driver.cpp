#include "driver.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>

namespace strata::runtime {

std::string version_in(std::string_view text)
{
  auto const is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  for (std::size_t start = 0; start < text.size();) {
    auto const end = std::min(text.find_first_of(" \t\n", start), text.size());
    auto const word = text.substr(start, end - start);
    if (!word.empty() && is_digit(word.front()) && is_digit(word.back()) &&
        word.find('.') != std::string_view::npos &&
        word.find_first_not_of("0123456789.") == std::string_view::npos)
      return std::string(word);
    start = end + 1;
  }
  return {};
}

std::string gpu_driver()
{
  static constexpr std::array files{"/proc/driver/nvidia/version",
                                    "/sys/module/amdgpu/version"};
  for (char const* const file : files) {
    std::ifstream stream(file);
    std::string line;
    if (std::getline(stream, line))
      return version_in(line);
  }
  return {};
}

} // namespace strata::runtime
