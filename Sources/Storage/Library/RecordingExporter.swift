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
    package enum Problem: Error, Sendable, CustomStringConvertible {
        /// The format changes with this file, and one file cannot hold both formats.
        case otherFormat(from: LibrarySegment)
        case nothing
        case gone
        case manyPieces
        case reading(StorageError)
        case writing(SystemError)

        package var description: String {
            switch self {
            case .otherFormat(let segment):
                "the format of the recording changes at \(Self.place(of: segment)), and one file cannot hold both; "
                    + "export the parts before and after that into two files"
            case .nothing: "no frame of the recording begins in that time"
            case .manyPieces: "this part of the recording cannot be sent as it is"
            case .gone: "the audio recorded then is no longer in the files"
            case .reading(let error): "\(error.message): \(error.remedy)"
            case .writing(let error): "the file cannot be written: \(error)"
            }
        }

        private static func place(of segment: LibrarySegment) -> String {
            let file = segment.path.joined(separator: "/")
            return segment.sidecar?.at.map { "\($0.rfc3339) (\(file))" } ?? file
        }
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
    ) throws(Problem) -> Exported {
        guard let first = excerpt.parts.first?.segment.sidecar?.format else { throw .nothing }
        let exported =
            switch first.container {
            case .mpeg, .adts: try read(excerpt, into: ExcerptLayout(excerpt, copying: 0), to: descriptor).totals
            // The head of FLAC has the number of samples, and a pipe cannot be written twice.
            case .flac:
                try read(
                    excerpt, into: ExcerptLayout(excerpt, copying: samples(of: excerpt), title: title), to: descriptor
                ).totals
            case .ogg: try exportPackets(excerpt, to: descriptor, title: title)
            }
        guard exported.frames > 0 else { throw .gone }
        return exported
    }

    private func samples(of excerpt: Excerpt) throws(Problem) -> Int64 {
        try read(excerpt, into: ExcerptLayout(excerpt)).totals.samples
    }

    /// Finds the bytes of an excerpt of MPEG audio, ADTS or FLAC. Files with an index are read only where the excerpt
    /// begins and ends, so that damage in between stays in the bytes and is not counted.
    package func bytes(of excerpt: Excerpt) throws(Problem) -> ExcerptBytes {
        try read(excerpt, into: ExcerptLayout(excerpt), readsAll: false)
    }

    /// Reads an excerpt into a layout. `descriptor`: where its copy goes, if it copies. `readsAll`: reads all frames.
    private func read(
        _ excerpt: Excerpt, into layout: consuming ExcerptLayout, to descriptor: CInt? = nil, readsAll: Bool = true
    ) throws(Problem) -> ExcerptBytes {
        try checkFormats(excerpt)
        for (number, part) in excerpt.parts.enumerated() where part.segment.fileName != nil {
            let file = try open(part)
            defer { system.close(file) }
            let start = place(upTo: part.frames.lowerBound - Int64(excerpt.lead), of: file, part)
            let end = readsAll ? .start : place(upTo: part.known.upperBound, of: file, part)
            layout.begin(part, number: number, at: start)
            let size = readsAll ? Self.pieceSize : Self.searchSize
            try read(file, of: part, from: start.byte, by: size) { bytes, next throws(Problem) in
                let isWanted = try Self.fitting(part) { () throws(ExcerptLayout.OtherHead) in
                    try layout.append(bytes)
                }
                if let descriptor { try write(layout.takeCopy(), to: descriptor) }
                if layout.skip(to: end) { next = end.byte }
                return isWanted
            }
            try Self.fitting(part) { () throws(ExcerptLayout.OtherHead) in try layout.endFile() }
            if let descriptor { try write(layout.takeCopy(), to: descriptor) }
        }
        return layout.finish()
    }

    /// Copies the packets of Ogg files, as one logical stream; into a single file, others can be inserted. Sidecars
    /// have no header packets, so a file must be read to find out whether a decoder can continue with it.
    func exportPackets(
        _ excerpt: Excerpt, to descriptor: CInt, title: String?, inserting insertion: OggExcerpt.FoundPackets? = nil
    ) throws(Problem) -> Exported {
        try checkFormats(excerpt)
        let number = excerpt.parts.first?.segment.sidecar?.number ?? 1
        // The recorder numbers the streams in its files in the same way.
        var pages = OggExcerpt(serial: UInt32(truncatingIfNeeded: number), title: title)
        var output: [UInt8] = []
        for part in excerpt.parts where part.segment.fileName != nil {
            pages.begin(part.selection, inserting: insertion)
            let file = try open(part)
            defer { system.close(file) }
            try read(file, of: part) { bytes, _ throws(Problem) in
                let isWanted = try Self.fitting(part) { () throws(OggExcerpt.OtherHeaders) in
                    try pages.append(bytes, into: &output)
                }
                try write(output, to: descriptor)
                output.removeAll(keepingCapacity: true)
                return isWanted
            }
            try Self.fitting(part) { () throws(OggExcerpt.OtherHeaders) in try pages.endFile(into: &output) }
        }
        pages.finish(into: &output)
        try write(output, to: descriptor)
        let totals = pages.totals
        return Exported(frames: totals.frames, bytes: totals.bytes, samples: totals.samples, missing: totals.missing)
    }

    private func checkFormats(_ excerpt: Excerpt) throws(Problem) {
        let first = excerpt.parts.first?.segment.sidecar?.format
        for part in excerpt.parts {
            guard let format = part.segment.sidecar?.format, first?.fitsBeside(format) == false else { continue }
            throw .otherFormat(from: part.segment)
        }
    }

    /// Runs `body`, and turns its refusal into a problem that names the file whose format does not fit.
    private static func fitting<Result, Refusal>(
        _ part: Excerpt.Part, _ body: () throws(Refusal) -> Result
    ) throws(Problem) -> Result {
        do throws(Refusal) { return try body() } catch { throw .otherFormat(from: part.segment) }
    }
}

