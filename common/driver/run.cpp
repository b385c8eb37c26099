#include "answer.hpp"
#include "ceiling.hpp"
#include "ending.hpp"
#include "options.hpp"
#include "program.hpp"
#include "sweep.hpp"
#include "validity.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "report/console.hpp"
#include "report/file.hpp"
#include "report/google_benchmark.hpp"
#include "report/json.hpp"
#include "report/lines.hpp"
#include "report/table.hpp"
#include "runtime/context.hpp"
#include "runtime/launcher.hpp"
#include "runtime/memory.hpp"
#include "runtime/node/cpuset.hpp"
#include "runtime/node/environment.hpp"
#include "runtime/node/interrupt.hpp"
#include "runtime/node/peers.hpp"
#include "runtime/session.hpp"

#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <optional>

namespace strata::driver {

namespace {

/// Printed by one rank: a full disk there is that rank's error alone.
Exit print(std::string const& answer)
try {
  if (runtime::is_first_of_job())
    std::cout << answer;
  require_printed();
  return Exit::ok;
} catch (Error const& error) {
  return say(error);
}

/// A run between its command line and its last line.
class Run
{
public:
  Run(Program const& program, Options const& options, runtime::Session& session, int argc,
      char** argv, bool by_launcher)
      : program_(program)
      , options_(options)
      , session_(session)
      , world_(session.world())
      , cmdline_(argv, argv + argc)
      , by_launcher_(by_launcher)
      , colour_(report::shows_colour(STDOUT_FILENO) && !by_launcher)
  {
  }

  Exit go();
  /// The RESULT line of a run that ended in `exit`.
  void print_result(Exit exit) const;
  /// That of a run that ended well.
  [[nodiscard]] Exit pass() const;

private:
  [[nodiscard]] bool speaks() const { return world_.rank() == 0; }
  /// The stream for people: standard error where standard output has Google Benchmark's report.
  [[nodiscard]] std::ostream& out() const
  {
    return options_.benchmark.prints() ? std::cerr : std::cout;
  }

  /// Whether facts are printed as lines: not where a terminal, which a launcher may only
  /// pretend to be, shows people the table of them.
  [[nodiscard]] bool has_lines() const
  {
    int const shown = options_.benchmark.prints() ? STDERR_FILENO : STDOUT_FILENO;
    return options_.lines || options_.quiet || by_launcher_ || isatty(shown) == 0;
  }

  void read_plan();
  void start();
  std::vector<Case> select_cases(Setting const& setting);
  void require_memory(index_t needed, index_t there) const;
  void describe_run();
  void judge_validity(Findings const& findings, bool fault, Setting const& setting);
  Exit report(Findings const& findings);
  Exit write_record();

