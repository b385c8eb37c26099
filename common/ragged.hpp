#pragma once

// Rows of different lengths, fixed or growing: the umbrella of common/array/ragged.

#include "array/ragged/buffered_rows.hpp"
#include "array/ragged/dynamic_ragged.hpp"
#include "array/ragged/for_each_row.hpp"
#include "array/ragged/linked_pool.hpp"
#include "array/ragged/paged.hpp"
#include "array/ragged/ragged.hpp"
#include "array/ragged/ragged_array.hpp"
#include "array/ragged/ragged_for_each.hpp"
#include "array/ragged/ragged_slack.hpp"
