#include "error.hpp"

namespace strata {

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
