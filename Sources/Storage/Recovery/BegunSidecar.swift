// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats

/// A sidecar whose audio is still growing: a process has begun the file and not completed it. Or one whose complete
/// audio is being healed.
struct BegunSidecar {
    let base: String
    var content: Sidecar

    /// Returns nil if there is no such sidecar, or it is foreign or complete. `orHealing`: whether it may be that of
    /// complete audio which is being healed.
    init?(base: String, orHealing: Bool = false, in folder: CInt, _ system: any FileSystemCalls) {
        let name = Companion.sidecar.name(of: base)
        guard let descriptor = try? system.openFile(in: folder, name: name) else { return nil }
        defer { system.close(descriptor) }
        guard let status = try? system.status(of: descriptor), status.isRegularFile,
            status.size <= Sidecar.maximumLength,
            // A folder may contain a hundred thousand complete sidecars, whose last bytes suffice to skip them.
            let end = try? system.readAll(descriptor, from: max(0, status.size - Self.endLength), to: status.size),
            end.contains(Self.growing) || orHealing && end.contains(Self.unsettled),
            let bytes = try? system.readAll(descriptor, from: 0, to: status.size),
            let content = Sidecar(parsing: bytes), content.state == .growing || orHealing && content.healing != nil
        else { return nil }
        self.base = base
        self.content = content
    }

    /// The extension of the sidecar's audio file.
    var fileExtension: String { content.format.fileType.fileExtension }

    private static let growing = Array("\"\(Sidecar.State.growing.rawValue)\"".utf8)
    private static let unsettled = Array("\"\(Sidecar.unsettled)\"".utf8)
    private static let endLength: Int64 = 128
}

extension [UInt8] {
    fileprivate func contains(_ other: [UInt8]) -> Bool {
        guard count >= other.count else { return false }
        return (0...count - other.count).contains { self[$0...].starts(with: other) }
    }
}
