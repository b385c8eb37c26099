#include "cases.hpp"

#include "base/decades.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "controls/vendor.hpp"
#include "driver/axis.hpp"
#include "runtime/node/host_library.hpp"
#include "trials/counter.hpp"
#include "trials/problem.hpp"

#include <algorithm>

namespace strata::mgs {

namespace {

struct Size
{
  index_t rows;
  index_t columns;
};

index_t requested_rows(Config const& config, driver::Setting const& setting)
{
  index_t const row_bytes = config.columns * static_cast<index_t>(sizeof(double));
  if (config.rows)
    return *config.rows;
  // Twice the last-level cache: at the end of a pass it holds none of the first columns.
  index_t const least = std::max(setting.beyond_cache() / 2, config.columns * row_bytes);
  return setting.array_bytes(config.memory_fraction, 1, least) / row_bytes *
         setting.share.ranks;
}

/// The squares; or the one size, or all from sweep_from up to it.
std::vector<Size> sizes(Config const& config, driver::Setting const& setting)
{
  std::vector<Size> all;
  if (config.is_square()) {
    for (auto const size : config.square)
      all.push_back({size, size});
    return all;
  }
  index_t const last = requested_rows(config, setting);
  for (index_t const rows : decades(config.sweep_from.value_or(last), last))
    all.push_back({rows, config.columns});
  return all;
}

Problem problem_of(Config const& config, Size size, std::string const& matrix,
                   driver::Setting const& setting)
{
  auto const counted = [](index_t count, char const* what) {
    return text::plural(static_cast<std::size_t>(count), what);
  };
  auto const refuse = [&](std::string const& why) {
    throw Error(Exit::deck, "the problem has " + counted(size.rows, "row") + " and " +
                                counted(size.columns, "column") + "; " + why);
  };
  if (size.rows < size.columns)
    refuse("columns after the first " + std::to_string(size.rows) +
           " would depend on them: raise " +
           (config.sweep_from ? "problem.sweep_from" : "problem.rows") +
           " or lower problem.columns");
  if (size.rows < setting.share.ranks)
    refuse("there are " + std::to_string(setting.share.ranks) +
           " ranks, and each needs a row: raise problem.rows or use fewer ranks");
  if (matrix == "laplacian" && size.rows != size.columns)
    refuse("matrix laplacian is square: name sizes in problem.square");
  Problem problem;
  problem.matrix = {matrix_kind(matrix), size.rows, size.columns, setting.seed,
                    config.kahan_angle};
  problem.first = setting.share.begin(size.rows);
  problem.count = setting.share.count(size.rows);
  problem.world = setting.world;
  problem.gpu_aware = setting.gpu_aware;
  return problem;
}

/// The part of a case's problem that its label and axes name.
struct Named
{
  std::string matrix; ///< always an axis; in the label where not random
  std::string size;   ///< empty where the run has one only
};

std::string label_of(Choice const& choice, Named const& named)
{
  std::string label =
      choice.algorithm + "/" + choice.variant + "/" + choice.layout + "/" + choice.results;
  if (choice.scalar != "double")
    label += "/" + choice.scalar;
  if (named.matrix != "random")
    label += "/" + named.matrix;
  if (!named.size.empty())
    label += "/n" + named.size;
  return label;
}

/// The sequence on the same data; of the sequence the hand-written one; of row pointers and of
/// the vendor's CholeskyQR the span.
Choice control_of(Choice choice)
{
  if (choice.variant == "vector_of_vectors" ||
      (choice.variant == "vendor" && choice.algorithm == "cholesky2"))
    choice.variant = "span";
  else if (choice.algorithm == "householder" || choice.algorithm == "tsqr") {
    choice.algorithm = "blocked";
    choice.variant = "span";
  } else if (choice.algorithm != "sequence")
    choice.algorithm = "sequence";
  else if (choice.scalar != "double")
    choice.scalar = "double";
  else if (choice.results != "device")
    choice.results = "device";
  else if (choice.layout != driver::word_of<LayoutBest>())
    choice.layout = driver::word_of<LayoutBest>();
  else
    choice.variant = choice.variant == "native" ? "span" : "native";
  return choice;
}

driver::Maker maker_of(Choice const& choice, Problem const& problem)
{
  // Rows of kahan that follow each other are alike to floats: a check could not tell them
  // apart.
  if (choice.scalar != "double")
    return choice.variant == "span" && problem.matrix.kind != MatrixKind::kahan
               ? row_maker(choice, problem)
               : driver::Maker();
  if (choice.variant == "native")
    return native_maker(choice, problem);
  if (choice.variant == "view")
    return view_maker(choice, problem);
  if (choice.variant == "vendor")
    return vendor_maker(choice, problem);
  if (choice.variant == "vector_of_vectors")
    return pointer_maker(choice, problem);
  auto const rows = row_maker(choice, problem);
  return rows ? rows : tile_maker(choice, problem);
}

std::string unavailable(Choice const& choice, Problem const& problem)
{
  if (choice.variant == "native")
    return driver::native_unavailable();
  if (choice.variant == "vendor")
    return vendor_unavailable(choice, problem);
  if (choice.variant == "vector_of_vectors" && !device_is_host)
    return "vectors of vectors live on a host only";
  return {};
}

void add_case(std::vector<driver::Case>& cases, Choice const& choice, Problem const& problem,
              Named const& named)
{
  auto* const made = driver::add_new(cases, label_of(choice, named), maker_of(choice, problem));
  if (made == nullptr)
    return;
  auto const& found = algorithm(choice.algorithm);
  made->unavailable = unavailable(choice, problem);
  // A vendor's factorisation is of one rank's memory.
  auto const allreduces =
      std::to_string(choice.variant == "vendor" ? 0
                                                : allreduces_of(found, problem.matrix.columns,
                                                                divides_by_inverses(problem)));
  made->axes = {{"algorithm", choice.algorithm}, {"variant", choice.variant},
                {"layout", choice.layout},       {"results", choice.results},
                {"matrix", named.matrix},        {"allreduces", allreduces}};
  if (choice.scalar != "double")
    made->axes.emplace_back("scalar", choice.scalar);
  if (!named.size.empty())
    made->axes.push_back({"rows", named.size});
  made->problem = {{"rows", std::to_string(problem.matrix.rows)},
                   {"columns", std::to_string(problem.matrix.columns)},
                   {"allreduces", allreduces}};
  if (choice.variant == "vendor")
    for (auto const& fact : runtime::library_facts(vendor::path()))
      made->problem.push_back(fact);
  made->control = label_of(control_of(choice), named);
  made->slots = {slot(problem, choice.scalar == "float" ? sizeof(float) : sizeof(double))};
  made->private_bytes = Factor::bytes_for(problem.matrix.columns, found.keeps_products);
  if (choice.variant == "vector_of_vectors")
    made->private_bytes += pointer_bytes(problem);
  if (choice.algorithm == "tsqr")
    made->private_bytes += vendor::TsqrSolver::bytes(problem.count, problem.matrix.columns);
}

} // namespace

std::vector<driver::Case> cases(Config const& config, driver::Setting const& setting)
{
  std::vector<Choice> choices(1);
  driver::expand(choices, &Choice::layout, config.layout);
  driver::expand(choices, &Choice::scalar, config.scalar);
  driver::expand(choices, &Choice::results, config.results);
  driver::expand(choices, &Choice::algorithm, config.algorithm);
  driver::expand(choices, &Choice::variant, config.variant);
  for (auto& choice : choices)
    if (choice.layout == "default")
      choice.layout = driver::word_of<LayoutBest>();
  std::vector<driver::Case> all;
  auto const swept = sizes(config, setting);
  for (auto const& size : swept)
    for (auto const& matrix : config.matrix) {
      Problem const problem = problem_of(config, size, matrix, setting);
      Named const named{matrix, swept.size() > 1 ? std::to_string(size.rows) : ""};
      for (auto const& choice : choices)
        add_case(all, choice, problem, named);
    }
  return all;
}

} // namespace strata::mgs
