#pragma once

namespace strata::runtime {

/// From now on SIGTERM and SIGINT only set this rank's flag, so that a run can end in order;
/// a second SIGINT ends the process.
void watch_interrupts();

/// From now on output that nobody reads any more is an error and no end: it must not cost the
/// record.
void outlive_readers();

/// This rank's flag. Ranks are not signalled together: agree by Communicator::any before
/// anything that all of them must do.
bool interrupted();

} // namespace strata::runtime
