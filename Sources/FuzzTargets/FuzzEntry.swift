// SPDX-License-Identifier: MIT

import Glibc

/// The target named by the environment (`FUZZ_TARGET`).
private let target = getenv("FUZZ_TARGET").flatMap { FuzzTarget(rawValue: String(cString: $0)) }

/// The entry point for libFuzzer, which `scripts/fuzz-work.c` calls with each input.
///
/// It is the only function here that traps: the trap makes libFuzzer keep the input. It also traps if no target is
/// named.
@_cdecl("aircheck_fuzz")
package func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) {
    guard let target else { fatalError("FUZZ_TARGET must name one of \(FuzzTarget.allCases.map(\.rawValue))") }
    if let complaint = target.complaint(about: Array(UnsafeBufferPointer(start: bytes, count: count))) {
        fatalError(complaint)
    }
}

/// The maximum number of steps for an input of `count` bytes, including the checks.
@_cdecl("aircheck_fuzz_most_work")
package func mostWork(_ count: Int) -> UInt64 {
    UInt64(target?.mostWork ?? 0) * UInt64(max(count, FuzzTarget.leastLength))
}
