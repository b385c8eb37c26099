#pragma once

#include "tests/contacts.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace strata::contact {

/// A folder that all ranks share, gone at the end.
class Folder
{
public:
  Folder()
      : world_(runtime::Communicator::world())
      , path_(world_.broadcast((std::filesystem::temp_directory_path() /
                                ("strata-contact-" + std::to_string(::getpid())))
                                   .string()))
  {
    if (world_.rank() == 0)
      std::filesystem::create_directory(path_);
    world_.barrier();
  }
  Folder(Folder const&) = delete;
  Folder& operator=(Folder const&) = delete;
  ~Folder()
  {
    world_.barrier();
    if (world_.rank() == 0)
      std::filesystem::remove_all(path_);
  }
  [[nodiscard]] std::string path(std::string const& name) const { return path_ / name; }
  /// Writes a file there and returns its path. Collective.
  std::string write(std::string const& name, std::string const& bytes) const
  {
    world_.barrier(); // nobody still reads one of that name
    if (world_.rank() == 0)
      std::ofstream(path(name), std::ios::binary) << bytes;
    world_.barrier();
    return path(name);
  }

private:
  runtime::Communicator world_;
  std::filesystem::path path_;
};

inline std::string bytes_in(std::string const& path)
{
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline Config reading(std::string const& path, std::string const& shape = "sphere", int dim = 3)
{
  Config config;
  config.deck = "file";
  config.file = path;
  config.shape = shape;
  config.dim = dim;
  config.steps = 1;
  return config;
}

/// The number's bytes as they are, or in reverse.
template <class T>
std::string raw(T value, bool reverse = false)
{
  std::string bytes(sizeof(T), '\0');
  std::memcpy(bytes.data(), &value, sizeof(T));
  if (reverse)
    std::reverse(bytes.begin(), bytes.end());
  return bytes;
}

/// A .npy file: the dictionary's text, then what follows it.
inline std::string npy(std::string const& dictionary, std::string const& data)
{
  std::string const header = dictionary + std::string(54, ' ') + "\n";
  return std::string("\x93NUMPY\x01\x00", 8) + raw(static_cast<std::uint16_t>(header.size())) +
         header + data;
}
inline std::string npy_head(std::string const& type, std::size_t rows, std::size_t columns)
{
  return "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + std::to_string(rows) +
         ", " + std::to_string(columns) + "), }";
}

/// A legacy VTK file of points and cells (type, corners).
struct VtkText
{
  std::vector<Vector> points;
  std::vector<std::pair<int, std::vector<int>>> cells;

  /// `format`: "ASCII" or "BINARY"; `apart`: as version 5.1 has it.
  [[nodiscard]] std::string in(std::string const& format, bool apart) const
  {
    bool const binary = format == "BINARY";
    auto const number = [&](auto value) {
      return binary ? raw(value, true) : std::to_string(value) + "\n";
    };
    std::string text = "# vtk DataFile Version " + std::string(apart ? "5.1" : "3.0") +
                       "\nof a test\n" + format + "\nDATASET UNSTRUCTURED_GRID\nPOINTS " +
                       std::to_string(points.size()) + " double\n";
    for (auto const& point : points)
      for (double const x : point)
        text += number(x);
    std::size_t corners = 0;
    for (auto const& cell : cells)
      corners += cell.second.size();
    text += "\nMETADATA\nINFORMATION 0\n\nCELLS ";
    text += apart ? with_offsets(number, corners) : with_lengths(number, corners);
    text += "\nCELL_TYPES " + std::to_string(cells.size()) + "\n";
    for (auto const& cell : cells)
      text += number(std::int32_t{cell.first});
    return text + "\nCELL_DATA " + std::to_string(cells.size()) + "\n";
  }

private:
  template <class Number>
  [[nodiscard]] std::string with_lengths(Number const& number, std::size_t corners) const
  {
    auto text =
        std::to_string(cells.size()) + " " + std::to_string(corners + cells.size()) + "\n";
    for (auto const& cell : cells) {
      text += number(static_cast<std::int32_t>(cell.second.size()));
      for (int const node : cell.second)
        text += number(std::int32_t{node});
    }
    return text;
  }
  template <class Number>
  [[nodiscard]] std::string with_offsets(Number const& number, std::size_t corners) const
  {
    auto text = std::to_string(cells.size() + 1) + " " + std::to_string(corners) +
                "\nOFFSETS vtktypeint64\n";
    std::int64_t offset = 0;
    text += number(offset);
    for (auto const& cell : cells)
      text += number(offset += static_cast<std::int64_t>(cell.second.size()));
    text += "\nCONNECTIVITY vtktypeint64\n";
    for (auto const& cell : cells)
      for (int const node : cell.second)
        text += number(std::int64_t{node});
    return text;
  }
};

} // namespace strata::contact
