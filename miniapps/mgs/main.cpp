#include "cases.hpp"

#include "driver/program.hpp"

namespace strata::mgs {

struct App
{
  static constexpr char const* name = "mgs";
  static constexpr char const* about =
      "Orthonormalisation of a multivector: modified Gram-Schmidt and what competes with it.";
  using Config = mgs::Config;

  static deck::Schema<Config> schema() { return mgs::schema(); }
  static std::vector<driver::Case> cases(Config const& config, driver::Setting const& setting)
  {
    return mgs::cases(config, setting);
  }
};

} // namespace strata::mgs

int main(int argc, char** argv)
{
  return strata::driver::run<strata::mgs::App>(argc, argv);
}
