#include "wish.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace strata::runtime {

namespace {

/// The count that a text consists of.
std::optional<int> count(std::string const& text)
{
  int value = 0;
  char const* const end = text.c_str() + text.size();
  auto const [parsed, error] = std::from_chars(text.c_str(), end, value);
  if (error != std::errc{} || parsed != end || value < 0)
    return std::nullopt;
  return value;
}

std::string upper(std::string text)
{
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

/// The value in "id:3,slots:1".
std::optional<int> resource_id(std::string const& allocation)
{
  for (auto const& item : text::split(allocation, ','))
    if (item.starts_with("id:"))
      return count(item.substr(3));
  return std::nullopt;
}

} // namespace

bool is_device(std::string const& device)
{
  return device == "auto" || count(device).has_value();
}

std::optional<Wish> wished_in_deck(std::string const& device)
{
  if (device == "auto")
    return std::nullopt;
  auto const id = count(device);
  if (!id)
    throw Error(Exit::placement, "parallel.device is '" + device +
                                     "'; it must be auto or the number of a visible GPU");
  return Wish{*id, "parallel.device"};
}

std::optional<Wish> take_flag(std::vector<std::string>& flags,
                              std::vector<std::string> const& names)
{
  std::optional<Wish> wish;
  std::erase_if(flags, [&](std::string const& flag) {
    auto const name = flag.substr(0, flag.find('='));
    if (std::find(names.begin(), names.end(), name) == names.end())
      return false;
    auto const value = count(flag.substr(std::min(name.size() + 1, flag.size())));
    if (!value)
      throw Error(Exit::command_line, flag + ": write " + name + "=N with a whole number N");
    wish = Wish{*value, name};
    return true;
  });
  return wish;
}

std::optional<Wish> wished_in(Environment const& environment, std::string const& name)
{
  auto const text = environment(name);
  auto const value = text ? count(text->substr(0, text->find(','))) : std::nullopt;
  return value ? std::optional(Wish{*value, name}) : std::nullopt;
}

std::optional<Wish> wished_by_ctest(int local_rank, Environment const& environment)
{
  auto const group_count = environment("CTEST_RESOURCE_GROUP_COUNT");
  if (!group_count)
    return std::nullopt;
  auto const group = "CTEST_RESOURCE_GROUP_" + std::to_string(local_rank);
  auto const type = environment("CTEST_KOKKOS_DEVICE_TYPE").value_or("gpus");
  auto const name = group + "_" + upper(type);
  auto const allocation = environment(name);
  if (!allocation)
    throw Error(Exit::placement,
                "CTest allocated " + *group_count + " resource groups but none with " + type +
                    " for node-local rank " + std::to_string(local_rank) + " (" + name +
                    " is not set); give the test RESOURCE_GROUPS with one group per rank");
  auto const id = resource_id(*allocation);
  if (!id)
    throw Error(Exit::placement,
                name + " is '" + *allocation + "'; it must name a GPU as in id:0,slots:1");
  return Wish{*id, name};
}

} // namespace strata::runtime
