#include "driver/axis.hpp"
#include "kernels/library.hpp"
#include "trials/array_trial.hpp"

#include <memory>

namespace strata::stream {

namespace {

/// One call of the library on all elements. Arrays and checks are those of variant span.
template <class T>
driver::Maker scalar_maker(Choice const& choice, Geometry const& geometry)
{
  return [choice, geometry](driver::Workspace& workspace) {
    auto const scratch = std::make_shared<Memory<>>();
    auto const launch = [scratch, id = choice.id](Fields<T, 1, LayoutDefault> const& fields) {
      native::Fields<T> const raw{fields[Field::a].data(), fields[Field::b].data(),
                                  fields[Field::c].data(), fields.extents().extent(0)};
      auto const bytes = library::scratch_bytes(id, raw);
      if (static_cast<index_t>(scratch->size()) < bytes) // in the first step, before samples
        *scratch = allocate<>("strata::stream::library", bytes);
      library::run(id, raw, fields.sum.data(), scratch->data(), bytes);
    };
    return std::make_unique<ArrayTrial<T, 1, LayoutDefault>>(choice, geometry, launch,
                                                             workspace);
  };
}

} // namespace

driver::Maker library_maker(Choice const& choice, Geometry const& geometry)
{
  if (choice.library.empty() || choice.scalar == "bool" ||
      choice.layout != driver::word_of<LayoutDefault>() || choice.index_order != "matching" ||
      choice.access != driver::word_of<AccessDefault>() || choice.owner != "owned" ||
      choice.shape != "1d")
    return {};
  return choice.scalar == "float" ? scalar_maker<float>(choice, geometry)
                                  : scalar_maker<double>(choice, geometry);
}

} // namespace strata::stream
