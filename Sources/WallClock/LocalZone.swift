// SPDX-License-Identifier: MIT

import Glibc
package import Instants
import RadioCore

/// The time zone of the machine: from `TZ`, else from `/etc/localtime`.
///
/// Calls `localtime_r`, which is safe on any thread. The zone is read when the first value is created, and stays the
/// same until the process ends, whatever happens to the environment or the file.
package struct LocalZone: TimeZoneRules {
    package let identifier: String

    package init() {
        identifier = LocalZone.name
    }

    package func utcOffset(at instant: WallInstant) -> Int {
        var seconds = time_t(instant.nanoseconds.dividedRoundingDown(by: 1_000_000_000).quotient)
        var parts = tm()
        // Fails only for years beyond 2^31, which an instant cannot hold.
        guard localtime_r(&seconds, &parts) != nil else { return 0 }
        return parts.tm_gmtoff
    }

    /// Evaluated once. Calls `tzset`, because `localtime_r` need not read the zone itself.
    private static let name: String = {
        tzset()
        if let variable = getenv("TZ") {
            let value = String(cString: variable).drop { $0 == ":" }
            return value.isEmpty ? "UTC" : String(value)
        }
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/etc/localtime", &buffer, buffer.count)
        guard length > 0 else { return "UTC" }
        let target = String(decoding: buffer[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
        let folders = target.split(separator: "/")
        guard let root = folders.lastIndex(of: "zoneinfo") else { return "local" }
        return folders[(root + 1)...].joined(separator: "/")
    }()
}
