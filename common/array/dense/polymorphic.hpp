#pragma once

#include "array.hpp"

#include "../launch/for_each.hpp"

#include <memory>
#include <new>
#include <string>
#include <type_traits>

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

template <class User, class Base>
struct DestroyObject
{
  static constexpr char const* name() { return "strata::Polymorphic destroy"; }
  Base* object;

  KOKKOS_FUNCTION void operator()(index_t) const { object->~Base(); }
};

} // namespace detail

/// An object of some class derived from Base that lives on the device: it is constructed and
/// destroyed there, by a launch each, so that its virtual functions are the device's. An object
/// copied from the host would bring the host's. Kernels call through `get()`; on the host that
/// pointer is good for nothing unless the device is the host. Copies are shallow; the last one
/// destroys.
///
/// User is a type that only the source file that launches the calling kernels instantiates this
/// with. A GPU's virtual functions are those of one source file's device code: an object that
/// another file's launch has constructed jumps nowhere (CUDA: "invalid program counter").
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
    // The Base need not be where the Derived begins: that is known without looking at either.
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

} // namespace strata
