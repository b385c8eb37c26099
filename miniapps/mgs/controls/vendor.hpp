#pragma once

#include "base/types.hpp"

#include <memory>
#include <string>

namespace strata::mgs::vendor {

/// Why this build has no vendor's factorisation; empty where it has.
char const* unavailable();

/// The file of the loaded library.
std::string path();

/// Whether the libraries can address a matrix: rows and the stride of its columns are ints in
/// LAPACK, cuBLAS and cuSOLVER, and on a GPU elements are counted in ints inside: with 3.2
/// billion of them cuBLAS 13.0 read where it may not.
bool can_address(index_t stride, index_t columns);

/// Householder's factorisation and the explicit Q, by LAPACK (dgeqrf, dorgqr) on a host and by
/// cuSOLVER on a GPU. It allocates its workspace itself.
class Solver
{
public:
  /// `stride` is that of the columns.
  Solver(index_t rows, index_t columns, index_t stride);
  ~Solver();
  Solver(Solver const&) = delete;
  Solver& operator=(Solver const&) = delete;

  /// a becomes Q. R has rows of stride `pitch`; its diagonal may be negative.
  void factorise(double* a, double* r, index_t pitch);

  /// Whether the library takes a matrix that it can address: cuSOLVER 13.0 refuses 61 million
  /// rows of 32 columns.
  static bool takes(index_t rows, index_t columns, index_t stride);

private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Factorisation by a tree of blocks of rows (communication-avoiding, "TSQR") and the explicit
/// Q, by LAPACK's dgeqr and dgemqr, on a host.
class TsqrSolver
{
public:
  /// `stride` is that of the columns.
  TsqrSolver(index_t rows, index_t columns, index_t stride);
  ~TsqrSolver();
  TsqrSolver(TsqrSolver const&) = delete;
  TsqrSolver& operator=(TsqrSolver const&) = delete;

  /// a becomes Q. R has rows of stride `pitch`; its diagonal may be negative.
  void factorise(double* a, double* r, index_t pitch);

  /// Why this build has none; empty where it has.
  static std::string unavailable();
  /// Bytes that a solver holds beside the matrix, for the reflectors.
  static index_t bytes(index_t rows, index_t columns);

private:
  struct State;
  std::unique_ptr<State> state_;
};

/// CholeskyQR, twice, from the library's syrk, potrf and trsm, and trmm for the product of both
/// R. There is no shift: where the square of the condition number has no room in a double, the
/// factorisation fails and the verdict rejects what it leaves.
class CholeskySolver
{
public:
  /// `stride` is that of the columns.
  CholeskySolver(index_t rows, index_t columns, index_t stride);
  ~CholeskySolver();
  CholeskySolver(CholeskySolver const&) = delete;
  CholeskySolver& operator=(CholeskySolver const&) = delete;

  /// a becomes Q. R has rows of stride `pitch`.
  void factorise(double* a, double* r, index_t pitch);

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace strata::mgs::vendor
