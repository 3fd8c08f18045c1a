// SPDX-License-Identifier: MIT

import Glibc
package import Platform
package import RadioCore
import RadioFormats

/// Copies frames of a recording's files into one file. Blocks.
package struct RecordingExporter {
    private let library: Library
    let system: any FileSystemCalls
    let path: String

    /// Why nothing was exported, or not everything.
    package enum Fault: Error, Sendable, CustomStringConvertible {
        /// Frames of this codec are no stream without their pages or head.
        case unsupported(String)
        /// The files are of different codecs.
        case mixed
        case nothing
        case reading(StorageError)
        case writing(SystemError)

        package var description: String {
            switch self {
            case .unsupported(let codec): "files of \(codec) cannot be cut or joined yet; copy them as they are"
            case .mixed: "the recording changes its codec, which one file cannot do; choose a span without that"
            case .nothing: "nothing of the recording was on air then"
            case .reading(let error): "\(error.message): \(error.remedy)"
            case .writing(let error): "the file cannot be written: \(error)"
            }
        }
    }

    /// What was copied.
    package struct Exported: Hashable, Sendable {
        package var frames: Int64 = 0
        package var bytes: Int64 = 0
        /// Frames that were written down, but are not in the files any more.
        package var missing: Int64 = 0
    }

    /// `path`: the recordings folder.
    package init(path: String, system: any FileSystemCalls = LinuxFileSystem()) {
        self.path = path
        self.system = system
        library = Library(path: path, depth: NameTemplate.maxComponents, system: system)
    }

    /// Writes the frames to a descriptor, in order.
    package func export(_ plan: ExportPlan, to descriptor: CInt) throws(Fault) -> Exported {
        guard let first = plan.parts.first?.segment.sidecar?.format else { throw .nothing }
        guard ["mp3", "aac"].contains(first.fileType.fileExtension) else { throw .unsupported(first.words) }
        guard plan.parts.allSatisfy({ $0.segment.sidecar?.format.codec == first.codec }) else { throw .mixed }
        var exported = Exported()
        for part in plan.parts {
            let slice: AudioSlice?
            do throws(StorageError) {
                slice = try library.slice(ofFrames: part.frames, of: part.segment)
            } catch {
                throw .reading(error)
            }
            let found = slice?.frames ?? 0
            exported.missing += Int64(part.frames.count) - found
            guard let slice else { continue }
            try copy(slice, to: descriptor)
            exported.frames += found
            exported.bytes += slice.length
        }
        return exported
    }

    private func copy(_ slice: AudioSlice, to target: CInt) throws(Fault) {
        let source: CInt
        do throws(SystemError) {
            var root = RecordingsFolder(path: path, system: system)
            let folder = try root.openExisting(slice.folders)
            defer { system.close(folder) }
            source = try system.openToRead(in: folder, name: slice.name)
        } catch {
            throw .reading(StorageError(error, .read, "\(path)/\(slice.name)"))
        }
        defer { system.close(source) }
        let end = slice.offset + slice.length
        var offset = slice.offset
        while offset < end {
            let bytes: [UInt8]
            do throws(SystemError) {
                bytes = try system.readAll(source, from: offset, to: min(end, offset + Self.pieceSize))
            } catch {
                throw .reading(StorageError(error, .read, "\(path)/\(slice.name)"))
            }
            try write(bytes, to: target)
            offset += Int64(bytes.count)
        }
    }

    private func write(_ bytes: [UInt8], to target: CInt) throws(Fault) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(target, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .writing(SystemError(number: count < 0 ? errno : EIO)) }
            rest = rest.dropFirst(count)
        }
    }

    private static let pieceSize: Int64 = 256 << 10
}
