#include "every_case.hpp"

#include "base/cuda/device.hpp"
#include "base/error.hpp"
#include "controls/vendor.hpp"
#include "matrix/reference.hpp"
#include "testing/fences.hpp"
#include "testing/listener.hpp"
#include "trials/checks.hpp"
#include "trials/counter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace strata::mgs {

namespace {

using testing::passes;

TEST(MgsTrials, PassOnEveryRankAndSize)
{
  auto const world = runtime::Communicator::world();
  for (auto const& [rows, columns] : std::vector<std::pair<index_t, index_t>>{
           {523, 9}, {64, 32}, {32, 32}, {1000, 1}, {65, 4}, {7, 5}, {131, 17}, {3, 2}})
    each_trial(
        everything(rows, columns), 1,
        [&](driver::Case const& one, driver::Trial& trial) {
          EXPECT_TRUE(passes(trial)) << one.label << " " << rows << " x " << columns;
        },
        world);
}

TEST(MgsTrials, LibrariesGetWhatTheirSizesCanName)
{
  if (*vendor::unavailable() != '\0')
    GTEST_SKIP() << vendor::unavailable();
  for (std::string const algorithm : {"cholesky2", "householder"}) {
    Choice const choice{algorithm, "vendor", "left", "device"};
    Problem problem;
    problem.matrix.columns = 32;
    problem.count = 1000;
    EXPECT_EQ(vendor_unavailable(choice, problem), "");
    problem.count = 98977536; // 3.2 billion elements
    EXPECT_EQ(vendor_unavailable(choice, problem),
              device_is_host ? "" : "its sizes are 32-bit numbers; lower problem.rows");
    problem.count = index_t{3} << 30;
    EXPECT_EQ(vendor_unavailable(choice, problem),
              "its sizes are 32-bit numbers; lower problem.rows");
  }
}

TEST(MgsTrials, PassOnMoreColumnsThanALaunchHandles)
{
  auto const world = runtime::Communicator::world();
  each_trial(
      everything(301, 75), 1,
      [&](driver::Case const& one, driver::Trial& trial) {
        EXPECT_TRUE(passes(trial)) << one.label;
        EXPECT_EQ(trial.verify(1).size(), 3U) << one.label;
      },
      world);
}

/// Every case of the algorithms that go by panels.
Config by_panels(index_t rows, index_t columns, std::string const& matrix = "random")
{
  auto config = everything(rows, columns, matrix);
  config.algorithm = {"blocked", "cholesky2"};
  config.variant = {"span"};
  config.results = {"device"};
  config.scalar = {"double"};
  return config;
}

TEST(MgsTrials, PassWithSeveralPanels)
{
  auto const world = runtime::Communicator::world();
  auto many_rows = by_panels(30011, 131); // a GPU's team goes from tile to tile
  many_rows.layout = {"left"};
  auto steep = by_panels(700, 64, "kahan"); // its first panel's products are made anew
  steep.kahan_angle = 1.05;
  for (auto const& config : {many_rows, steep, by_panels(331, 260)})
    for (int const steps : {1, 2})
      each_trial(
          config, steps,
          [&](driver::Case const& one, driver::Trial& trial) {
            EXPECT_TRUE(passes(trial, steps)) << one.label << " after " << steps;
          },
          world);
}

/// Else it would fall back, and only its time would tell.
TEST(MgsTrials, UpdateAPanelInOnePassOnAHopper)
{
#if defined(KOKKOS_ENABLE_CUDA)
  if (nvidia::attribute(cudaDevAttrComputeCapabilityMajor) == 9) {
    EXPECT_EQ(most_in_one_pass(), 192);
    return;
  }
#endif
  if (!device_is_host)
    GTEST_SKIP() << "the device is no Hopper";
  EXPECT_EQ(most_in_one_pass(), 0);
}

TEST(MgsTrials, PassOnEveryMatrixAndAfterMoreSteps)
{
  auto const world = runtime::Communicator::world();
  for (std::string const matrix : {"random", "kahan", "laplacian"})
    for (int const steps : {1, 2, 3}) {
      auto config = everything(523, 12, matrix);
      if (matrix == "laplacian") {
        config.rows.reset();
        config.square = {32, 19};
      }
      each_trial(
          config, steps,
          [&](driver::Case const& one, driver::Trial& trial) {
            EXPECT_TRUE(passes(trial, steps)) << one.label << " after " << steps;
          },
          world);
    }
}

TEST(MgsTrials, FindTheReferencesR)
{
  auto const world = runtime::Communicator::world();
  constexpr index_t rows = 211;
  constexpr index_t columns = 11;
  driver::Setting const setting = setting_of(world);
  Matrix const matrix{MatrixKind::random, rows, columns, setting.seed, 1.2};
  reference::Columns a{rows, {}};
  for (index_t k = 0; k < columns; ++k) {
    a.column.emplace_back();
    for (index_t i = 0; i < rows; ++i)
      a.column.back().push_back(matrix(i, k));
  }
  auto const expected = reference::modified_gram_schmidt(a).r;
  each_trial(
      everything(rows, columns), 1,
      [&](driver::Case const& one, driver::Trial& trial) {
        with_any(trial, [&](auto& found) {
          auto const r = fetched(found.factor());
          for (index_t k = 0; k < columns; ++k)
            for (index_t j = 0; j <= k; ++j) {
              double const wanted =
                  expected.column[static_cast<std::size_t>(k)][static_cast<std::size_t>(j)];
              double const sign =
                  one.label.find("vendor") != std::string::npos && r(j, j) < 0 ? -1 : 1;
              double const error = one.label.find("/float") == std::string::npos ? 1e-12 : 1e-6;
              EXPECT_NEAR(sign * r(j, k), wanted, error) << one.label << " " << j << " " << k;
            }
        });
      },
      world);
}

TEST(MgsTrials, MakeAsManyAllreducesAsTheCaseSays)
{
  auto const world = runtime::Communicator::world();
  for (index_t const columns : {1, 9, 32, 75, 163})
    each_trial(
        everything(203, columns), 1,
        [&](driver::Case const& one, driver::Trial& trial) {
          with_any(trial, [&](auto& found) {
            auto const told = std::find(one.problem.begin(), one.problem.end(),
                                        std::pair<std::string, std::string>(
                                            "allreduces", std::to_string(found.allreduces())));
            EXPECT_NE(told, one.problem.end()) << one.label << ' ' << found.allreduces();
          });
        },
        world);
}

/// ‖QᵀQ − I‖ of one algorithm on Kahan's matrix.
double loss_of(std::string const& name, index_t columns, double angle)
{
  auto config = everything(700, columns, "kahan");
  config.algorithm = {name};
  config.variant = {"span"};
  config.layout = {"left"};
  config.results = {"device"};
  config.scalar = {"double"};
  config.kahan_angle = angle;
  double loss = 0;
  each_trial(config, 1, [&](driver::Case const&, driver::Trial& trial) {
    loss = error_of(trial, "orthogonality");
  });
  return loss;
}

/// A library factorises all columns at once.
TEST(MgsTrials, CountNoPanelsOfLibraries)
{
  constexpr index_t columns = 240; // more than any device processes at once
  auto const work = work_of(whole_algorithm("cholesky2"), 100, columns);
  EXPECT_EQ(work.bytes_read, 4 * 100 * columns * 8);
  EXPECT_EQ(work.bytes_written, 2 * 100 * columns * 8);
  EXPECT_GT(work_of(algorithm("cholesky2"), 100, columns).bytes_read, work.bytes_read);
}

TEST(MgsTrials, PassOnPanelsOfColumns)
{
  auto const world = runtime::Communicator::world();
  for (auto const& [rows, columns] :
       std::vector<std::pair<index_t, index_t>>{{523, 33}, {64, 64}, {301, 163}, {200, 200}})
    for (int const steps : {1, 2}) {
      auto config = everything(rows, columns);
      config.algorithm = {"blocked", "cholesky2"};
      config.variant = {"span"};
      each_trial(
          config, steps,
          [&](driver::Case const& one, driver::Trial& trial) {
            EXPECT_EQ(one.unavailable, "");
            EXPECT_TRUE(passes(trial, steps))
                << one.label << " " << rows << " x " << columns << " after " << steps;
          },
          world);
    }
}

TEST(MgsTrials, LoseOrthogonalityAsTheorySays)
{
  double const mgs = loss_of("sequence", 24, 1.1);
  double const cgs = loss_of("classical", 24, 1.1);
  EXPECT_GT(mgs, 1e-14);     // eps times condition
  EXPECT_GT(cgs, 100 * mgs); // squared
  for (auto const* name : {"classical2", "cholesky2"})
    EXPECT_LT(loss_of(name, 24, 1.1), 1e-14) << name;
  for (auto const* name : {"batched", "fused", "blocked"})
    EXPECT_LT(loss_of(name, 24, 1.1), 100 * mgs) << name;
}

TEST(MgsTrials, LoseNoMoreFromPanelToPanelThanMgs)
{
  for (index_t const columns : {40, 48, 64})
    EXPECT_LT(loss_of("blocked", columns, 1.05), loss_of("sequence", columns, 1.05));
}

TEST(MgsTrials, ShiftWhereCholeskyFails)
{
  // Condition 1e9: its square leaves nothing of the last pivots.
  for (auto const* name : {"blocked", "cholesky2"})
    EXPECT_LT(loss_of(name, 32, 0.95), 1e-6) << name;
  EXPECT_LT(loss_of("cholesky2", 32, 0.95), 1e-13);
  // The first of two panels needs the shift, as above.
  EXPECT_LT(loss_of("blocked", 36, 0.95), 1e-5);
  EXPECT_LT(loss_of("cholesky2", 36, 0.95), 1e-13);
  EXPECT_GT(loss_of("classical", 32, 0.95), 1e-4);
}

/// What becomes of an input whose ninth column is beyond all digits: Kahan's pivots fall as the
/// powers of the angle's sine. The error's message, or which verdict fails first.
std::string outcome_of_dependent_columns(std::string const& name)
{
  Problem problem;
  problem.matrix = {MatrixKind::kahan, 200, 12, 1, 0.02};
  problem.count = 200;
  driver::Workspace workspace;
  workspace.reserve({slot(problem)});
  Choice const choice{name, "span", "left", "device"};
  auto const maker =
      row_maker(choice, problem) ? row_maker(choice, problem) : tile_maker(choice, problem);
  auto const trial = maker(workspace);
  trial->reset();
  trial->step();
  try {
    for (auto const& verdict : trial->verify(1))
      if (!verdict.passed)
        return verdict.metric;
  } catch (Error const& error) {
    EXPECT_EQ(error.exit(), Exit::verification);
    return error.what();
  }
  return "passed";
}

TEST(MgsTrials, NameTheColumnThatDependsOnOthers)
{
  for (auto const* name :
       {"sequence", "batched", "fused", "classical2", "blocked", "cholesky2"})
    EXPECT_TRUE(outcome_of_dependent_columns(name).starts_with(
        "the input is rank-deficient: column 8 of 0 to 11 depends on those before it"))
        << name << ": " << outcome_of_dependent_columns(name);
  // What CGS has left of the column is not orthogonal to the others, and therefore long.
  EXPECT_EQ(outcome_of_dependent_columns("classical"), "orthogonality");
}

TEST(MgsTrials, LabelEveryLaunchAndAllocation)
{
  testing::Listener const listener;
  each_trial(everything(523, 9), 1,
             [](driver::Case const&, driver::Trial& trial) { passes(trial); });
  EXPECT_FALSE(listener.launches().empty());
  EXPECT_EQ(listener.strangers(), std::vector<std::string>());
}

/// MGS of one layout as S1 writes it, with its sums on the device or brought back to the host.
Config sequence_of(std::string const& results)
{
  auto config = everything(523, 32);
  config.algorithm = {"sequence"};
  config.variant = {"span"};
  config.layout = {"left"};
  config.results = {results};
  return config;
}

TEST(MgsTrials, MakeTheSeedsLaunches)
{
  each_trial(sequence_of("device"), 0, [](driver::Case const&, driver::Trial& trial) {
    testing::Listener const listener;
    trial.step();
    EXPECT_EQ(listener.launches().size(), 1056U);
  });
}

/// The seeds' launches follow each other without a round trip to the host.
TEST(MgsTrials, WaitOnlyForSumsThatComeBack)
{
  int const allocates = 1; // a step, which may wait
  for (std::string const results : {"device", "host"})
    each_trial(sequence_of(results), allocates, [&](driver::Case const&, driver::Trial& trial) {
      testing::Fences const fences;
      trial.step();
      EXPECT_EQ(testing::Fences::seen() > 0, results == "host") << results;
    });
}

TEST(MgsTrials, CountFlopsOfMgsFirst)
{
  each_trial(everything(523, 9), 1, [](driver::Case const& one, driver::Trial& trial) {
    EXPECT_EQ(trial.metrics().front().name, "flops");
    EXPECT_EQ(trial.metrics().front().amount, 523 * (2 * 81 + 9)) << one.label;
  });
}

/// The message of the deck error that listing these cases ends in.
std::string refusal(Config const& config, runtime::Share share)
{
  driver::Setting setting;
  setting.share = share;
  try {
    cases(config, setting);
  } catch (Error const& error) {
    EXPECT_EQ(error.exit(), Exit::deck);
    return error.what();
  }
  return "none";
}

TEST(MgsCases, RefuseShapesThatMakeNoSense)
{
  EXPECT_EQ(refusal(everything(5, 9), {}),
            "the problem has 5 rows and 9 columns; columns after the first 5 would depend on "
            "them: raise problem.rows or lower problem.columns");
  EXPECT_EQ(refusal(everything(2, 1), {0, 3}),
            "the problem has 2 rows and 1 column; there are 3 ranks, and each needs a row: "
            "raise problem.rows or use fewer ranks");
  EXPECT_EQ(refusal(everything(20, 9, "laplacian"), {}),
            "the problem has 20 rows and 9 columns; matrix laplacian is square: name sizes in "
            "problem.square");
}

TEST(MgsCases, CompareRowPointersWithTheSpanOfTheirOrder)
{
  int count = 0;
  for (auto const& one : cases(everything(75, 33), {}))
    if (one.label.find("vector_of_vectors") != std::string::npos) {
      EXPECT_EQ(one.label, "classical/vector_of_vectors/right/device");
      EXPECT_EQ(one.control, "classical/span/right/device");
      EXPECT_EQ(one.unavailable.empty(), device_is_host);
      ++count;
    }
  EXPECT_EQ(count, 1);
}

TEST(MgsCases, CompareTheVendorsCholeskyWithTheSpansLikeForLike)
{
  std::map<std::string, std::string> controls;
  for (auto const& one : cases(everything(75, 9), {}))
    controls[one.label] = one.control;
  EXPECT_EQ(controls["cholesky2/vendor/left/device"], "cholesky2/span/left/device");
  EXPECT_EQ(controls["householder/vendor/left/device"], "blocked/span/left/device");
  EXPECT_EQ(controls["tsqr/vendor/left/device"], "blocked/span/left/device");
}

} // namespace

} // namespace strata::mgs
