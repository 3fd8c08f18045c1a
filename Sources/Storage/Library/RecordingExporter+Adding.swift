// SPDX-License-Identifier: MIT

import Glibc
import Platform
package import RadioCore
import RadioFormats

extension RecordingExporter {
    /// Exports frames into a new file of the library, with a sidecar. `sidecar` describes the frames of the excerpt,
    /// except for their totals. `base` is the name without extension. Throws, without leaving a file, if the name is
    /// taken or if a frame is missing.
    package func add(_ excerpt: Excerpt, _ sidecar: Sidecar, in folders: [String], base: String) throws(Problem) {
        let folder = try writing { () throws(SystemError) in
            let root = RecordingsFolder(path: path, system: system)
            return try root.openExisting(folders)
        }
        defer { system.close(folder) }
        let draft = try writing { () throws(SystemError) in try TemporaryFile(in: folder, system) }
        defer { system.close(draft.descriptor) }
        do throws(Problem) {
            let exported = try export(excerpt, to: draft.descriptor, title: base)
            guard exported.missing == 0 else { throw .nothing }
            var sidecar = sidecar
            (sidecar.frames, sidecar.bytes, sidecar.samples) = (exported.frames, exported.bytes, exported.samples)
            let scan = try writing { () throws(SystemError) in
                try AudioScan.of(draft.descriptor, fileExtension: sidecar.format.fileType.fileExtension, system)
            }
            sidecar.checksum = scan?.checksum.value
            try publish(draft, sidecar, in: folder, base: base)
        } catch {
            try? system.remove(in: folder, name: draft.name)
            throw error
        }
    }

    private func publish(
        _ draft: TemporaryFile, _ sidecar: Sidecar, in folder: CInt, base: String
    ) throws(Problem) {
        var bundle = SegmentBundle(
            base: base, fileExtension: sidecar.format.fileType.fileExtension, in: folder, folderPath: path, system)
        try writing { () throws(SystemError) in
            try system.sync(draft.descriptor)
            try system.move(in: folder, draft.name, toFree: bundle.audioName)
        }
        do throws(StorageError) {
            try bundle.replace(.sidecar, sidecar.encoded, isComplete: false)
        } catch {
            try? bundle.remove()
            throw .reading(error)
        }
    }

    private func writing<Result>(_ body: () throws(SystemError) -> Result) throws(Problem) -> Result {
        do throws(SystemError) { return try body() } catch { throw .writing(error) }
    }
}
