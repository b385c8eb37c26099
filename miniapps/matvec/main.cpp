#include "cases.hpp"

#include "driver/program.hpp"

namespace strata::matvec {

struct App
{
  static constexpr char const* name = "matvec";
  static constexpr char const* about =
      "Products of matrices with vectors and matrices, under every storage order.";
  using Config = matvec::Config;

  static deck::Schema<Config> schema() { return matvec::schema(); }
  static std::vector<driver::Case> cases(Config const& config, driver::Setting const& setting)
  {
    return matvec::cases(config, setting);
  }
};

} // namespace strata::matvec

int main(int argc, char** argv)
{
  return strata::driver::run<strata::matvec::App>(argc, argv);
}
