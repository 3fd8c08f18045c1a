// SPDX-License-Identifier: MIT

import Glibc
package import Platform
package import RadioCore
import RadioFormats

/// Copies frames of a recording's files into one file. Its calls block.
package struct RecordingExporter {
    let system: any FileSystemCalls
    let path: String

    /// Why nothing was exported, or not everything.
    package enum Fault: Error, Sendable, CustomStringConvertible {
        /// The format changes with this file, and one file cannot hold both formats.
        case otherFormat(Place)
        case nothing
        case gone
        case manyPieces
        case reading(StorageError)
        case writing(SystemError)

        package var description: String {
            switch self {
            case .otherFormat(let place):
                "the format of the recording changes at \(place), and one file cannot hold both; export the parts "
                    + "before and after that into two files"
            case .nothing: "the recording has no audio from that time"
            case .manyPieces: "this part of the recording cannot be sent as it is"
            case .gone: "the audio recorded then is no longer in the files"
            case .reading(let error): "\(error.message): \(error.remedy)"
            case .writing(let error): "the file cannot be written: \(error)"
            }
        }
    }

    /// The beginning of a file in a recording.
    package struct Place: Hashable, Sendable, CustomStringConvertible {
        /// The file's path below the recordings folder.
        package let file: String
        /// The time at which the file's first frame was on air; nil if unknown.
        package let at: CivilTime?

        init(_ segment: LibrarySegment) {
            file = segment.path.joined(separator: "/")
            at = segment.sidecar?.at
        }

        package var description: String { at.map { "\($0.rfc3339) (\(file))" } ?? file }
    }

    /// The totals of the copied frames.
    package struct Exported: Hashable, Sendable {
        package var frames: Int64 = 0
        /// The bytes of the frames.
        package var bytes: Int64 = 0
        package var samples: Int64 = 0
        /// The number of frames that the sidecars count, but the files no longer contain.
        package var missing: Int64 = 0
        /// The silent frames before the first copied one: see ``Excerpt/lead``.
        package var lead: Int64 = 0
    }

    /// `path` is the recordings folder.
    package init(path: String, system: any FileSystemCalls = LinuxFileSystem()) {
        self.path = path
        self.system = system
    }

    /// Writes the frames to a descriptor, in order. Frames of Ogg get new pages, and `title` replaces the title in the
    /// comments of the first file; frames of FLAC get a new head with that title.
    package func export(
        _ excerpt: Excerpt, to descriptor: CInt, title: String? = nil
    ) throws(Fault) -> Exported {
        guard let first = excerpt.parts.first?.segment.sidecar?.format else { throw .nothing }
        let exported =
            switch first.container {
            case .mpeg, .adts, .flac: try exportFrames(excerpt, to: descriptor, title: title)
            case .ogg: try exportPackets(excerpt, to: descriptor, title: title)
            }
        guard exported.frames > 0 else { throw .gone }
        return exported
    }

    private func exportFrames(_ excerpt: Excerpt, to descriptor: CInt, title: String?) throws(Fault) -> Exported {
        let bytes = try bytes(of: excerpt, title: title, readsAll: true)
        var pieces = bytes.pieces[...]
        while let next = pieces.first {
            switch next {
            case .bytes(let bytes):
                try write(bytes, to: descriptor)
                pieces.removeFirst()
            case .file(let number, _):
                try withFile(of: excerpt.parts[number]) { file throws(Fault) in
                    while case .file(number, let range)? = pieces.first {
                        try read(file, range) { bytes throws(Fault) in try write(bytes, to: descriptor) }
                        pieces.removeFirst()
                    }
                }
            }
        }
        return bytes.totals
    }

    /// Finds the bytes of an excerpt of MPEG audio, ADTS or FLAC. Files with an index are read only where the excerpt
    /// begins and ends, so that damage in between stays in the bytes and is not counted. `readsAll`: reads all frames
    /// of the excerpt. `title`: for the head, if there is one.
    package func bytes(
        of excerpt: Excerpt, title: String? = nil, readsAll: Bool = false
    ) throws(Fault) -> ExcerptBytes {
        try checkFormats(excerpt)
        var layout = ExcerptLayout(lead: excerpt.lead, comments: title.map { [("TITLE", $0)] } ?? [])
        for (number, part) in excerpt.parts.enumerated() where part.segment.fileName != nil {
            try withFile(of: part) { file throws(Fault) in
                let start = file.place(part.frames.lowerBound - Int64(excerpt.lead))
                let end = readsAll ? .start : file.place(part.known.upperBound)
                layout.begin(part, number: number, at: start)
                var offset = start.byte
                while offset < file.size {
                    let input = try readAll(file, offset..<min(file.size, offset + Self.searchSize))
                    offset += Int64(input.count)
                    guard try Self.fitting(part, { () throws(ExcerptLayout.OtherHead) in try layout.append(input) })
                    else { break }
                    if layout.skip(to: end) { offset = end.byte }
                }
                try Self.fitting(part) { () throws(ExcerptLayout.OtherHead) in try layout.endFile() }
            }
        }
        return layout.finish()
    }

    /// Copies the packets of Ogg files, as one logical stream. Sidecars have no header packets, so a file must be read
    /// to find out whether a decoder can continue with it.
    private func exportPackets(
        _ excerpt: Excerpt, to descriptor: CInt, title: String?
    ) throws(Fault) -> Exported {
        try checkFormats(excerpt)
        let number = excerpt.parts.first?.segment.sidecar?.number ?? 1
        // The recorder numbers the streams in its files in the same way.
        var pages = OggExcerpt(serial: UInt32(truncatingIfNeeded: number), title: title)
        var output: [UInt8] = []
        for part in excerpt.parts where part.segment.fileName != nil {
            pages.begin(part.selection)
            try withFile(of: part) { file throws(Fault) in
                var isOver = false
                try read(file, 0..<file.size, while: { !isOver }) { bytes throws(Fault) in
                    isOver = try !Self.fitting(part) { () throws(OggExcerpt.OtherHeaders) in
                        try pages.append(bytes, into: &output)
                    }
                    try write(output, to: descriptor)
                    output.removeAll(keepingCapacity: true)
                }
                try Self.fitting(part) { () throws(OggExcerpt.OtherHeaders) in try pages.endFile(into: &output) }
            }
        }
        pages.finish(into: &output)
        try write(output, to: descriptor)
        let totals = pages.totals
        return Exported(frames: totals.frames, bytes: totals.bytes, samples: totals.samples, missing: totals.missing)
    }

    private func checkFormats(_ excerpt: Excerpt) throws(Fault) {
        let first = excerpt.parts.first?.segment.sidecar?.format
        for part in excerpt.parts {
            guard let format = part.segment.sidecar?.format, first?.fitsBeside(format) == false else { continue }
            throw .otherFormat(Place(part.segment))
        }
    }

    /// Turns a refusal into a fault that names the file whose format does not fit.
    private static func fitting<Result, Refusal>(
        _ part: Excerpt.Part, _ body: () throws(Refusal) -> Result
    ) throws(Fault) -> Result {
        do throws(Refusal) { return try body() } catch { throw .otherFormat(Place(part.segment)) }
    }
}

