#pragma once

namespace strata::runtime {

/// From now on SIGTERM and SIGINT only set this rank's flag, so that the run can finish its
/// record; a second SIGINT ends the process.
void watch_interrupts();

/// From now on writing to a closed pipe is an error instead of the end of the process, so that
/// the record is not lost.
void outlive_readers();

/// This rank's flag. Signals reach ranks at different times: reduce it by Communicator::any
/// before a decision that all ranks must make alike.
bool interrupted();

} // namespace strata::runtime
