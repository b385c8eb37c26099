#include "program.hpp"

#include "runtime/placement/wish.hpp"

namespace strata::driver {

deck::Schema<measure::Rules> run_schema()
{
  using measure::Rules;
  deck::Schema<Rules> run;
  run.field("run.tier", &Rules::tier, "how much effort the numbers are worth")
      .one_of({"smoke", "quick", "reference", "official"});
  run.field("run.rounds", &Rules::rounds,
            "samples of every case, at least; exactly in tier smoke")
      .between(1, 10000);
  run.field("run.min_time_s", &Rules::min_time_s, "measuring time of the whole run, at least")
      .between(0, 86400);
  run.field("run.max_time_s", &Rules::max_time_s,
            "and at most; what has not converged stays so")
      .between(0.001, 86400);
  run.field("run.warmup_s", &Rules::warmup_s, "of every case, before its first sample")
      .between(0, 3600);
  run.field("run.seed", &Rules::seed, "of the order of cases within each round and of data");
  run.rule("run.max_time_s", "it must not be below run.min_time_s",
           [](Rules const& rules) { return rules.max_time_s >= rules.min_time_s; });
  return run;
}

deck::Schema<runtime::Parallel> parallel_schema()
{
  using runtime::Parallel;
  deck::Schema<Parallel> parallel;
  parallel.field("parallel.device", &Parallel::device, "auto, or the number of a visible GPU");
  parallel.rule("parallel.device", "it must be auto or the number of a visible GPU",
                [](Parallel const& wish) { return runtime::is_device(wish.device); });
  parallel.field("parallel.share_devices", &Parallel::share_devices,
                 "let several ranks use one GPU; never official");
  parallel
      .field("parallel.gpu_aware_mpi", &Parallel::gpu_aware_mpi,
             "how device arrays are sent: by MPI (aware, or on), from device to device (peer) "
             "or through host memory (staged, or off)")
      .one_of({"auto", "aware", "peer", "staged", "on", "off"});
  return parallel;
}

} // namespace strata::driver
