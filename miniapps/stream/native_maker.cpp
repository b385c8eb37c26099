#include "array_trial.hpp"
#include "native.hpp"

namespace strata::stream {

namespace {

/// Flat over all indices, as anyone writing by hand would; arrays and checks are the spans'.
template <class T>
class NativeTrial final : public ArrayTrial<T, 1, LayoutDefault>
{
  using Base = ArrayTrial<T, 1, LayoutDefault>;

public:
  using Base::Base;

  void step() override
  {
    native::run<T>(this->kernel_, pointers(), static_cast<T>(factor), this->sum().data());
  }
  [[nodiscard]] measure::Work work() const override
  {
    return with_kernel(this->kernel_, [&]<KernelId Id>() {
      return work::of(make_kernel<Id>([&](Field f) { return this->field(f).write(); },
                                      [&](Field f) { return this->field(f).read(); },
                                      static_cast<T>(factor)),
                      this->geometry_.size());
    });
  }

private:
  [[nodiscard]] native::Fields<T> pointers() const
  {
    return {this->field(Field::a).data(), this->field(Field::b).data(),
            this->field(Field::c).data(), this->geometry_.size()};
  }
};

/// The same elements as one long row.
Geometry flattened(Geometry const& geometry)
{
  Geometry flat;
  flat.global[0] = geometry.global[0] * geometry.row_size();
  flat.first = geometry.first * geometry.row_size();
  flat.rows = geometry.size();
  return flat;
}

} // namespace

driver::Maker native_maker(Choice const& choice, Geometry const& geometry)
{
  if (choice.layout != LayoutDefault::name() || choice.index_order != "matching" ||
      choice.access != AccessDefault::name() || choice.owner != "owned")
    return {};
  auto const flat = flattened(geometry);
  return [choice, flat](driver::Workspace& workspace) -> std::unique_ptr<driver::Trial> {
    if (choice.scalar == "float")
      return std::make_unique<NativeTrial<float>>(choice, flat, workspace);
    return std::make_unique<NativeTrial<double>>(choice, flat, workspace);
  };
}

} // namespace strata::stream
