#include "fields.hpp"

#include "base/error.hpp"

#include <charconv>

namespace strata::runtime {

std::string pack(std::vector<std::string> const& fields)
{
  std::string packed;
  for (auto const& field : fields)
    packed += std::to_string(field.size()) + ":" + field;
  return packed;
}

std::vector<std::string> unpack(std::string_view packed)
{
  std::vector<std::string> fields;
  while (!packed.empty()) {
    std::size_t size = 0;
    auto const [colon, error] =
        std::from_chars(packed.data(), packed.data() + packed.size(), size);
    auto const head = static_cast<std::size_t>(colon - packed.data()) + 1;
    STRATA_CHECK(error == std::errc{} && head + size <= packed.size(), "not a packed text");
    fields.emplace_back(packed.substr(head, size));
    packed.remove_prefix(head + size);
  }
  return fields;
}

} // namespace strata::runtime
