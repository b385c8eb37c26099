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

} // namespace strata
