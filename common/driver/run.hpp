#pragma once

#include "ending.hpp"
#include "program.hpp"

namespace strata::driver {

/// The whole run of an app, as contract.md describes it; returns the exit code.
int run_program(Program const& program, int argc, char** argv);

template <MiniApp App>
int run(int argc, char** argv)
{
  end_with_reason(); // before anything can throw
  return run_program(program_of<App>(), argc, argv);
}

} // namespace strata::driver
