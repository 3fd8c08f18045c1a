// SPDX-License-Identifier: MIT

import Glibc
import Platform
import RadioCore
import RadioFormats

/// Deletes recordings, or protects them from deletion. Its calls block, so they need a thread that may block.
///
/// The catalog only supplies the names. A file is deleted if the sidecar beside it names this recording, and both are
/// regular files in folders that are reached from the recordings folder without a link and on its disk. If anything
/// about one file is in doubt, no file of the recording is deleted. A segment's files are named by their path below the
/// recordings folder, without extension.
package struct RecordingDeleter: Sendable {
    private let path: String
    private let system: any FileSystemCalls

    /// Why nothing was deleted, or not everything.
    package enum Refusal: Error, Hashable, Sendable, CustomStringConvertible {
        /// The catalog names something that cannot be a file of ours.
        case badName(String)
        /// The file has no readable sidecar of this recording.
        case otherRecording(String)
        case protected
        /// The file is being written.
        case growing(String)
        /// Something other than a regular file on the disk of the recordings.
        case notAFile(String)
        /// The deletion could not be entered in the ledger, for this reason.
        case unwritten(String)
        /// A system call failed with this `errno`.
        case system(String, Int32)

        package var description: String {
            switch self {
            case .badName(let name): "'\(name)' cannot be the name of a recording's file"
            case .otherRecording(let name): "no sidecar beside \(name) says that it belongs to this recording"
            case .protected: "it is protected"
            case .growing(let name): "\(name) is being recorded"
            case .notAFile(let name): "\(name) is not a file on the disk of the recordings"
            case .unwritten(let why): "the deletion could not be entered in deleted.jsonl: \(why)"
            case .system(let name, let number): "\(name): \(SystemError(number: number))"
            }
        }
    }

    package init(path: String, system: any FileSystemCalls = LinuxFileSystem()) {
        self.path = path
        self.system = system
    }

    /// Deletes a recording file by file, the audio of each before its companions, so that a crash leaves no audio
    /// without its sidecar. `begin` is called after all checks and before the first deletion. If it throws, nothing is
    /// deleted.
    package func delete(
        _ recording: String, _ paths: [String], begin: () throws(Refusal) -> Void = {}
    ) throws(Refusal) {
        try withFiles(of: recording, paths) { files throws(Refusal) in
            guard !files.contains(where: \.sidecar.isProtected) else { throw .protected }
            try begin()
            for (var bundle, _) in files {
                do throws(SystemError) {
                    try bundle.remove()
                } catch {
                    throw .system(bundle.base, error.number)
                }
                try? system.syncFolder(bundle.folder)
            }
        }
    }

    /// Protects a recording from deletion, or ends the protection, by changing its sidecars. A file that is being
    /// written is left out. If it is the only file, there is nothing to protect yet, and the call throws.
    package func protect(_ recording: String, _ paths: [String], _ isProtected: Bool) throws(Refusal) {
        try withFiles(of: recording, paths, leavesOutGrowing: true) { files throws(Refusal) in
            for (var bundle, var sidecar) in files {
                sidecar.isProtected = isProtected
                do throws(StorageError) {
                    _ = try bundle.write(.sidecar, sidecar.encoded, isComplete: true)
                } catch {
                    throw .system(bundle.base, EIO)
                }
            }
        }
    }

    // MARK: - Looking

    private typealias File = (bundle: SegmentBundle, sidecar: Sidecar)

    /// Checks every file of a recording before changing any.
    private func withFiles(
        of recording: String, _ paths: [String], leavesOutGrowing: Bool = false,
        _ body: ([File]) throws(Refusal) -> Void
    ) throws(Refusal) {
        var opened: [CInt] = []
        defer { for folder in opened { system.close(folder) } }
        let device: UInt64
        let root = RecordingsFolder(path: path, system: system)
        do throws(SystemError) {
            let folder = try root.openExisting([])
            defer { system.close(folder) }
            device = try system.status(of: folder).device
        } catch {
            throw .system(path, error.number)
        }
        var files: [File] = []
        var seen: Set<String> = []
        // The files are checked in the given order, so that a refusal names the same bad file in every run.
        for path in paths where seen.insert(path).inserted {
            let (folders, base) = path.bundleName
            guard folders.allSatisfy(\.isPlainName), base.isPlainName, !base.hasPrefix(".") else {
                throw .badName(path)
            }
            do throws(SystemError) {
                opened.append(try root.openExisting(folders))
            } catch {
                throw .system(folders.joined(separator: "/"), error.number)
            }
            do throws(Refusal) {
                files.append(try look(at: base, in: opened[opened.count - 1], device, of: recording))
            } catch {
                guard leavesOutGrowing, case .growing = error, paths.count > 1 else { throw error }
            }
        }
        try body(files)
    }

    private func look(
        at base: String, in folder: CInt, _ device: UInt64, of recording: String
    ) throws(Refusal) -> File {
        do throws(SystemError) {
            let (bytes, status) = try Companion.sidecar.read(of: base, in: folder, system)
            guard status.device == device, let sidecar = Sidecar(parsing: bytes), sidecar.recording == recording else {
                throw SystemError(number: ENODATA)
            }
            var bundle = SegmentBundle(
                base: base, fileExtension: sidecar.format.fileType.fileExtension, in: folder, folderPath: path,
                system, owning: [.sidecar])
            bundle.adopt()
            let isPart = try system.exists(in: folder, name: bundle.audioName + ".part")
            guard sidecar.state != .growing, !isPart else { throw SystemError(number: EBUSY) }
            let audio = try system.status(in: folder, name: bundle.audioName)
            guard audio.isRegularFile, audio.device == device else { throw SystemError(number: EISDIR) }
            return (bundle, sidecar)
        } catch {
            switch error.number {
            case ENODATA, EINVAL, EFBIG, ELOOP: throw .otherRecording(base)
            case EBUSY: throw .growing(base)
            case EISDIR: throw .notAFile(base)
            default: throw .system(base, error.number)
            }
        }
    }
}
