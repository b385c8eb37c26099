#include "cases.hpp"

#include "driver/program.hpp"

namespace strata::hexgrad {

struct App
{
  static constexpr char const* name = "hexgrad";
  static constexpr char const* about =
      "Gradients of the eight basis functions of linear hexahedra, one element per work item.";
  using Config = hexgrad::Config;

  static deck::Schema<Config> schema() { return hexgrad::schema(); }
  static std::vector<driver::Case> cases(Config const& config, driver::Setting const& setting)
  {
    return hexgrad::cases(config, setting);
  }
};

} // namespace strata::hexgrad

int main(int argc, char** argv)
{
  return strata::driver::run<strata::hexgrad::App>(argc, argv);
}
