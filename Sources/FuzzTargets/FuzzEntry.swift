// SPDX-License-Identifier: MIT

import Glibc

/// The target that the environment names (`FUZZ_TARGET`).
private let target = getenv("FUZZ_TARGET").flatMap { FuzzTarget(rawValue: String(cString: $0)) }

/// What libFuzzer calls with each input.
///
/// It traps, as nothing else here does: that is how libFuzzer is told that an input is one to keep. Nothing is returned
/// but 0, and a fuzzer without a target has nothing to do.
@_cdecl("LLVMFuzzerTestOneInput")
package func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let target else { fatalError("FUZZ_TARGET must name one of \(FuzzTarget.allCases.map(\.rawValue))") }
    if let complaint = target.complaint(about: Array(UnsafeBufferPointer(start: bytes, count: count))) {
        fatalError(complaint)
    }
    return 0
}
