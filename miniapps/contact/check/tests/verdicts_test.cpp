#include "rows/contact_block.hpp"
#include "tests/contacts.hpp"
#include "trials/makers.hpp"
#include "verify/alter.hpp"

#include <algorithm>

// Each verdict, seen to reject what it is there for.

namespace strata::contact {

namespace {

/// Moving spheres, some of whose contacts begin and end in a step.
Config moving()
{
  auto config = everything();
  config.deck = "random";
  config.elements = 400;
  config.speed = 30;
  config.steps = 2;
  return config;
}

/// Overwrites an entry by the one after it in its row: that one is there twice, and the other
/// contact is lost from one of its two rows. False where no row of this rank has two entries.
bool lose_entry(driver::Trial& trial, std::vector<index_t> const& lengths)
{
  auto const longest = std::max_element(lengths.begin(), lengths.end());
  if (longest == lengths.end() || *longest < 2)
    return false;
  index_t entry = 0;
  for (auto length = lengths.begin(); length != longest; ++length)
    entry += *length;
  auto const output = trial.output();
  index_t const entries = output.count() / 3; // of each: gap, neighbour, birth
  auto const copy_next = [&](index_t number) {
    verify::alter_at(output, number, [](auto values, index_t at) {
      auto const place = static_cast<std::size_t>(at);
      values[place] = values[place + 1];
    });
  };
  copy_next(entry);
  copy_next(entries + entry);
  copy_next(2 * entries + entry);
  return true;
}

/// An update whose rows the test reaches.
class Reached : public UpdateTrial<ContactBlock>
{
public:
  explicit Reached(Shared const& problem)
      : UpdateTrial<ContactBlock>(choice(), problem, fill_inlined<ContactBlock>)
  {
  }
  void empty_rows() { this->rows_.spoil(); }
  [[nodiscard]] std::vector<index_t> lengths() const { return row_lengths(this->rows_.view()); }

private:
  static Choice choice()
  {
    Choice choice;
    choice.kernel = "update";
    choice.variant = "dense_right";
    choice.list = "full";
    return choice;
  }
};

/// An update of one step, of which every verdict is good.
struct Stepped
{
  std::shared_ptr<Problem> problem;
  Reached trial;

