#include "cases.hpp"

#include "driver/program.hpp"

namespace strata::stream {

struct App
{
  static constexpr char const* name = "stream";
  static constexpr char const* about =
      "Bandwidth of streaming kernels through the core's arrays, beside hand-written "
      "controls.\n"
      "Based on variants of the STREAM and BabelStream benchmark code.";
  using Config = stream::Config;

  static deck::Schema<Config> schema() { return stream::schema(); }
  static Config built_in() { return stream::built_in(); }
  static std::vector<driver::Case> cases(Config const& config, driver::Setting const& setting)
  {
    return stream::cases(config, setting);
  }
};

} // namespace strata::stream

int main(int argc, char** argv)
{
  return strata::driver::run<strata::stream::App>(argc, argv);
}
