#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace strata::runtime {

/// The root of the system's files (/proc, /sys); tests set another folder.
using Root = std::filesystem::path;

/// This node's name.
std::string host_name();

/// First line of a system file; nothing where it cannot be read.
std::optional<std::string> first_line(std::filesystem::path const& file);

/// The whole number that a system file starts with; nothing for other content ("max").
std::optional<std::int64_t> whole_number(std::filesystem::path const& file);

/// The number after `key` in a file of "key value" lines such as /proc/meminfo.
std::optional<std::int64_t> keyed_number(std::filesystem::path const& file,
                                         std::string const& key);

/// The control group folders that limit this process, innermost first, of version 2 or 1.
std::vector<std::filesystem::path> control_groups(std::string const& controller,
                                                  Root const& root = "/");

} // namespace strata::runtime
