#include "launches.hpp"

namespace strata::mgs {

void level_one_sequence(VectorOperations& on, index_t columns)
{
  for (index_t j = 0; j < columns; ++j) {
    on.norm(j);
    on.scale(j);
    for (index_t k = j + 1; k < columns; ++k) {
      on.dot(j, k);
      on.update(j, k);
    }
  }
  on.finish();
}

void sequence(RowOperations& on, index_t columns)
{
  level_one_sequence(on, columns);
}

void batched(RowOperations& on, index_t columns)
{
  for (index_t j = 0; j < columns; ++j) {
    on.norm(j);
    on.scale(j);
    if (j + 1 < columns) {
      on.dots(j);
      on.updates(j);
    }
  }
  on.finish();
}

void fused(RowOperations& on, index_t columns)
{
  on.first_row();
  for (index_t j = 0; j + 1 < columns; ++j)
    on.fused(j);
  on.last_column();
  on.finish_fused();
}

namespace {

void project_and_subtract(RowOperations& on, index_t columns, bool twice)
{
  on.norm(0);
  on.scale(0);
  for (index_t j = 1; j < columns; ++j) {
    on.project(j, false);
    on.subtract(j, false, !twice);
    if (twice) {
      on.project(j, true);
      on.subtract(j, true, true);
    }
    on.scale(j);
  }
  on.finish_classical(twice);
}

} // namespace

void classical(RowOperations& on, index_t columns)
{
  project_and_subtract(on, columns, false);
}

void classical_twice(RowOperations& on, index_t columns)
{
  project_and_subtract(on, columns, true);
}

} // namespace strata::mgs
