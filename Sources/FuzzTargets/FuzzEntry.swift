// SPDX-License-Identifier: MIT

import Glibc

/// The target that the environment names (`FUZZ_TARGET`).
private let target = getenv("FUZZ_TARGET").flatMap { FuzzTarget(rawValue: String(cString: $0)) }

/// What `scripts/fuzz-work.c` calls with each input, for libFuzzer.
///
/// It traps, as nothing else here does: that is how libFuzzer is told that an input is one to keep. A fuzzer without a
/// target has nothing to do.
@_cdecl("aircheck_fuzz")
package func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) {
    guard let target else { fatalError("FUZZ_TARGET must name one of \(FuzzTarget.allCases.map(\.rawValue))") }
    if let complaint = target.complaint(about: Array(UnsafeBufferPointer(start: bytes, count: count))) {
        fatalError(complaint)
    }
}

/// How many steps an input of so many bytes may take, checks included.
@_cdecl("aircheck_fuzz_most_work")
package func mostWork(_ count: Int) -> UInt64 {
    UInt64(target?.mostWork ?? 0) * UInt64(max(count, FuzzTarget.leastLength))
}
