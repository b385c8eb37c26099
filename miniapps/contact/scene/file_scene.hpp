#pragma once

#include "generators.hpp"

namespace strata::contact {

/// Objects from problem.file. They do not move, and every element is a body of its own. The
/// file is read and checked before anything runs and read again when the objects are made, so
/// that memory holds them once. All members are collective.
class FileScene : public SceneSource
{
public:
  explicit FileScene(SceneOptions const& settings);
  [[nodiscard]] Objects objects(runtime::Share const& share) const override;
  [[nodiscard]] report::Facts facts() const override;
  [[nodiscard]] double row_length() const override { return 8; }

private:
  Config config_;
  ReadFile read_;
  runtime::Communicator world_;
  index_t dropped_;
};

} // namespace strata::contact
