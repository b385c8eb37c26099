#include "array_maker.hpp"

template strata::driver::Maker strata::stream::array_maker<3>(strata::stream::Choice const&,
                                                              strata::stream::Geometry const&);
