// SPDX-License-Identifier: MIT

import Glibc
import Instants
import TestTools

/// The time for which the host of a virtual machine used its processors for others while the machine needed them
/// (`steal`, the eighth number of `/proc/stat`, proc(5)). Always zero on a physical machine.
enum StolenTime {
    /// Measures the stolen time since it was created.
    struct Watch {
        private let start = MonotonicInstant.now
        private let before: Double

        init() throws {
            before = try StolenTime.seconds()
        }

        /// The stolen time since the watch was created, of all processors together, as a share of one processor.
        func share() throws -> Double {
            (try StolenTime.seconds() - before) / ((MonotonicInstant.now - start) / .seconds(1))
        }
    }

    /// The stolen time since boot, of all processors together.
    private static func seconds() throws -> Double {
        let text = String(decoding: try bytes(ofFile: "/proc/stat"), as: UTF8.self)
        let fields = text.prefix { $0 != "\n" }.split(separator: " ")
        guard fields.count > 8, fields[0] == "cpu", let ticks = Double(fields[8]) else {
            throw SetupError("/proc/stat says nothing of stolen time")
        }
        return ticks / Double(sysconf(CInt(_SC_CLK_TCK)))
    }
}