  Program const& program_;
  Options const& options_;
  runtime::Session& session_;
  runtime::Communicator world_;
  std::vector<std::string> cmdline_;
  bool by_launcher_;
  bool colour_;
  Plan plan_;
  report::Record record_;
  std::vector<std::string> remarks_; ///< on what was measured
  std::optional<report::Destination> destination_;
  std::string file_;
};

void Run::read_plan()
{
  // Rank 0 reads the file; all ranks fail where it cannot.
  std::string text;
  world_.together([&] {
    if (speaks())
      text = deck_text(program_, options_);
  });
  auto const document = read_deck(options_, world_.broadcast(text));
  plan_ = program_.read(document);
  plan_.rules = measure::Floors::raise(plan_.rules);
  record_.deck = {options_.deck, document.sha256(), plan_.effective, plan_.defaults,
                  document.overrides()};
}

void Run::start()
{
  session_.start(plan_.parallel, options_.kokkos);
  destination_ = options_.output.empty()
                     ? report::Destination::in_results(options_.output_dir,
                                                       runtime::system_name(), program_.name)
                     : report::Destination::exactly(options_.output);
}

std::vector<Case> Run::select_cases(Setting const& setting)
{
  return select(program_, options_, plan_.cases(setting));
}

void Run::require_memory(index_t needed, index_t there) const
{
  world_.together([&] {
    if (needed > there)
      throw Error(Exit::memory,
                  "the arrays need " + text::bytes(static_cast<double>(needed)) + " on rank " +
                      std::to_string(world_.rank()) + ", where " +
                      text::bytes(static_cast<double>(there)) +
                      " are free; make the deck's problem smaller or run fewer ranks per node");
  });
}

void Run::describe_run()
{
  record_.suite = runtime::suite_facts();
  record_.app = program_.name;
  record_.build = runtime::build_facts();
  record_.run.start_utc = runtime::utc_now();
  record_.run.cmdline = cmdline_;
  record_.run.system = runtime::system_name();
  record_.run.user_label = runtime::user_label();
  record_.run.job = runtime::job();
  record_.run.tier = plan_.rules.tier;
  record_.placement = session_.placement();
  record_.mpi = {world_.ranks(), runtime::node_count(world_), session_.gpu_aware()};
  record_.environment = runtime::allowed_environment();
}

Exit Run::go()
{
  runtime::require_one_job(world_);
  read_plan();
  start();
  if (options_.report_binding) {
    if (speaks())
      std::cout << runtime::binding_report(session_.placement())
                << report::warning_lines(session_.warnings(), colour_);
    return Exit::ok;
  }
  if (options_.in_turn && world_.ranks() > 1)
    throw Error(Exit::placement, "--in-turn is for runs of one rank; here are " +
                                     std::to_string(world_.ranks()));
  index_t const sharers = options_.in_turn ? 2 : 1;
  auto const fault = verify::Fault::from_environment();
  Setting const setting{session_.share(),
                        plan_.rules.seed,
                        world_.min(runtime::available_memory() / sharers),
                        world_.max(runtime::last_level_cache_bytes()),
                        world_,
                        session_.gpu_aware()};
  auto cases = select_cases(setting);
  world_.together([&] {
    if (speaks()) {
      destination_->probe();
      report::probe(options_.benchmark);
    }
  });
  describe_run();

  bool const terminal = speaks() && !options_.quiet && isatty(STDERR_FILENO) != 0;
  report::Progress progress(std::cerr, terminal);
  Sweep sweep(
      world_, plan_.rules, [&](std::string const& text) { progress.show(text); },
      runtime::numa_nodes(runtime::process_cpus()).size() > 1 ? Placement::of_each_case
                                                              : Placement::once);
  if (options_.in_turn)
    sweep.take_turns(*options_.in_turn);
  sweep.add(std::move(cases), false);
  // A run in turn is for its cases' ratios, whose rounds ceilings would lengthen several times.
  if (!plan_.rules.smoke() && !options_.in_turn)
    sweep.add(ceiling_cases(setting), true);
  auto const there =
      runtime::available_memory() / sharers; // less what the scenes of the cases took
  auto const least = world_.min(there);
  if (speaks() && !options_.quiet)
    out() << report::heading(record_, colour_) << "  memory   "
          << text::bytes(static_cast<double>(sweep.bytes())) << " per rank, of "
          << text::bytes(static_cast<double>(least)) << "\n"
          << report::warning_lines(session_.warnings(), colour_) << std::flush;
  require_memory(sweep.bytes(), there);

  auto findings = sweep.run(fault);
  progress.clear();
  record_.energy = findings.energy;
  record_.energy_reason = findings.energy_reason;
  record_.cases = std::move(findings.cases);
  record_.ceilings = std::move(findings.ceilings);
  judge_validity(findings, fault.has_value(), setting);
  return report(findings);
}

/// Judges the record, and says what keeps a run of tier official from being that.
void Run::judge_validity(Findings const& findings, bool fault, Setting const& setting)
{
  mark_in_cache(record_.cases, world_.ranks(), setting.beyond_cache());
  Conduct const conduct{.interrupted = findings.interrupted,
                        .fault_injected = fault,
                        .converged = findings.converged,
                        .exclusive = session_.exclusive() && !options_.in_turn,
                        .measured_s = findings.measured_s,
                        .sample_floor_s = measure::sample_floor_s(plan_.rules, !device_is_host),
                        .cache_bytes = setting.cache_bytes,
                        .tool = runtime::profiling_tool()};
  record_.validity = judge(record_, conduct);
  if (plan_.rules.official())
    for (auto const& word : record_.validity.reasons)
      remarks_.push_back("not official (" + word + "): " + explain(word, record_, conduct));
}

Exit Run::report(Findings const& findings)
{
  Exit exit = Exit::ok;
  if (findings.interrupted)
    exit = Exit::interrupted;
  else if (!record_.validity.valid)
    exit = Exit::verification;
  else if (options_.strict && !record_.validity.official)
    exit = Exit::run_rule;
  Exit written = Exit::ok;
  if (speaks()) {
    if (!options_.quiet)
      out() << report::ceiling_line(record_, colour_) << report::table(record_, colour_) << "\n"
            << report::warning_lines(remarks_, colour_);
    if (has_lines())
      out() << report::fact_lines(record_);
    out() << std::flush;
    written = write_record();
  }
  written = static_cast<Exit>(world_.broadcast(static_cast<std::int64_t>(written)));
  return exit == Exit::ok ? written : exit;
}

/// On rank 0, after the figures were printed, so that a full disk does not lose them.
Exit Run::write_record()
{
  try {
    file_ = destination_->write(record_).string();
    report::replay(record_, options_.benchmark, std::cout);
    require_printed();
  } catch (Error const& error) {
    std::cerr << "strata-" << program_.name << ": " << error.what() << std::endl;
    return error.exit();
  }
  return Exit::ok;
}

void Run::print_result(Exit exit) const
{
  if (speaks() && !options_.report_binding)
    out() << report::result_line(program_.name, {exit, record_.validity, file_}) << std::flush;
}

Exit Run::pass() const
try {
  print_result(Exit::ok);
  require_printed();
  return Exit::ok;
} catch (Error const& error) {
  return say(error);
}

} // namespace

int run_program(Program const& program, int argc, char** argv)
{
  runtime::outlive_readers();
  Options options;
  std::exception_ptr early;
  try {
    options = parse_options({argv + 1, argv + argc});
    if (auto const text = answer(program, options))
      return static_cast<int>(print(*text));
  } catch (std::exception const& error) {
    if (!runtime::launched()) {
      auto const exit = say(error);
      std::cout << report::result_line(program.name, {exit, {}, {}}) << std::flush;
      return static_cast<int>(exit);
    }
    // A launcher may kill the other ranks as soon as one exits with an error: MPI tells whether
    // rank 0 has printed its message.
    early = std::current_exception();
  }

  runtime::watch_interrupts();
  std::optional<runtime::PeerWatch> watch;
  if (runtime::launched())
    watch.emplace(end_stopped);
  bool const by_launcher =
      runtime::launched(); // MPI tells the same of a process by itself, once it is up
  runtime::Session session(argc, argv);
  Run run(program, options, session, argc, argv, by_launcher);
  Exit exit = Exit::internal;
  try {
    if (early)
      std::rethrow_exception(early);
    exit = run.go();
  } catch (std::exception const& error) {
    exit = end_with(error, session.world());
  }
  if (exit != Exit::ok)
    run.print_result(exit); // before a rank leaves: a launcher may then end the others
  session.end();
  if (exit == Exit::ok) // a job that breaks before its end has not passed
    exit = run.pass();
  return static_cast<int>(exit);
}

} // namespace strata::driver
