#include "cases.hpp"

#include "driver/program.hpp"

namespace strata::appname {

struct App
{
  static constexpr char const* name = "appname";
  static constexpr char const* about = "Scales a vector: the smallest app there can be.";
  using Config = appname::Config;

  static deck::Schema<Config> schema() { return appname::schema(); }
  static std::vector<driver::Case> cases(Config const& config, driver::Setting const& setting)
  {
    return appname::cases(config, setting);
  }
};

} // namespace strata::appname

int main(int argc, char** argv)
{
  return strata::driver::run<strata::appname::App>(argc, argv);
}
