#pragma once

#include "array.hpp"

#include "../launch/elementwise.hpp"
#include "../launch/for_each.hpp"
#include "../layout/require.hpp"

#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <vector>

namespace strata {

namespace detail {

template <class User, class Derived, class Parameters>
struct ConstructObject
{
  static constexpr char const* name() { return "strata::Polymorphic construct"; }
  void* place;
  Parameters parameters;

  KOKKOS_FUNCTION void operator()(index_t) const { new (place) Derived(parameters); }
};

template <class User, class Base, class Derived, class Parameters>
struct ConstructObjects
{
  static constexpr char const* name() { return "strata::PolymorphicArray construct"; }
  Derived* place;
  Base** pointers;
  Parameters const* parameters;

  KOKKOS_FUNCTION void operator()(index_t i) const
  {
    pointers[i] = new (place + i) Derived(parameters[i]);
  }
};

template <class User, class Derived>
struct DestroyObjects
{
  static constexpr char const* name() { return "strata::PolymorphicArray destroy"; }
  Derived* objects;

  KOKKOS_FUNCTION void operator()(index_t i) const { objects[i].~Derived(); }
};

template <class User, class Base>
struct DestroyObject
{
  static constexpr char const* name() { return "strata::Polymorphic destroy"; }
  Base* object;

  KOKKOS_FUNCTION void operator()(index_t) const { object->~Base(); }
};

} // namespace detail

/// An object in device memory of a class derived from Base. One launch constructs it and
/// another one destroys it, so that its table of virtual functions is the device's; a copy of a
/// host object would have the host's. Kernels call through `get()`; host code must not, unless
/// the device is the host. Copies are shallow; the last one destroys the object.
///
/// User is a type of the source file that launches the calling kernels, and of no other file.
/// On a GPU, a table of virtual functions is valid in the device code of one source file: calls
/// of an object that another file's launch constructed fail (CUDA: "invalid program counter").
/// Source: S5 Algorithm 1.
template <class Base, class User, class Space = DeviceSpace>
class Polymorphic
{
  static_assert(std::has_virtual_destructor_v<Base>, "the last copy destroys through Base");
  using Execution = typename Space::execution_space;

public:
  /// No object.
  Polymorphic() = default;

  /// A Derived(parameters); constructor and destructor are KOKKOS_FUNCTIONs.
  template <class Derived, class Parameters>
  static Polymorphic make(std::string const& label, Parameters const& parameters)
  {
    static_assert(std::is_base_of_v<Base, Derived>);
    static_assert(std::is_trivially_copyable_v<Parameters>, "they go to the device as bytes");
    auto const memory = allocate<Space>(label, static_cast<index_t>(sizeof(Derived)));
    auto* const place = memory.data();
    for_each<Execution>(1,
                        detail::ConstructObject<User, Derived, Parameters>{place, parameters});
    // A Base need not lie at the start of its Derived; the conversion does not read the object.
    Base* const object = reinterpret_cast<Derived*>(place);
    return Polymorphic(std::shared_ptr<Base>(object, Destroy{memory}));
  }

  [[nodiscard]] Base* get() const { return object_.get(); }
  [[nodiscard]] explicit operator bool() const { return object_ != nullptr; }

private:
  struct Destroy
  {
    Memory<Space> memory; ///< freed with this, after the launch

    void operator()(Base* object) const
    {
      for_each<Execution>(1, detail::DestroyObject<User, Base>{object});
      Kokkos::fence();
    }
  };

  explicit Polymorphic(std::shared_ptr<Base> object)
      : object_(std::move(object))
  {
  }

  std::shared_ptr<Base> object_;
};

/// An array of objects in device memory, each of some class derived from Base. Kernels see
/// pointers to Base; see Polymorphic for User and for who may call. Copies are shallow; the
/// last one destroys the objects. Source: S5 Algorithm 1.
///
///   PolymorphicArray<Shape, User> shapes("shapes", 100);
///   shapes.construct<Disc>(0, radii);        // of as many elements as there are radii
///   shapes.construct<Square>(radii.size(), edges);
///   auto const s = shapes.read();            // in kernels: s(i)->area()
template <class Base, class User, class Space = DeviceSpace>
class PolymorphicArray
{
  static_assert(std::has_virtual_destructor_v<Base>, "objects are used as their Base");
  using Execution = typename Space::execution_space;

public:
  PolymorphicArray() = default;
  /// Null pointers.
  PolymorphicArray(std::string const& label, index_t count)
      : pointers_(label, Dynamic<1>(count))
  {
    auto const all = pointers_.write();
    for_each<Execution>(count, Set<std::remove_const_t<decltype(all)>>{all, nullptr});
  }

  [[nodiscard]] index_t size() const { return pointers_.size(); }
  /// What kernels get: element i is a pointer to object i.
  [[nodiscard]] auto read() const { return pointers_.read(); }

  /// Elements from `first` on become objects Derived(parameters(i)), made by one launch whose
  /// end is waited for. Objects that were there before live on unseen as long as the array.
  /// Throws where there are fewer elements.
  template <class Derived, class Parameters>
  void construct(index_t first,
                 Array<Parameters, Dynamic<1>, LayoutRight, Space> const& parameters)
  {
    static_assert(std::is_base_of_v<Base, Derived>);
    index_t const count = parameters.size();
    detail::require(first >= 0 && first + count <= size(),
                    "array '%s' has %lld objects and is given %lld from object %lld on",
                    pointers_.label().c_str(), static_cast<long long>(size()),
                    static_cast<long long>(count), static_cast<long long>(first));
    auto const memory = allocate<Space>(pointers_.label() + " objects",
                                        count * static_cast<index_t>(sizeof(Derived)));
    auto* const place = reinterpret_cast<Derived*>(memory.data());
    for_each<Execution>(count, detail::ConstructObjects<User, Base, Derived, Parameters>{
                                   place, pointers_.data() + first, parameters.data()});
    Kokkos::fence();
    blocks_->push_back(std::shared_ptr<void>(place, [memory, place, count](void*) {
      for_each<Execution>(count, detail::DestroyObjects<User, Derived>{place});
      Kokkos::fence();
    }));
  }

private:
  Array<Base*, Dynamic<1>, LayoutRight, Space> pointers_;
  using Blocks = std::vector<std::shared_ptr<void>>;
  std::shared_ptr<Blocks> blocks_ = std::make_shared<Blocks>();
};

} // namespace strata
