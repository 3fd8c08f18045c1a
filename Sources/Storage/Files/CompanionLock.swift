// SPDX-License-Identifier: MIT

import Platform
import RadioCore

/// The lock of a companion, as long as it lives. A process holds it while it works on what only the companion says.
final class CompanionLock: Sendable {
    private let system: any FileSystemCalls
    private let file: CInt

    /// Nil if there is no such file, or somebody else holds its lock.
    init?(_ companion: Companion, of base: String, in folder: CInt, _ system: any FileSystemCalls) {
        guard let file = try? system.openFile(in: folder, name: companion.name(of: base)) else { return nil }
        (self.system, self.file) = (system, file)
        guard (try? system.lock(file)) == true else { return nil }
    }

    deinit { system.close(file) }
}
