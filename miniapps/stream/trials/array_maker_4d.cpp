#include "array_maker.hpp"

template strata::driver::Maker strata::stream::array_maker<4>(strata::stream::Choice const&,
                                                              strata::stream::Geometry const&);
