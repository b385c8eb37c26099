#include "span_launch.hpp"

#include "driver/axis.hpp"

#include <string>
#include <vector>

// Launches that a GPU divides otherwise than the core does by itself: block x steps of kernels
// over elements, block x steps x blocks at once of sums. Triad stands for kernels that load,
// set for those that only store, dot and read for sums.

namespace strata::stream {

namespace {

template <class... Tunings>
struct TuningList
{
  static std::vector<std::string> names() { return {name_of(Tunings())...}; }

  /// Calls f<Tuning>() for the one of that name.
  template <class F>
  static void with(std::string const& name, F const& f)
  {
    ((name == name_of(Tunings()) ? f.template operator()<Tunings>() : void()), ...);
  }

private:
  template <int Block, int Steps, int AtOnce>
  static std::string name_of(Tuning<Block, Steps, AtOnce> /*tuning*/)
  {
    std::string name = std::to_string(Block) + "x" + std::to_string(Steps);
    return AtOnce > 0 ? name + "x" + std::to_string(AtOnce) : name;
  }
};

using OfElements = TuningList<Tuning<64, 1>, Tuning<128, 1>, Tuning<256, 1>, Tuning<512, 1>,
                              Tuning<1024, 1>, Tuning<64, 2>, Tuning<128, 2>, Tuning<256, 2>,
                              Tuning<512, 2>, Tuning<64, 4>, Tuning<128, 4>, Tuning<256, 4>>;
using OfSums =
    TuningList<Tuning<256, 4, 2>, Tuning<256, 8, 2>, Tuning<256, 16, 2>, Tuning<256, 4, 4>,
               Tuning<256, 8, 4>, Tuning<256, 2, 8>, Tuning<512, 8, 1>, Tuning<512, 4, 2>,
               Tuning<512, 8, 2>, Tuning<1024, 4, 1>, Tuning<1024, 8, 1>, Tuning<1024, 2, 2>>;

/// Another device's launch, which the case does not run, is the ordinary one.
template <KernelId Id, class List>
driver::Maker maker_of(Choice const& choice, Geometry const& geometry)
{
  driver::Maker made;
  List::with(choice.tuning, [&]<class Tuned>() {
    if constexpr (!device_is_cuda)
      made = array_maker<1>(choice, geometry);
    else
      made = maker<double, 1, LayoutDefault>(
          choice, geometry,
          &launch_spans<Id, double, 1, LayoutDefault, LayoutDefault, AccessDefault, Tuned>);
  });
  return made;
}

} // namespace

std::vector<std::string> tuning_names()
{
  auto names = OfElements::names();
  auto const sums = OfSums::names();
  names.insert(names.end(), sums.begin(), sums.end());
  return names;
}

driver::Maker tuned_maker(Choice const& choice, Geometry const& geometry)
{
  bool const plain =
      choice.variant == "span" && choice.scalar == "double" && choice.shape == "1d" &&
      choice.layout == driver::word_of<LayoutDefault>() &&
      choice.access == driver::word_of<AccessDefault>() && choice.owner == "owned" &&
      choice.pages == "normal" && choice.index_order == "matching";
  if (!plain)
    return {};
  switch (choice.id) {
  case KernelId::set:
    return maker_of<KernelId::set, OfElements>(choice, geometry);
  case KernelId::triad:
    return maker_of<KernelId::triad, OfElements>(choice, geometry);
  case KernelId::dot:
    return maker_of<KernelId::dot, OfSums>(choice, geometry);
  case KernelId::read:
    return maker_of<KernelId::read, OfSums>(choice, geometry);
  default:
    return {};
  }
}

} // namespace strata::stream
