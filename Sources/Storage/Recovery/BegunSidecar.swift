// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats

/// A sidecar which says that its audio is still growing: a file that a process has begun and not completed.
struct BegunSidecar {
    let base: String
    var content: Sidecar

    /// Nil where there is none of that name, or it is somebody else's, or complete.
    init?(base: String, in folder: CInt, _ system: any FileSystemCalls) {
        guard let descriptor = try? system.openFile(in: folder, name: SidecarFile.name(of: base)) else { return nil }
        defer { system.close(descriptor) }
        guard let status = try? system.status(of: descriptor), status.isRegularFile,
            status.size <= Sidecar.maximumLength,
            // A folder may hold a hundred thousand complete sidecars; their last bytes are enough to skip them.
            let end = Self.read(descriptor, from: max(0, status.size - Self.endLength), to: status.size, system),
            end.contains(Self.growing),
            let bytes = Self.read(descriptor, from: 0, to: status.size, system),
            let content = Sidecar(parsing: bytes), content.state == .growing
        else { return nil }
        self.base = base
        self.content = content
    }

    /// Extension of the audio beside it.
    var fileExtension: String { content.format.fileType.fileExtension }

    private static func read(
        _ descriptor: CInt, from start: Int64, to end: Int64, _ system: any FileSystemCalls
    ) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: Int(end - start))
        let count = bytes.withUnsafeMutableBytes { try? system.read(descriptor, into: $0, at: start) }
        return count == bytes.count ? bytes : nil
    }

    private static let growing = Array("\"\(Sidecar.State.growing.rawValue)\"".utf8)
    private static let endLength: Int64 = 128
}

extension [UInt8] {
    fileprivate func contains(_ other: [UInt8]) -> Bool {
        guard count >= other.count else { return false }
        return (0...count - other.count).contains { self[$0...].starts(with: other) }
    }
}
