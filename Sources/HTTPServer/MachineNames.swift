// SPDX-License-Identifier: MIT

import Glibc

/// The names under which pages of this machine can be requested.
package enum MachineNames {
    /// The machine's host name, and the name under which mDNS announces it to the network.
    package static var own: [String] {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return [] }
        let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return text.isEmpty ? [] : [text, text.split(separator: ".")[0] + ".local"]
    }
}
