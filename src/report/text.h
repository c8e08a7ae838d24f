#pragma once

#include <string>

#include "report/result.h"

namespace mjjit {

// The result as a person reads it. Words and order of the summary are those that existing scripts
// look for.

/// "Summary for 8192 parallel rollouts" and what follows, ending with a newline.
std::string summary_text(const Result& result);

/// "key: value" lines of every single figure, for scripts.
std::string short_text(const Result& result);

/// One line a module in the form of other tools: "Module solver 3f2a91c load on device 'cuda:0'
/// took 412.33 ms  (compiled)".
std::string module_line(const ModuleFigures& module, const std::string& device_id);

/// 19980487 as "19,980,487", whatever the locale.
std::string with_commas(double value, int decimals);

/// Bytes as "3.58 GiB" or the like.
std::string readable_bytes(double bytes);

}  // namespace mjjit
