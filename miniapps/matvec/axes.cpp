#include "axes.hpp"

#include "base/error.hpp"
#include "controls/vendor.hpp"
#include "controls/vendor_sparse.hpp"
#include "driver/axis.hpp"
#include "ranks/part.hpp"
#include "trials/dense_trial.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace strata::matvec {

namespace {

/// The choice with the layout of its matrix, which is S5's C in C x F.
Choice as_stored(Choice choice)
{
  if (choice.layout == "cxf")
    choice.layout = driver::word_of<LayoutRight>();
  return choice;
}

driver::Maker dense_case(Choice const& choice, Problem const& problem)
{
  if (choice.partition == "grid" && (choice.kernel == "matvec_t" || choice.variant != "span" ||
                                     choice.parallel != "auto" || choice.access != "default"))
    return {};
  if (choice.layout == "cxf")
    return cxf_maker(as_stored(choice), problem);
  if (choice.variant == "native")
    return native_maker(choice, problem);
  if (choice.variant == "vendor")
    return vendor_maker(choice, problem);
  if (choice.variant == "vector_of_vectors")
    return nested_maker(choice, problem);
  if (choice.parallel == "row")
    return row_maker(choice, problem);
  if (choice.parallel == "team")
    return team_maker(choice, problem);
  return choice.variant == "view" ? driver::Maker() : auto_maker(choice, problem);
}
report::Facts dense_facts(Choice const&, Problem const& problem)
{
  return {{"rows", std::to_string(problem.rows)}, {"columns", std::to_string(problem.cols)}};
}
void dense_memory(Choice const& choice, Problem const& problem, driver::Case& made)
{
  made.slots = dense_slots(as_stored(choice), problem);
  if (choice.variant == "vector_of_vectors")
    made.private_bytes = problem.setting.share.count(problem.rows) *
                         (problem.cols * static_cast<index_t>(sizeof(double)) +
                          static_cast<index_t>(sizeof(std::vector<double>)));
  if (!made.unavailable.empty())
    return;
  int const ranks = problem.setting.share.ranks;
  if (choice.variant == "vendor" &&
      std::max((problem.rows + ranks - 1) / ranks, problem.cols) > most_counted)
    made.unavailable = "the library counts rows and columns in 32 bits; lower problem.rows or "
                       "problem.columns";
  else if (ranks > 1 && problem.cols > most_counted && choice.kernel == "matvec" &&
           choice.partition == "rows" && choice.scalar == "double")
    made.unavailable = "MPI counts a vector's elements in 32 bits; lower problem.columns";
}

/// The name of the library of a vendor case.
std::string library_of(Choice const& choice)
{
  return choice.stencil.empty() ? vendor::library() : vendor::sparse_library();
}

constexpr std::array kernels{
    Kernel{"matvec", nullptr, true, true, false, false, dense_case, dense_facts, dense_memory},
    Kernel{"matvec_t", nullptr, true, true, false, false, dense_case, dense_facts,
           dense_memory},
    Kernel{"symmetric", "symmetric_lower", false, false, false, false, symmetric_maker,
           symmetric_facts, symmetric_memory},
    Kernel{"csr", "rows", false, false, true, false, sparse_maker, sparse_facts, sparse_memory},
    Kernel{"csc", "columns", false, false, true, false, sparse_maker, sparse_facts,
           sparse_memory},
    Kernel{"batched", nullptr, false, false, false, true, batched_maker, batched_facts,
           batched_memory},
    Kernel{"matmul", nullptr, true, false, false, false, matmul_maker, matmul_facts,
           matmul_memory},
};

using Words = std::vector<std::string>;

/// The deck's, with those that `auto` stands for.
Words partitions(Config const& config, Problem const& problem)
{
  Words found;
  for (auto const& word : config.partition) {
    found.push_back(word == "auto" ? "rows" : word);
    if (word == "auto" &&
        grid_receives_less(problem.setting.share.ranks, problem.rows, problem.cols))
      found.emplace_back("grid");
  }
  return found;
}

Words layouts(Config const& config, Kernel const& kernel)
{
  if (kernel.layout == nullptr)
    return config.layout;
  if (std::string_view(kernel.name) != "symmetric")
    return {kernel.layout};
  Words found;
  for (auto const& storage : config.storage)
    found.emplace_back(storage == "full" ? driver::word_of<LayoutLeft>() : kernel.layout);
  return found;
}

} // namespace

std::vector<std::string> kernel_names()
{
  std::vector<std::string> names;
  for (auto const& kernel : kernels)
    names.emplace_back(kernel.name);
  return names;
}

Kernel const& kernel_named(std::string const& name)
{
  auto const* const found =
      std::find_if(kernels.begin(), kernels.end(),
                   [&](Kernel const& kernel) { return kernel.name == name; });
  STRATA_CHECK(found != kernels.end(), "no kernel is called '" + name + "'");
  return *found;
}

void for_each_choice(Config const& config, Kernel const& kernel, Problem const& problem,
                     std::function<void(Choice const&)> const& f)
{
  std::vector<Choice> all(1);
  driver::expand(all, &Choice::kernel, {kernel.name});
  driver::expand(all, &Choice::layout, layouts(config, kernel));
  driver::expand(all, &Choice::scalar, kernel.has_scalars ? config.scalar : Words{"double"});
  driver::expand(all, &Choice::access, kernel.varied ? config.access : Words{"default"});
  driver::expand(all, &Choice::partition,
                 kernel.varied ? partitions(config, problem) : Words{"rows"});
  driver::expand(all, &Choice::stencil, kernel.has_stencil ? config.stencil : Words{""});
  driver::expand(all, &Choice::extents, kernel.has_blocks ? config.extents : Words{""});
  driver::expand(all, &Choice::parallel, config.parallel);
  driver::expand(all, &Choice::variant, config.variant);
  driver::expand(all, &Choice::block,
                 kernel.has_blocks ? config.block : std::vector<std::int64_t>{0});
  for (auto& choice : all) {
    if (choice.layout == "default")
      choice.layout = driver::word_of<LayoutDefault>();
    f(choice);
  }
}

std::string label_of(Choice const& choice)
{
  std::string label = choice.kernel + "/" + choice.variant + "/" + choice.layout + "/" +
                      choice.parallel + "/" + choice.scalar;
  if (choice.variant == "vendor")
    label += "/" + library_of(choice);
  if (choice.access != "default")
    label += "/" + choice.access;
  if (choice.partition != "rows")
    label += "/" + choice.partition;
  if (!choice.stencil.empty())
    label += "/" + choice.stencil;
  if (choice.block > 0)
    label += "/b" + std::to_string(choice.block);
  if (choice.extents == "static")
    label += "/static";
  return label;
}

report::Facts axes_of(Choice const& choice)
{
  report::Facts axes{{"kernel", choice.kernel},      {"variant", choice.variant},
                     {"layout", choice.layout},      {"parallel", choice.parallel},
                     {"scalar", choice.scalar},      {"access", choice.access},
                     {"partition", choice.partition}};
  if (!choice.stencil.empty())
    axes.push_back({"stencil", choice.stencil});
  if (choice.block > 0) {
    axes.push_back({"block", std::to_string(choice.block)});
    axes.push_back({"extents", choice.extents});
  }
  if (choice.variant == "vendor")
    axes.push_back({"library", library_of(choice)});
  return axes;
}

} // namespace strata::matvec
