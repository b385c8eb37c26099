#include "config.hpp"

#include "scene/scene_source.hpp"

#include <cmath>

namespace strata::contact {

namespace {

void problem_keys(deck::Schema<Config>& deck)
{
  deck.field("problem.deck", &Config::deck, "the scene; see the app's README")
      .one_of(scene_names());
  deck.field("problem.file", &Config::file,
             "of deck file: .vtk, .npy, or a table in .csv, .txt or .dat; from the folder that "
             "the run starts in");
  deck.field("problem.degenerate", &Config::degenerate,
             "a file's simplices without volume end the run, or are counted and left out")
      .one_of({"error", "drop"});
  deck.field("problem.elements", &Config::elements,
             "elements at most, over all ranks; a deck has what its form allows; auto: beyond "
             "all caches, but on a host at most 2^16 a thread")
      .word("auto")
      .between(1, std::int64_t{1} << 36);
  deck.field("problem.dim", &Config::dim, "dimensions").between(2, 3);
  deck.field("problem.shape", &Config::shape,
             "elements are spheres (discs), boxes, or simplices: tetrahedra (triangles)")
      .one_of({"sphere", "box", "simplex"});
  deck.field("problem.radius", &Config::radius, "of spheres, half extent of boxes; whole units")
      .word("deck")
      .between(0.0, 4194304.0);
  deck.field("problem.gap", &Config::gap,
             "distance at which objects count as touching; whole units")
      .word("deck")
      .between(-8388608.0, 8388608.0);
  deck.field("problem.spacing", &Config::spacing, "of the lattice; whole units")
      .word("deck")
      .between(1.0, 16777216.0);
  deck.field("problem.neighbours", &Config::neighbours,
             "entries per row on average (random, clump)")
      .word("deck")
      .between(0.001, 10000.0);
  deck.field("problem.speed", &Config::speed,
             "greatest velocity along an axis (random, clump); whole units per step")
      .between(0, 1 << 20);
  deck.field("problem.periodic", &Config::periodic,
             "opposite sides touch (lattice, pack, random)");
  deck.field("problem.points", &Config::points,
             "free points of the lattice; nodes of impact come free where bonds break")
      .one_of({"none", "nodes", "centres"});
  deck.field(
          "problem.between", &Config::between,
          "what may touch: different bodies, elements whatever their bodies, or elements and "
          "free points only")
      .one_of({"bodies", "elements", "points"});
  deck.field("problem.reorder", &Config::reorder, "number elements in the order of cells");
  deck.field("problem.brute_rows", &Config::brute_rows,
             "rows that brute force checks; all of up to 20,000 elements")
      .between(1, 1'000'000);
  deck.field("problem.write_vtk", &Config::write_vtk,
             "VTK file of the elements as the first case leaves them after a step: legacy, or "
             "by a name "
             "that ends in .pvtu one for each rank and a list of them; empty: none");
}

void stepping_keys(deck::Schema<Config>& deck)
{
  deck.field("problem.skin", &Config::skin,
             "candidates are within this of touching, and found anew when something has moved "
             "by half of it; auto is an eighth of the reach")
      .word("auto")
      .between(0.0, 8388608.0);
  deck.field("problem.steps", &Config::steps, "time steps that are timed together (update)")
      .between(1, 100000);
  deck.field("problem.rebuild", &Config::rebuild, "candidates anew when needed, or every step")
      .one_of({"auto", "every"});
  deck.field("problem.bounds", &Config::bounds,
             "the grid follows objects wherever they go; fixed: one that is outside of the box "
             "of all at the start, where candidates are found anew, ends the run")
      .one_of({"follow", "fixed"});
  deck.field("problem.rebalance", &Config::rebalance,
             "elements change owner, where candidates are found anew, when a rank has so many "
             "times the tests of the ranks' mean")
      .word("never")
      .between(1.0, 10000.0);
  deck.field("problem.capacity", &Config::capacity, "entries that a row has room for at first")
      .between(1, most_capacity);
  deck.field("problem.overflow", &Config::overflow,
             "where a row is full: all rows get room (ragged_slack: where its pool is full "
             "too), entries go to a pool, or the run ends")
      .one_of({"grow", "spill", "fail"});
}

void rules(deck::Schema<Config>& deck)
{
  deck.rule("problem.shape", "the deck has no simplices; choose lattice, hoss or file",
            [](Config const& c) {
              return c.shape != "simplex" || is_one_of(c.deck, "lattice", "hoss", "file");
            });
  deck.rule("problem.shape", "shear has spheres only",
            [](Config const& c) { return c.shape == "sphere" || c.deck != "shear"; });
  deck.rule("problem.shape", "spheres2 has boxes only",
            [](Config const& c) { return c.shape == "box" || c.deck != "spheres2"; });
  deck.rule("problem.dim", "spheres2 has three dimensions",
            [](Config const& c) { return c.dim == 3 || c.deck != "spheres2"; });
  deck.rule("problem.dim", "a pack has three dimensions",
            [](Config const& c) { return c.dim == 3 || c.deck != "pack"; });
  deck.rule("problem.periodic", "only lattice, pack and random can be periodic",
            [](Config const& c) {
              return !c.periodic || is_one_of(c.deck, "lattice", "pack", "random");
            });
  deck.rule("problem.points", "only lattice and, at nodes, impact have free points",
            [](Config const& c) {
              return c.points == "none" || c.deck == "lattice" ||
                     (c.deck == "impact" && c.points == "nodes");
            });
  deck.rule("problem.between", "only lattice, impact and file have free points",
            [](Config const& c) {
              return c.between != "points" || c.points != "none" || c.deck == "file";
            });
  deck.rule("problem.radius",
            "only elements of lattice (no simplices), random, clump and file "
            "take it; leave it out",
            [](Config const& c) {
              return !c.radius || is_one_of(c.deck, "random", "clump", "file") ||
                     (c.deck == "lattice" && c.shape != "simplex");
            });
  deck.rule(
      "problem.gap", "only lattice, random, clump, spheres2 and file take it; leave it out",
      [](Config const& c) {
        return !c.gap || is_one_of(c.deck, "lattice", "random", "clump", "spheres2", "file");
      });
  deck.rule("problem.spacing", "only the lattice has it; leave it out",
            [](Config const& c) { return !c.spacing || c.deck == "lattice"; });
  deck.rule(
      "problem.neighbours", "only random and clump take it; leave it out",
      [](Config const& c) { return !c.neighbours || is_one_of(c.deck, "random", "clump"); });
  deck.rule("problem.spacing",
            "it must be even where points are nodes: centres would lie on "
            "half units",
            [](Config const& c) {
              return !c.spacing || c.points != "nodes" || std::fmod(*c.spacing, 2) == 0;
            });
  deck.rule("problem.spacing", "edges of simplices are at most 2^15, for exact arithmetic",
            [](Config const& c) {
              return !c.spacing || c.shape != "simplex" || *c.spacing <= 0x1p15;
            });
  deck.rule("problem.radius",
            "elements of no size touch by a gap alone; give a problem.gap above 0",
            [](Config const& c) {
              return c.radius != 0.0 || !is_one_of(c.deck, "random", "clump") ||
                     (c.gap && *c.gap > 0);
            });
  deck.rule("problem.gap", "a negative gap must leave something of the radii: above -2 radius",
            [](Config const& c) {
              return !c.gap || *c.gap >= 0 || !c.radius || *c.gap > -2 * *c.radius;
            });
  deck.rule("problem.file", "deck file needs a file, and no other deck has one",
            [](Config const& c) { return c.file.empty() == (c.deck != "file"); });
  deck.rule("problem.elements", "a file has as many as it has; leave it at auto",
            [](Config const& c) { return !c.elements || c.deck != "file"; });
  auto const whole = [](Config const& c, std::optional<double> const& value) {
    return !value || c.deck == "file" ||
           *value == static_cast<double>(static_cast<std::int64_t>(*value));
  };
  char const* const why = "it must be a whole number, for exact arithmetic";
  deck.rule("problem.radius", why, [whole](Config const& c) { return whole(c, c.radius); });
  deck.rule("problem.gap", why, [whole](Config const& c) { return whole(c, c.gap); });
  deck.rule("problem.spacing", why, [whole](Config const& c) { return whole(c, c.spacing); });
}

} // namespace

deck::Schema<Config> schema()
{
  deck::Schema<Config> deck("contact",
                            "Ragged contact detection and the statistics of its rows.");
  problem_keys(deck);
  stepping_keys(deck);
  deck.field("cases.kernel", &Config::kernel,
             "list all contacts anew; visit every row; advance in time")
      .one_of({"build", "statistics", "update"});
  deck.field("cases.variant", &Config::variant, "structure of the rows")
      .one_of({"ragged", "dyn_ragged", "dense_right", "dense_left", "ragged_slack", "paged",
               "list_pool", "list", "vecvec"});
  deck.field("cases.broad", &Config::broad, "how candidates are found (build)")
      .one_of({"grid", "hash", "nbs", "brute"});
  deck.field("cases.narrow", &Config::narrow, "how they are tested (build)")
      .one_of({"inlined", "virtual"});
  deck.field("cases.list", &Config::list, "every contact in both rows, or in the lower gid's")
      .one_of({"full", "half"});
  deck.field("cases.list_order", &Config::list_order,
             "linked lists as they were built, or after a long run (statistics)")
      .one_of({"fresh", "churned"});
  deck.field("cases.store", &Config::store,
             "statistics of rows enter a digest alone, or are kept too (statistics)")
      .one_of({"none", "rows"});
  rules(deck);
  return deck;
}

} // namespace strata::contact
