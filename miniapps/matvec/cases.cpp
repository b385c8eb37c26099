#include "cases.hpp"

#include "axes.hpp"
#include "sizes.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "controls/vendor.hpp"
#include "controls/vendor_sparse.hpp"
#include "driver/axis.hpp"
#include "runtime/node/host_library.hpp"
#include "trials/dense_trial.hpp"
#include "trials/problem.hpp"

namespace strata::matvec {

namespace {

/// The case that this one is compared with.
Choice control_of(Choice choice)
{
  if (choice.access == "restrict" || choice.access == "random_access")
    choice.access = "default";
  else if (choice.partition == "grid")
    choice.partition = "rows";
  else if (choice.extents == "static")
    choice.extents = "dynamic";
  else if (choice.scalar != "double" && choice.kernel != "matmul" && choice.variant == "span")
    choice.scalar = choice.scalar == "float" ? "double" : "float";
  else if (choice.kernel == "matvec" && choice.layout == "cxf")
    choice.layout = "right";
  else if (choice.variant != "span") {
    choice.variant = "span";
    if (auto const* const only = kernel_named(choice.kernel).layout; only != nullptr)
      choice.layout = only; // symmetric has the vendor's in full storage, too
  } else if (choice.parallel == "team")
    choice.parallel = "auto";
  else if (choice.kernel == "symmetric" && choice.parallel == "auto")
    return {"matvec", "span",   driver::word_of<LayoutDefault>(),
            "auto",   "double", "default",
            "",       "rows",   "",
            0};
  else {
    bool const dense = choice.stencil.empty() && choice.block == 0;
    choice.variant = dense && choice.parallel == "auto" ? "vendor" : "native";
  }
  return choice;
}

std::string unavailable(Choice const& choice)
{
  if (choice.variant == "native")
    return driver::native_unavailable();
  if (choice.variant == "vendor")
    return vendor::unavailable();
  if (choice.variant == "vector_of_vectors" && !device_is_host)
    return "vectors of vectors live on a host only";
  return {};
}

void add_case(std::vector<driver::Case>& cases, Kernel const& kernel, Choice const& choice,
              Problem const& problem)
{
  auto* const made = driver::add_new(cases, label_of(choice), kernel.maker(choice, problem));
  if (made == nullptr)
    return;
  made->unavailable = unavailable(choice);
  made->axes = axes_of(choice);
  made->problem = kernel.facts(choice, problem);
  if (choice.variant == "vendor")
    for (auto const& fact : runtime::library_facts(
             choice.stencil.empty() ? vendor::path() : vendor::sparse_path()))
      made->problem.push_back(fact);
  made->control = label_of(control_of(choice));
  kernel.memory(choice, problem, *made);
}

} // namespace

std::vector<driver::Case> cases(Config const& config, driver::Setting const& setting)
{
  Problem const problem = problem_of(config, setting);
  std::vector<driver::Case> all;
  for (auto const& name : config.kernel) {
    auto const& kernel = kernel_named(name);
    for_each_choice(config, kernel, problem,
                    [&](Choice const& choice) { add_case(all, kernel, choice, problem); });
  }
  return all;
}

} // namespace strata::matvec
