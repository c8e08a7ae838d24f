#pragma once

#include <string>
#include <vector>

#include "report/result.h"

namespace mjjit {

/// Rows of text in columns, two blanks apart; the first row is a heading. Columns whose name is in
/// the list of `left` are aligned left, the others right.
std::string table_text(const std::vector<std::vector<std::string>>& rows,
                       std::size_t left_columns = 1);

/// --memory: every array with its shape and share, then the totals.
std::string memory_text(const Result& result);
/// --event_trace: nanoseconds a world-step of each stage and launch.
std::string trace_text(const Result& result);
/// --measure_alloc: contacts of all worlds and rows of the largest world, in ten pieces of the run.
std::string alloc_text(const Result& result);
/// --measure_solver: iterations a world, in ten pieces of the run.
std::string solver_text(const Result& result);
/// --compile_only: compile time of each module, and registers, spills, stack and shared memory of
/// each kernel.
std::string compile_text(const std::vector<ModuleFigures>& modules, bool markdown = false);

}  // namespace mjjit
