#pragma once

// Arrays of any layout and access rule, and launches over them: the core's umbrella.

#include "array/access/access.hpp"
#include "array/access/bits.hpp"
#include "array/dense/any_rank.hpp"
#include "array/dense/array.hpp"
#include "array/dense/bit_array.hpp"
#include "array/dense/copy.hpp"
#include "array/dense/polymorphic.hpp"
#include "array/launch/elementwise.hpp"
#include "array/launch/lambda.hpp"
#include "array/launch/scale.hpp"
#include "array/launch/scan.hpp"
#include "array/launch/scratch.hpp"
#include "array/launch/team.hpp"
#include "array/layout/layout.hpp"
#include "array/layout/symmetric.hpp"
#include "array/span/subspan.hpp"
