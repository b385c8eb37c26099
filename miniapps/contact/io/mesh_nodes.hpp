#pragma once

#include "readers.hpp"

namespace strata::contact {

/// A corner of an element: where it is, and its number among the free points, or −1.
struct Node
{
  Vector at;
  index_t free;
};

/// The corners of this rank's elements, from the ranks that have read them, and the free
/// points: those that no element has as a corner, or that a cell of type 1 names.
class Nodes
{
public:
  /// Collective.
  Nodes(Mesh const& mesh, runtime::Communicator const& world);

  /// A corner of one of this rank's elements, by its number in the file.
  [[nodiscard]] Node const& of(index_t number) const;
  /// This rank's, in the order of the file.
  [[nodiscard]] std::vector<Vector> const& free_points() const { return free_; }
  [[nodiscard]] Stretch const& stretch() const { return stretch_; }

private:
  [[nodiscard]] runtime::Received<index_t>
  asked_of_me(std::vector<index_t> const& numbers) const;
  void number_free_points(std::vector<index_t> const& corners,
                          std::vector<index_t> const& vertices);
  void answer(runtime::Received<index_t> const& corners);

  Mesh const& mesh_;
  runtime::Communicator world_;
  std::vector<index_t> numbers_; ///< of corners, ascending
  std::vector<Node> nodes_;
  std::vector<index_t> free_number_; ///< of the points that this rank has read
  std::vector<Vector> free_;
  Stretch stretch_;
};

} // namespace strata::contact
