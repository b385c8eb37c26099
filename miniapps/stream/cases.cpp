#include "cases.hpp"

#include "array/access/bits.hpp"
#include "base/kokkos.hpp"
#include "driver/axis.hpp"
#include "kernels/library.hpp"
#include "trials/trials.hpp"

#include <algorithm>

namespace strata::stream {

namespace {

constexpr std::array<std::pair<char const*, KernelId>, 8> kernels{
    {{"set", KernelId::set},
     {"copy", KernelId::copy},
     {"scale", KernelId::scale},
     {"add", KernelId::add},
     {"triad", KernelId::triad},
     {"nstream", KernelId::nstream},
     {"dot", KernelId::dot},
     {"read", KernelId::read}}};

/// No kernel of its own: several of them in turn.
constexpr auto chain = "chain";

std::vector<std::string> kernel_names()
{
  std::vector<std::string> names;
  for (auto const& [name, id] : kernels)
    names.emplace_back(name);
  names.emplace_back(chain);
  return names;
}

/// Of a chain, whose kernels its maker knows, any.
KernelId id_of(std::string const& kernel)
{
  auto const* const found =
      std::ranges::find(kernels, kernel, [](auto const& one) { return one.first; });
  return found == kernels.end() ? KernelId::triad : found->second;
}

std::vector<std::string> access_names()
{
  auto names = SpanAccess::words();
  names.push_back(driver::word_of<AccessBits>());
  return names;
}

std::vector<std::string> with_default(std::vector<std::string> names)
{
  names.insert(names.begin(), "default");
  return names;
}

std::string label_of(Choice const& choice)
{
  std::string label =
      choice.kernel + "/" + choice.variant + "/" + choice.layout + "/" + choice.scalar;
  // Other axes are in the label where they are not at their plain value.
  for (auto const& [value, plain] : std::initializer_list<std::pair<std::string, char const*>>{
           {choice.shape, "1d"},
           {choice.index_order, "matching"},
           {choice.access, "default"},
           {choice.owner, "owned"},
           {choice.pages, "normal"},
           {choice.policy, "mdrange"},
           {choice.tuning, "default"}})
    if (value != plain)
      label += "/" + value;
  if (!choice.library.empty())
    label += "/" + choice.library;
  return label;
}

/// The case that this one is compared with: it does the same on the same data in another way.
std::string control_of(Choice choice)
{
  choice.library.clear();
  if (choice.variant == "native" && choice.access == driver::word_of<AccessStreaming>())
    choice.variant = "span";
  else if (choice.access != "default")
    choice.access = "default";
  else if (choice.pages != "normal")
    choice.pages = "normal";
  else if (choice.index_order != "matching")
    choice.index_order = "matching";
  else if (choice.owner != "owned")
    choice.owner = "owned";
  else if (choice.policy != "mdrange")
    choice.policy = "mdrange";
  else if (choice.tuning != "default")
    choice.tuning = "default";
  else if (choice.variant == "span")
    choice.variant = "native";
  else
    choice.variant = "span";
  return label_of(choice);
}

std::string unavailable(Choice const& choice)
{
  if (std::string const why = driver::native_unavailable();
      choice.variant == "native" && !why.empty())
    return why;
  if (choice.variant == "vector_of_vectors" && !device_is_host)
    return "vectors of vectors live on a host only";
  if (choice.pages == "huge" && !device_is_host)
    return "the device's memory has no page size to choose";
  if (choice.tuning != "default" && !device_is_cuda)
    return "tunings are of an NVIDIA GPU's launches";
  if (choice.access == driver::word_of<AccessStreaming>() && !AccessStreaming::available)
    return "no non-temporal store is known for this processor";
  return {};
}

/// Narrow numbers are measured in arrays of one index, by kernels whose values stay in range.
bool is_measured(Choice const& choice, Geometry const& geometry)
{
  if (choice.scalar != "half" && choice.scalar != "bfloat16")
    return true;
  return geometry.rank == 1 && choice.shape != "ragged" && choice.kernel != chain &&
         choice.kernel != "nstream" && (choice.variant == "span" || choice.variant == "native");
}

driver::Maker maker_of(Choice const& choice, Geometry const& geometry)
{
  if (!is_measured(choice, geometry))
    return {};
  // Views of several indices have policies.
  if (choice.policy != "mdrange" &&
      (choice.variant != "view" || (choice.shape != "3d" && choice.shape != "4d")))
    return {};
  if (choice.tuning != "default")
    return choice.kernel == chain ? driver::Maker() : tuned_maker(choice, geometry);
  if (choice.kernel == chain)
    return chain_maker(choice, geometry);
  if (choice.variant == "vendor")
    return library_maker(choice, geometry);
  if (choice.scalar == "bool")
    return bool_maker(choice, geometry);
  if (choice.variant == "native")
    return native_maker(choice, geometry);
  if (choice.variant == "vector_of_vectors")
    return nested_maker(choice, geometry);
  if (choice.shape == "ragged")
    return ragged_maker(choice, geometry);
  if (choice.policy == "flat")
    return flat_view_maker(choice, geometry);
  switch (geometry.rank) {
  case 1:
    return array_maker<1>(choice, geometry);
  case 3:
    return array_maker<3>(choice, geometry);
  default:
    return array_maker<4>(choice, geometry);
  }
}

index_t bytes_of(Choice const& choice, index_t elements)
{
  if (choice.access == driver::word_of<AccessBits>())
    return (elements + word_bits - 1) / word_bits * static_cast<index_t>(sizeof(BitWord));
  if (choice.scalar == "bool")
    return elements * static_cast<index_t>(sizeof(bool));
  return elements *
         driver::with_scalar(choice.scalar, [&]<class T>() -> index_t { return sizeof(T); });
}

/// Adds the case of a choice, unless the combination is not measured.
void add_case(std::vector<driver::Case>& cases, Choice const& choice, Geometry const& geometry)
{
  auto* const made = driver::add_new(cases, label_of(choice), maker_of(choice, geometry));
  if (made == nullptr)
    return;
  made->unavailable = unavailable(choice);
  made->axes = {{"kernel", choice.kernel}, {"variant", choice.variant},
                {"layout", choice.layout}, {"scalar", choice.scalar},
                {"shape", choice.shape},   {"index_order", choice.index_order},
                {"access", choice.access}, {"owner", choice.owner},
                {"pages", choice.pages}};
  if (choice.variant == "view")
    made->axes.emplace_back("policy", geometry.rank == 1 ? "range" : choice.policy);
  if (choice.tuning != "default")
    made->axes.emplace_back("tuning", choice.tuning);
  if (!choice.library.empty())
    made->axes.emplace_back("library", choice.library);
  made->problem = problem_of(geometry);
  made->control = control_of(choice);
  if (choice.variant == "vector_of_vectors")
    made->slots.push_back(nested_slot(choice, geometry));
  else
    for (auto const field : {Field::a, Field::b, Field::c})
      if (choice.scalar != "bool" || field != Field::b) // set and copy have no use for b
        made->slots.push_back(field_slot(choice, geometry, field));
  if (choice.shape == "ragged" && choice.variant == "span") // offsets
    made->private_bytes = (geometry.rows + 1) * static_cast<index_t>(sizeof(index_t));
}

} // namespace

Choice::Choice() = default;
Choice::Choice(Choice const&) = default;
Choice::Choice(Choice&&) noexcept = default;
Choice& Choice::operator=(Choice const&) = default;
Choice& Choice::operator=(Choice&&) noexcept = default;
Choice::~Choice() = default;

driver::Slot field_slot(Choice const& choice, Geometry const& geometry, Field field)
{
  // Tiles may pad the first index.
  constexpr index_t widest = 32;
  index_t const rows = (geometry.rows + widest - 1) / widest * widest;
  index_t const elements =
      choice.shape == "ragged" ? geometry.elements : geometry.elements / geometry.rows * rows;
  return {static_cast<int>(field), bytes_of(choice, elements),
          choice.pages == "huge" ? driver::Pages::huge : driver::Pages::normal};
}

deck::Schema<Config> schema()
{
  deck::Schema<Config> deck("stream", "Streaming kernels through the core's arrays.");
  auto const largest = index_t{1} << 46;
  deck.field("problem.size", &Config::size, "elements of one array, summed over ranks")
      .word("auto")
      .between(1, largest);
  deck.field("problem.size_bytes", &Config::size_bytes,
             "the same in bytes of one array of doubles, in place of size")
      .word("unset")
      .between(64, 8 * largest);
  deck.field("problem.memory_fraction", &Config::memory_fraction,
             "the same as a part of each device's memory for three arrays, in place of size")
      .word("unset")
      .between(0.001, 0.95);
  deck.field("problem.shortest_row", &Config::shortest_row,
             "elements of a row of shape ragged, at least")
      .between(0, index_t{1} << 31);
  deck.field("problem.longest_row", &Config::longest_row,
             "and at most; lengths between are equally likely")
      .between(1, index_t{1} << 31);
  deck.field("cases.kernel", &Config::kernel,
             "set, copy, scale, add, triad, nstream, dot; read sums one array; chain runs "
             "copy, scale, add, triad and dot in turn, as BabelStream does")
      .one_of(kernel_names());
  deck.field("cases.variant", &Config::variant, "span is the core; the others are controls")
      .one_of({"span", "view", "native", "vendor", "vector_of_vectors"});
  deck.field("cases.layout", &Config::layout, "storage order; default is the device's own")
      .one_of(with_default(SpanLayouts::words()));
  deck.field(
          "cases.scalar", &Config::scalar,
          "type of the elements; half and bfloat16 are stored so and computed in float; bool "
          "has set and copy")
      .one_of({"double", "float", "half", "bfloat16", "bool"});
  deck.field("cases.shape", &Config::shape,
             "indices of the arrays; ragged: two, with rows of random lengths")
      .one_of({"1d", "3d", "4d", "ragged"});
  deck.field("cases.index_order", &Config::index_order,
             "loops in the layout's order, or across it")
      .one_of({"matching", "crossed"});
  deck.field("cases.access", &Config::access,
             "how stores are made; bits: arrays of bool, a bit an element, in set and copy")
      .one_of(access_names());
  deck.field("cases.owner", &Config::owner, "arrays of the core, or spans over bare memory")
      .one_of({"owned", "viewed"});
  deck.field("cases.pages", &Config::pages, "page size of host memory")
      .one_of({"normal", "huge"});
  deck.field("cases.policy", &Config::policy,
             "of `view` with several indices: Kokkos' MDRangePolicy with its default tile or a "
             "tuned one, or a RangePolicy over the flat data")
      .one_of({"mdrange", "tuned", "flat"});
  deck.field("cases.tuning", &Config::tuning,
             "of `span` on a GPU, for experts: threads of a block x steps of a thread (set, "
             "triad), and x blocks of a multiprocessor at once (dot, read)")
      .one_of(with_default(tuning_names()));
  deck.rule(
      "problem.size", "give one of size, size_bytes and memory_fraction", [](Config const& c) {
        return (c.size ? 1 : 0) + (c.size_bytes ? 1 : 0) + (c.memory_fraction ? 1 : 0) <= 1;
      });
  deck.rule("problem.longest_row", "it must not be below problem.shortest_row",
            [](Config const& c) { return c.longest_row >= c.shortest_row; });
  return deck;
}

Config built_in()
{
  Config config;
  if (device_is_host && AccessStreaming::available)
    config.access.emplace_back(driver::word_of<AccessStreaming>());
  return config;
}

std::vector<driver::Case> cases(Config const& config, driver::Setting const& setting)
{
  std::vector<Choice> choices(1);
  driver::expand(choices, &Choice::kernel, config.kernel);
  driver::expand(choices, &Choice::variant, config.variant);
  driver::expand(choices, &Choice::layout, config.layout);
  driver::expand(choices, &Choice::scalar, config.scalar);
  driver::expand(choices, &Choice::index_order, config.index_order);
  driver::expand(choices, &Choice::access, config.access);
  driver::expand(choices, &Choice::owner, config.owner);
  driver::expand(choices, &Choice::pages, config.pages);
  driver::expand(choices, &Choice::policy, config.policy);
  driver::expand(choices, &Choice::tuning, config.tuning);
  std::vector<driver::Case> all;
  for (auto const& shape : config.shape) {
    Geometry const geometry = geometry_of(shape, config, setting);
    for (auto choice : choices) {
      choice.shape = shape;
      choice.id = id_of(choice.kernel);
      if (choice.variant == "vendor" && choice.kernel != chain)
        choice.library = library::name(choice.id);
      if (choice.layout == "default")
        choice.layout = driver::word_of<LayoutDefault>();
      if (choice.access == driver::word_of<AccessBits>())
        choice.scalar = "bool";
      add_case(all, choice, geometry);
    }
  }
  return all;
}

} // namespace strata::stream
