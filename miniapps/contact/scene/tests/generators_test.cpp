#include "scene/cells.hpp"
#include "scene/generators.hpp"
#include "tests/contacts.hpp"

namespace strata::contact {

namespace {

Config small(std::string const& deck, index_t elements, std::string const& shape, int dim)
{
  Config config; // two structures: tests/golden_test.cpp has them all
  config.kernel = {"build", "statistics", "update"};
  config.deck = deck;
  config.elements = elements;
  config.shape = shape;
  config.dim = dim;
  config.steps = 3;
  config.skin = 16;
  return config;
}

} // namespace

// The closed forms of contact.md section 6 are among the checks that every case passes.

TEST(Decks, LatticesOfEveryShape)
{
  for (int const dim : {2, 3})
    for (auto const* shape : {"sphere", "box", "simplex"})
      for (bool const periodic : {false, true}) {
        auto config = small("lattice", 200, shape, dim);
        config.periodic = periodic;
        found_in(config);
      }
}

TEST(Decks, FreePointsOfALattice)
{
  for (int const dim : {2, 3})
    for (auto const* shape : {"box", "simplex"})
      for (auto const* points : {"nodes", "centres"}) {
        auto config = small("lattice", 100, shape, dim);
        config.points = points;
        config.gap = 0;
        found_in(config);
      }
}

TEST(Decks, Packs)
{
  for (auto const* shape : {"sphere", "box"})
    for (bool const periodic : {false, true}) {
      auto config = small("pack", 256, shape, 3);
      config.periodic = periodic;
      found_in(config);
    }
}

TEST(Decks, RandomObjectsThatReflectAndWrap)
{
  for (int const dim : {2, 3})
    for (auto const* shape : {"sphere", "box"})
      for (bool const periodic : {false, true}) {
        auto config = small("random", 151, shape, dim);
        config.periodic = periodic;
        config.steps = 8;
        config.list = {"full", "half"};
        found_in(config);
      }
}

/// The message that a deck's first preparation ends with.
std::string refusal(Config const& config)
{
  try {
    Problem(config, setting_of_world()).prepare();
  } catch (Error const& error) {
    EXPECT_EQ(error.exit(), Exit::deck);
    return error.what();
  }
  return "nothing was refused";
}

TEST(Decks, RandomPairsSpreadAsTheyMay)
{
  auto config = small("random", 1500, "sphere", 2);
  config.kernel = {"build"};
  config.variant = {"ragged"};
  config.radius = 4000;
  for (bool const periodic : {false, true})
    for (std::uint64_t seed = 1; seed <= 10; ++seed) { // one fails where σ² is the mean
      config.periodic = periodic;
      config.neighbours = 150;
      auto setting = setting_of_world();
      setting.seed = seed;
      auto const problem = std::make_shared<Problem>(config, setting);
      EXPECT_LT(problem->expected(0)->deviation, problem->expected(0)->pairs / 30);
      found_by(problem);
    }
}

TEST(Decks, WithPeriodicBoxesAreLargeEnoughForEachContactToBeThereOnce)
{
  auto config = small("random", 20, "sphere", 3);
  config.periodic = true;
  config.neighbours = 100;
  auto const message = refusal(config);
  EXPECT_NE(message.find("the periodic box is 965 units wide and objects 1024 apart are looked "
                         "at: some would meet twice"),
            std::string::npos)
      << message;
  config.neighbours = 1;
  config.skin = 3000;
  config.steps = 1;
  EXPECT_EQ(refusal(config), "nothing was refused"); // there is no skin where nothing moves
  EXPECT_THROW(found_in(config), Error);
}

TEST(Decks, ThatWrapFindCandidatesAnewButMoveNoFurther)
{
  auto config = small("random", 2000, "sphere", 3);
  config.periodic = true;
  config.steps = 6;
  config.skin = 64;
  auto facts = found_in(config);
  EXPECT_EQ(facts["update steps_beyond_skin"], "0");
  EXPECT_NE(facts["update rebuilds"], "0");
}

TEST(Decks, WithANegativeGapHaveSomethingLeftOfTheirOwnRadii)
{
  auto config = small("lattice", 1000, "sphere", 3);
  config.gap = -10;
  EXPECT_EQ(refusal(config),
            "problem.gap is -10 and radii are 2: nothing is left of them; above "
            "-2 radius something is");
  config.deck = "random";
  config.gap = -2000;
  EXPECT_EQ(refusal(config), "problem.gap is -2000 and radii are 512: nothing is left of them; "
                             "above -2 radius something is");
}

TEST(Decks, HaveTheSameContactsInAllCases)
{
  auto config = small("random", 300, "sphere", 3);
  config.kernel = {"build"};
  config.list = {"full", "half"};
  auto const problem = std::make_shared<Problem>(config, setting_of_world());
  auto const cases = cases_of(problem);
  EXPECT_EQ(problem->first_checksum(0, Choice{}, 6, false), std::nullopt); // failed: no measure
  EXPECT_EQ(problem->first_checksum(0, Choice{}, 7, true), std::nullopt);  // the first
  EXPECT_EQ(problem->first_checksum(0, Choice{}, 8, true), std::nullopt);
  EXPECT_EQ(problem->first_checksum(1, Choice{}, 9, true), std::nullopt);
  testing::each_trial(cases, [](driver::Case const& one, driver::Trial& trial) {
    testing::take_steps(trial, 1);
    int compared = 0;
    for (auto const& verdict : trial.verify(1)) {
      bool const compares = verdict.metric == "checksum_off_first_case";
      EXPECT_EQ(verdict.passed, !compares) << one.label << ": " << verdict.metric;
      compared += compares ? 1 : 0;
    }
    EXPECT_EQ(compared, 1) << one.label;
  });
}

TEST(Decks, Clumps)
{
  found_in(small("clump", 300, "sphere", 3));
}

TEST(Decks, BlocksAndTheirDebris)
{
  for (int const dim : {2, 3})
    for (auto const* shape : {"sphere", "box", "simplex"})
      for (index_t const elements : {1, 500, 12000})
        found_in(small("hoss", elements, shape, dim));
}

// What the figures of S5, Tables 9 and 10, come from.
TEST(Decks, BlocksHaveThreeEntriesOnFourRows)
{
  for (int const dim : {2, 3})
    for (auto const* shape : {"sphere", "box", "simplex"})
      for (index_t const most : {100000, 10000000}) {
        auto const config = small("hoss", most, shape, dim);
        auto const world = runtime::Communicator::world();
        Hoss const source(SceneOptions{config, 1, most, world});
        index_t const elements = source.scene().elements;
        EXPECT_NEAR(2 * source.expected(0)->pairs / static_cast<double>(elements), 0.75, 0.01)
            << elements << " of " << shape << " in " << dim << " dimensions";
        EXPECT_LE(elements, most);
        EXPECT_GT(elements, 3 * most / 4);
      }
}

TEST(Decks, SpheresOfTwoColours)
{
  for (index_t const elements : {1, 64, 1000})
    found_in(small("spheres2", elements, "box", 3));
  auto const config = small("spheres2", 1, "box", 3);
  for (Counts const& sizes : {Counts{1, 2, 3}, {1, 4, 2}, {5, 2, 1}}) {
    auto facts = found_by(std::make_shared<Problem>(config, setting_of_world(),
                                                    std::make_unique<Spheres2>(config, sizes)));
    EXPECT_NE(facts["build contacts"], "0");
  }
}

TEST(Decks, BetweenElementsCountsThoseOfABodyToo)
{
  for (auto const* deck : {"hoss", "impact", "spheres2"}) {
    auto config = small(deck, 500, "box", 3);
    auto const bodies = found_in(config);
    config.between = "elements";
    auto const elements = found_in(config);
    EXPECT_LT(std::stol(bodies.at("build contacts")), std::stol(elements.at("build contacts")))
        << deck;
  }
}

TEST(Decks, BetweenPointsCountsNoElements)
{
  for (auto const* shape : {"box", "simplex"}) {
    auto config = small("lattice", 100, shape, 2);
    config.points = "nodes";
    config.gap = 0;
    config.between = "points";
    auto facts = found_in(config);
    // Corners of 100 squares, or of the 98 triangles that 49 squares are cut into.
    EXPECT_EQ(facts["build contacts"], config.shape == "box" ? "400" : "294");
  }
}

TEST(Decks, ShearBeginsAndEndsContactsAsItMust)
{
  auto config = small("shear", 32, "sphere", 2);
  int const pairs[] = {46, 61, 45, 45, 45, 59, 44, 44, 44, 57, 43, 43};
  int const ages[] = {46, 92, 105, 150, 195, 240, 224, 268, 312, 356, 343, 386};
  for (int step = 1; step <= 12; ++step) {
    config.steps = step;
    auto facts = found_in(config);
    EXPECT_EQ(facts["update contacts"], std::to_string(2 * pairs[step - 1])) << step;
    EXPECT_EQ(facts["update age"], std::to_string(2 * ages[step - 1])) << step;
  }
}

TEST(Decks, ImpactIsTheSameOnAnyRanksAndWhateverTheSkin)
{
  auto config = small("impact", 300, "sphere", 3);
  config.steps = 12;
  auto facts = found_in(config);
  EXPECT_EQ(facts["update checksum"], "8ca38b065859846d");
  EXPECT_EQ(facts["build contacts"], "0");
  config.rebuild = "every";
  config.skin = 0;
  auto const rebuilt = found_in(config);
  EXPECT_EQ(facts["update checksum"], rebuilt.at("update checksum"));
  EXPECT_EQ(facts["update age"], rebuilt.at("update age"));
  config.shape = "box";
  config.dim = 2;
  found_in(config);
}

TEST(Cells, AreCutIntoSimplicesOfPositiveVolume)
{
  for (int const dim : {2, 3})
    for (index_t part = 0; part < simplices_of_cell(dim); ++part) {
      auto const& v = corners_of_part(dim, part, 2).offset;
      auto const edge = [&](std::size_t c, std::size_t k) { return v[c][k] - v[0][k]; };
      double volume = 0;
      if (dim == 2)
        volume = edge(1, 0) * edge(2, 1) - edge(1, 1) * edge(2, 0);
      else
        for (std::size_t k = 0; k < 3; ++k)
          volume += edge(1, k) * (edge(2, (k + 1) % 3) * edge(3, (k + 2) % 3) -
                                  edge(2, (k + 2) % 3) * edge(3, (k + 1) % 3));
      EXPECT_EQ(volume, dim == 2 ? 4 : 8) << dim << ' ' << part;
    }
}

} // namespace strata::contact
