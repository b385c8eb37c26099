#include "cases.hpp"

#include "driver/program.hpp"

namespace strata::contact {

struct App
{
  static constexpr char const* name = "contact";
  static constexpr char const* about =
      "Ragged contact detection: from objects to lists of neighbours and their statistics.";
  using Config = contact::Config;

  static deck::Schema<Config> schema() { return contact::schema(); }
  static std::vector<driver::Case> cases(Config const& config, driver::Setting const& setting)
  {
    return contact::cases(config, setting);
  }
};

} // namespace strata::contact

int main(int argc, char** argv)
{
  return strata::driver::run<strata::contact::App>(argc, argv);
}