// MARK: - Files

extension RecordingExporter {
    /// The open file of a part.
    private struct SourceFile {
        let path: String
        let descriptor: CInt
        /// A growing file is read up to this length.
        let size: Int64
        /// The last frame that the file's index knows up to a frame, or the start of the file.
        let place: (Int64) -> FrameIndex.Place
    }

    /// Opens the file of a part. The caller closes the descriptor.
    package func open(_ part: Excerpt.Part) throws(Fault) -> CInt {
        let (folder, source, _) = try openFile(of: part)
        system.close(folder)
        return source
    }

    private func openFile(of part: Excerpt.Part) throws(Fault) -> (folder: CInt, source: CInt, path: String) {
        guard let name = part.segment.fileName else { throw .gone }
        let path = ([path] + part.segment.folders + [name]).joined(separator: "/")
        return try reading(path) { () throws(SystemError) in
            let folder = try RecordingsFolder(path: self.path, system: system).openExisting(part.segment.folders)
            do throws(SystemError) {
                return (folder, try open(name, in: folder), path)
            } catch {
                system.close(folder)
                throw error
            }
        }
    }

    private func withFile(of part: Excerpt.Part, _ body: (SourceFile) throws(Fault) -> Void) throws(Fault) {
        let (folder, source, path) = try openFile(of: part)
        defer {
            system.close(source)
            system.close(folder)
        }
        let size = try reading(path) { () throws(SystemError) in try system.status(of: source).size }
        let isIndexed = part.segment.sidecar?.isIndexed == true
        let file = SourceFile(path: path, descriptor: source, size: size) { frame in
            guard isIndexed else { return .start }
            return FrameIndex.place(upTo: frame, of: source, part.segment.base, in: folder, system)
        }
        try body(file)
    }

    /// The file may have been completed, and renamed, since the excerpt was made.
    private func open(_ name: String, in folder: CInt) throws(SystemError) -> CInt {
        do throws(SystemError) {
            return try system.openToRead(in: folder, name: name)
        } catch {
            guard error.number == ENOENT, name.hasSuffix(".part") else { throw error }
            return try system.openToRead(in: folder, name: String(name.dropLast(5)))
        }
    }

    /// Passes bytes of a file to `take`, in pieces.
    private func read(
        _ file: SourceFile, _ range: Range<Int64>, while isWanted: () -> Bool = { true },
        _ take: ([UInt8]) throws(Fault) -> Void
    ) throws(Fault) {
        var offset = range.lowerBound
        while offset < range.upperBound, isWanted() {
            let bytes = try readAll(file, offset..<min(range.upperBound, offset + Self.pieceSize))
            try take(bytes)
            offset += Int64(bytes.count)
        }
    }

    private func readAll(_ file: SourceFile, _ range: Range<Int64>) throws(Fault) -> [UInt8] {
        try reading(file.path) { () throws(SystemError) in
            try system.readAll(file.descriptor, from: range.lowerBound, to: range.upperBound)
        }
    }

    private func reading<Result>(
        _ file: String, _ body: () throws(SystemError) -> Result
    ) throws(Fault) -> Result {
        do throws(SystemError) { return try body() } catch { throw .reading(StorageError(error, .read, file)) }
    }

    private func write(_ bytes: [UInt8], to target: CInt) throws(Fault) {
        do throws(SystemError) { try writeAll(bytes, to: target) } catch { throw .writing(error) }
    }

    private static let pieceSize: Int64 = 256 << 10
    /// Some seconds of audio.
    private static let searchSize: Int64 = 32 << 10
}

extension StreamFormat {
    /// Whether frames of both formats may be in one exported file, according to the sidecars. Players of MPEG audio and
    /// ADTS handle a change of the sample rate.
    fileprivate func fitsBeside(_ other: StreamFormat) -> Bool {
        container == .ogg ? self == other : codec == other.codec && container == other.container
    }
}
