#pragma once

// Sparse matrices: the umbrella of common/array/sparse.

#include "array/sparse/sparse.hpp"