// MARK: - Files

extension RecordingExporter {
    var library: Library { Library(path: path, system: system) }

    /// Opens the file of a part. The caller closes the descriptor.
    package func open(_ part: Excerpt.Part) throws(Problem) -> CInt {
        guard let name = part.segment.fileName else { throw .gone }
        return try reading(part) { () throws(SystemError) in
            try library.inFolder(part.segment.folders) { folder throws(SystemError) in
                do throws(SystemError) {
                    return try system.openToRead(in: folder, name: name)
                } catch {
                    // The file may have been completed, and renamed, since the excerpt was made.
                    guard error.number == ENOENT, name.hasSuffix(".part") else { throw error }
                    return try system.openToRead(in: folder, name: String(name.dropLast(5)))
                }
            }
        }
    }

    /// The last frame that a file's index knows up to a frame, or the start of the file.
    private func place(upTo frame: Int64, of file: CInt, _ part: Excerpt.Part) -> FrameIndex.Place {
        guard part.segment.sidecar?.isIndexed == true else { return .start }
        let place = try? library.inFolder(part.segment.folders) { folder in
            FrameIndex.place(upTo: frame, of: file, part.segment.base, in: folder, system)
        }
        return place ?? .start
    }

    /// Passes bytes of a file to `take`, in pieces, as long as `take` returns true. Its second argument is the byte at
    /// which the next piece will begin; `take` may change it. A growing file is read up to its present length.
    private func read(
        _ file: CInt, of part: Excerpt.Part, from start: Int64 = 0, by size: Int64 = pieceSize,
        _ take: ([UInt8], inout Int64) throws(Problem) -> Bool
    ) throws(Problem) {
        let end = try reading(part) { () throws(SystemError) in try system.status(of: file).size }
        var next = start
        while next < end {
            let range = next..<min(end, next + size)
            let bytes = try reading(part) { () throws(SystemError) in
                try system.readAll(file, from: range.lowerBound, to: range.upperBound)
            }
            next = range.upperBound
            guard try take(bytes, &next) else { return }
        }
    }

    private func reading<Result>(
        _ part: Excerpt.Part, _ body: () throws(SystemError) -> Result
    ) throws(Problem) -> Result {
        do throws(SystemError) {
            return try body()
        } catch {
            let names = part.segment.folders + [part.segment.fileName].compactMap(\.self)
            throw .reading(StorageError(error, .read, ([path] + names).joined(separator: "/")))
        }
    }

    private func write(_ bytes: [UInt8], to target: CInt) throws(Problem) {
        do throws(SystemError) { try system.append(bytes, to: target) } catch { throw .writing(error) }
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
