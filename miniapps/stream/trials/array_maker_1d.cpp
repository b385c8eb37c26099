#include "array_maker.hpp"

template strata::driver::Maker strata::stream::array_maker<1>(strata::stream::Choice const&,
                                                              strata::stream::Geometry const&);
