#include "error.hpp"

#include <new>
#include <stdexcept>

namespace strata {

namespace {

/// Kokkos says so in words of an ordinary exception: every version from 3.4 to 5 has these.
bool is_failed_allocation(std::exception const& error)
{
  return dynamic_cast<std::bad_alloc const*>(&error) != nullptr ||
         std::string(error.what()).find("failed to allocate") != std::string::npos;
}

} // namespace

Failure::Failure(std::exception const& error)
    : exit(Exit::internal)
    , text(error.what())
{
  if (auto const* const known = dynamic_cast<Error const*>(&error))
    exit = known->exit();
  else if (dynamic_cast<std::length_error const*>(&error) != nullptr)
    exit = Exit::memory;
  else if (is_failed_allocation(error)) {
    exit = Exit::memory;
    text = "out of memory (" + text +
           "); make the deck's problem smaller or run fewer ranks per node";
  }
}

void check_failed(char const* condition, std::string const& message, std::source_location where)
{
  std::string file = where.file_name();
  if (auto const root = file.rfind("common/"); root != std::string::npos)
    file.erase(0, root);
  else if (auto const app = file.rfind("miniapps/"); app != std::string::npos)
    file.erase(0, app);
  throw Error(Exit::internal, file + ":" + std::to_string(where.line()) + ": " + message +
                                  " (violated: " + condition + ")");
}

} // namespace strata
