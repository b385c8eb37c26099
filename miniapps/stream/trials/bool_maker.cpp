#include "array_trial.hpp"

#include "array/dense/bit_array.hpp"
#include "driver/axis.hpp"
#include "kernels/native.hpp"

namespace strata::stream {

namespace {

/// One byte per bool, with the default access rule.
struct ByteElement
{
  using Values = Array<bool, Dynamic<1>, LayoutDefault>;
  static constexpr auto packs = write_packs<bool, LayoutDefault>;

  /// Stores `count` elements from 64k on, at most 64; the first is the lowest bit of `word`.
  static KOKKOS_FUNCTION void place(bool* values, index_t k, BitWord word, index_t count)
  {
    for (index_t i = 0; i < count; ++i)
      values[k * word_bits + i] = (word >> i & 1U) != 0;
  }
  static bool* memory(Values const& values) { return values.data(); }
  static verify::Output output(Values const& values) { return {values.data(), values.size()}; }
  static void native(KernelId kernel, Values const& a, Values const& c)
  {
    native::move<bool>(kernel, {a.data(), nullptr, c.data(), a.size()}, true);
  }
};

/// One bit per bool.
struct BitElement
{
  using Values = BitArray<Dynamic<1>, LayoutDefault>;
  static constexpr Packs<bit_write_width<>> packs{};

  /// As above. Stores the padding of the last word, too: nothing else gives it a value.
  static KOKKOS_FUNCTION void place(BitWord* words, index_t k, BitWord word, index_t)
  {
    words[k] = word;
  }
  static BitWord* memory(Values const& values) { return values.words().data(); }
  static verify::Output output(Values const& values)
  {
    return verify::Output().add_bits(values.words().data(), values.size());
  }
  /// Whole words, including the padding of the last one.
  static void native(KernelId kernel, Values const& a, Values const& c)
  {
    native::move<BitWord>(
        kernel, {a.words().data(), nullptr, c.words().data(), a.words().size()}, ~BitWord{0});
  }
};

/// Elements 64k to 64k + 63 = the initial bools, or the opposite of the kernel's result.
template <class Element, class Memory>
struct InitialiseBools
{
  static constexpr char const* name() { return "strata::stream::InitialiseBools"; }
  Memory memory;
  index_t size;
  index_t first;
  KernelId kernel;
  bool spoil;

  KOKKOS_FUNCTION void operator()(index_t k) const
  {
    index_t const begin = k * word_bits;
    auto word = initial_bools(first + begin);
    if (spoil)
      word = kernel == KernelId::set ? 0 : ~word;
    index_t const left = size - begin;
    Element::place(memory, k, word, left < word_bits ? left : word_bits);
  }
};

/// Counts the elements that differ from the kernel's result.
template <class Values>
struct CountWrong
{
  static constexpr char const* name() { return "strata::stream::CountWrong"; }
  Values values;
  index_t first;
  KernelId kernel;

  KOKKOS_FUNCTION void operator()(std::int64_t& wrong, index_t i) const
  {
    wrong += values(i) == expected_bool(kernel, first + i) ? 0 : 1;
  }
};

/// Values, launch and check of a case over arrays of bool: set and copy use a, copy also c.
template <class Element>
class BoolTrial final : public driver::Trial
{
public:
  BoolTrial(Choice const& choice, Geometry const& geometry, driver::Workspace& workspace)
      : choice_(choice)
      , geometry_(geometry)
      , a_(values(Field::a, workspace))
      , c_(values(Field::c, workspace))
  {
  }

  void reset() override
  {
    fill(a_, choice_.id == KernelId::set);
    if (choice_.id == KernelId::copy)
      fill(c_, true);
  }

  void step() override
  {
    if (choice_.variant == "native")
      Element::native(choice_.id, a_, c_);
    else if (choice_.id == KernelId::set)
      for_each(walk(), make<KernelId::set>(), Element::packs);
    else
      for_each(walk(), make<KernelId::copy>(), Element::packs);
  }

  [[nodiscard]] measure::Work work() const override
  {
    return choice_.id == KernelId::set ? work::of(make<KernelId::set>(), a_.size())
                                       : work::of(make<KernelId::copy>(), a_.size());
  }

  [[nodiscard]] std::vector<driver::Metric> metrics() const override
  {
    auto metrics = metrics_of(choice_, work());
    metrics.push_back({"elements", "1/s", static_cast<double>(a_.size())});
    return metrics;
  }

  std::vector<verify::Verdict> verify(int) override
  {
    auto const found = output_values().read();
    auto const wrong = verify::sum_of_every<std::int64_t>(
        found.extents(), CountWrong<decltype(found)>{found, geometry_.first, choice_.id});
    return {verify::judge("wrong_elements", static_cast<double>(wrong), 0)};
  }

  verify::Output output() override { return Element::output(output_values()); }

private:
  using Values = typename Element::Values;

  Values values(Field field, driver::Workspace& workspace) const
  {
    return Values(workspace.take(field_slot(choice_, geometry_, field)),
                  typename Values::mapping_type(local_extents<1>(geometry_)));
  }
  [[nodiscard]] auto walk() const { return in_order_of<LayoutDefault>(a_.extents()); }
  [[nodiscard]] Values const& output_values() const
  {
    return output_of(choice_.id) == Field::a ? a_ : c_;
  }

  template <KernelId Id>
  [[nodiscard]] auto make() const
  {
    auto const of = [this](Field f) -> Values const& { return f == Field::a ? a_ : c_; };
    return make_kernel<Id>([&](Field f) { return of(f).write(); },
                           [&](Field f) { return of(f).read(); }, true);
  }

  void fill(Values const& values, bool spoil) const
  {
    auto* const memory = Element::memory(values);
    verify::for_every((values.size() + word_bits - 1) / word_bits,
                      InitialiseBools<Element, decltype(memory)>{
                          memory, values.size(), geometry_.first, choice_.id, spoil});
  }

  Choice choice_;
  Geometry geometry_;
  Values a_;
  Values c_;
};

template <class Element>
driver::Maker element_maker(Choice const& choice, Geometry const& geometry)
{
  return [choice, geometry](driver::Workspace& workspace) {
    return std::make_unique<BoolTrial<Element>>(choice, geometry, workspace);
  };
}

} // namespace

driver::Maker bool_maker(Choice const& choice, Geometry const& geometry)
{
  if ((choice.variant != "span" && choice.variant != "native") ||
      (choice.id != KernelId::set && choice.id != KernelId::copy) || choice.shape != "1d" ||
      choice.layout != driver::word_of<LayoutDefault>() || choice.index_order != "matching" ||
      choice.owner != "owned")
    return {};
  if (choice.access == driver::word_of<AccessBits>())
    return element_maker<BitElement>(choice, geometry);
  if (choice.access == driver::word_of<AccessDefault>())
    return element_maker<ByteElement>(choice, geometry);
  return {};
}

} // namespace strata::stream
