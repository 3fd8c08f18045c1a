// SPDX-License-Identifier: MIT

import Glibc
import Platform
import RadioCore
import RadioFormats

/// Reads the size and the sidecar of a file in an open folder. Follows no link, changes nothing.
struct SegmentReader {
    let system: any FileSystemCalls

    /// The segment with this name; nil for a temporary or foreign file, and for a sidecar whose audio exists.
    func segment(named name: RecordedName, in folder: CInt, _ folders: [String]) -> LibrarySegment? {
        switch name {
        case .temporary, .found: return nil
        case .sidecar(let base):
            guard !hasAudio(base, in: folder) else { return nil }
            let description = description(of: base, in: folder, isBesideAudio: false)
            guard description != .missing else { return nil }
            return LibrarySegment(folders: folders, base: base, audio: nil, description: description)
        case .audio(let base, let fileExtension), .part(let base, let fileExtension):
            guard let audio = audio(base, [fileExtension], in: folder) else { return nil }
            var description = description(of: base, in: folder, isBesideAudio: true)
            if case .sidecar(let sidecar) = description, sidecar.format.fileType.fileExtension != fileExtension {
                description = .missing
            }
            return LibrarySegment(folders: folders, base: base, audio: audio, description: description)
        }
    }

    private func hasAudio(_ base: String, in folder: CInt) -> Bool {
        audio(base, FileType.all.map(\.fileExtension), in: folder) != nil
    }

    private func audio(_ base: String, _ fileExtensions: [String], in folder: CInt) -> LibrarySegment.Audio? {
        for (name, fileExtension, isPart) in RecordedName.ofAudio(base: base, fileExtensions: fileExtensions) {
            let status = try? system.status(in: folder, name: name)
            guard let status, status.isRegularFile else { continue }
            return LibrarySegment.Audio(fileExtension: fileExtension, bytes: status.size, isPart: isPart)
        }
        return nil
    }

    /// Reads the sidecar with this base name. If there is audio of the same name, a file that is not JSON counts as a
    /// damaged sidecar.
    private func description(of base: String, in folder: CInt, isBesideAudio: Bool) -> LibrarySegment.Description {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try Companion.sidecar.read(of: base, in: folder, system).bytes
        } catch {
            switch error.number {
            case ENOENT, ELOOP, EINVAL: return .missing
            case EFBIG: return isBesideAudio ? .damaged(.tooLong) : .missing
            default: return .damaged(.unreadable(error.number))
            }
        }
        do throws(Sidecar.ParseError) {
            return .sidecar(try Sidecar(reading: bytes))
        } catch {
            switch error {
            case .foreign: return .missing
            case .notJSON(_, let isOurs): return isOurs || isBesideAudio ? .damaged(.content(error)) : .missing
            case .otherVersion, .incomplete: return .damaged(.content(error))
            }
        }
    }
}
