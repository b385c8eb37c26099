#pragma once

namespace strata::runtime {

/// From now on SIGTERM and SIGINT only set this rank's flag, so that a run can end in order,
/// also where nobody reads its output any more (SIGPIPE is ignored: writing there is an error);
/// a second SIGINT ends the process.
void watch_interrupts();

/// This rank's flag. Ranks are not signalled together: agree by Communicator::any before
/// anything that all of them must do.
bool interrupted();

} // namespace strata::runtime