  explicit Stepped(Config const& config)
      : problem(prepared(config))
      , trial(problem)
  {
    testing::take_steps(trial, 1);
    EXPECT_EQ(rejecting(trial.verify(1), world()), std::set<std::string>());
  }
  [[nodiscard]] runtime::Communicator const& world() const { return problem->setting().world; }
  std::set<std::string> rejecting_now() { return rejecting(trial.verify(1), world()); }

private:
  static std::shared_ptr<Problem> prepared(Config const& config)
  {
    auto const made = std::make_shared<Problem>(config, setting_of_world());
    made->prepare();
    return made;
  }
};

} // namespace

TEST(Verdicts, RejectEveryFaultOfEveryStructure)
{
  auto const problem = std::make_shared<Problem>(moving(), setting_of_world());
  auto const& world = problem->setting().world;
  std::set<std::string> seen;
  int number = 0;
  testing::each_trial(cases_of(problem), [&](driver::Case const& one, driver::Trial& trial) {
    // Other places, over all of the entries, are the fault campaign's. On many ranks the cases
    // take the faults in turn: each verification is tens of messages.
    for (auto const* fault :
         {"value@1:", "value@last:", "nan:", "swap@middle:", "shift:", "half:", "tail:"}) {
      if (world.ranks() > 1 && ++number % 3 != 0)
        continue;
      testing::take_steps(trial, 1);
      if (!world.any(verify::Fault::parse(fault).corrupt(trial.output())))
        continue;
      auto const names = rejecting(trial.verify(1), world);
      EXPECT_FALSE(names.empty()) << one.label << " " << fault;
      seen.insert(names.begin(), names.end());
    }
    testing::take_steps(trial, 1);
    EXPECT_EQ(rejecting(trial.verify(1), world), std::set<std::string>()) << one.label;
  });
  for (auto const* name :
       {"wrong_entries", "checksum_asymmetry", "rows_off_brute_force", "contacts_off_rebuild",
        "checksum_off_first_case", "digest_words_differing"})
    EXPECT_TRUE(seen.contains(name)) << name;
}

TEST(Verdicts, RejectGapsAndNeighboursByTestingThemAgain)
{
  auto const problem = std::make_shared<Problem>(moving(), setting_of_world());
  auto const& world = problem->setting().world;
  int tried = 0;
  testing::each_trial(cases_of(problem), [&](driver::Case const& one, driver::Trial& trial) {
    if (one.label.starts_with("statistics/"))
      return; // which writes no entries
    for (auto const* fault : {"value:", "value@middle:", "nan:"}) {
      testing::take_steps(trial, 1);
      if (world.any(verify::Fault::parse(fault).corrupt(trial.output()))) {
        ++tried;
        EXPECT_TRUE(rejecting(trial.verify(1), world).contains("wrong_entries"))
            << one.label << " " << fault;
      }
    }
  });
  EXPECT_GT(tried, 0);
}

// The last third of the output is births: of a build all are of the step, of an update they are
// not all the same, but equal in both rows of a contact.
TEST(Verdicts, RejectBirths)
{
  auto const problem = std::make_shared<Problem>(moving(), setting_of_world());
  auto const& world = problem->setting().world;
  int tried = 0;
  testing::each_trial(cases_of(problem), [&](driver::Case const& one, driver::Trial& trial) {
    if (one.label.starts_with("statistics/"))
      return;
    testing::take_steps(trial, 1);
    if (!world.any(verify::Fault::parse("value@last:").corrupt(trial.output())))
      return;
    ++tried;
    auto const names = rejecting(trial.verify(1), world);
    EXPECT_TRUE(names.contains("rows_off_brute_force")) << one.label;
    if (one.label.find("/half") == std::string::npos) {
      EXPECT_TRUE(names.contains("checksum_asymmetry")) << one.label;
    }
    if (one.label.starts_with("build/")) {
      EXPECT_TRUE(names.contains("wrong_entries")) << one.label;
    }
  });
  EXPECT_GT(tried, 0);
}

TEST(Verdicts, RejectAnEntryThatIsLostFromOneRow)
{
  Stepped now(moving());
  EXPECT_TRUE(now.world().any(lose_entry(now.trial, now.trial.lengths())));
  auto const names = now.rejecting_now();
  for (auto const* name :
       {"checksum_asymmetry", "rows_off_brute_force", "contacts_off_rebuild"})
    EXPECT_TRUE(names.contains(name)) << name;
  EXPECT_FALSE(names.contains("wrong_entries")); // the one that is left is right
}

TEST(Verdicts, RejectContactsThatAreLostFromBothRows)
{
  auto config = moving();
  config.deck = "lattice";
  Stepped now(config);
  now.trial.empty_rows();
  auto const names = now.rejecting_now();
  for (auto const* name : {"entries_off_balance", "rows_off_brute_force",
                           "contacts_off_rebuild", "pairs_off_closed_form"})
    EXPECT_TRUE(names.contains(name)) << name;
  // Nothing is left that could be wrong, and nothing is symmetric.
  EXPECT_FALSE(names.contains("wrong_entries"));
  EXPECT_FALSE(names.contains("checksum_asymmetry"));
}

TEST(Verdicts, RejectPointsThatAreLost)
{
  auto config = everything();
  config.deck = "lattice";
  config.shape = "box";
  config.points = "nodes";
  config.radius = 2;
  config.spacing = 4;
  config.gap = 0;
  config.elements = 343;
  config.kernel = {"update"};
  Stepped now(config);
  now.trial.empty_rows();
  EXPECT_TRUE(now.rejecting_now().contains("point_entries_off_closed_form"));
}

} // namespace strata::contact
