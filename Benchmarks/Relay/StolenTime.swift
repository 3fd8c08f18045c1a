// SPDX-License-Identifier: MIT

import Glibc
import Instants
import TestSupport

/// How long the host of a virtual machine had its processors for others while the machine wanted them (`steal`, the
/// eighth number of `/proc/stat`, proc(5)). On a machine of one's own it is always zero.
enum StolenTime {
    /// Counts from when it is made.
    struct Watch {
        private let start = MonotonicInstant.now
        private let before: Double

        init() throws {
            before = try StolenTime.seconds()
        }

        /// What was taken since, of all processors together, as a share of one.
        func share() throws -> Double {
            (try StolenTime.seconds() - before) / ((MonotonicInstant.now - start) / .seconds(1))
        }
    }

    /// Since the start of the machine, all processors together.
    private static func seconds() throws -> Double {
        let text = String(decoding: try bytes(ofFile: "/proc/stat"), as: UTF8.self)
        let fields = text.prefix { $0 != "\n" }.split(separator: " ")
        guard fields.count > 8, fields[0] == "cpu", let ticks = Double(fields[8]) else {
            throw SetupError("/proc/stat says nothing of stolen time")
        }
        return ticks / Double(sysconf(CInt(_SC_CLK_TCK)))
    }
}
