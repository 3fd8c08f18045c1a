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
        case reading(StorageError)
        case writing(SystemError)

        package var description: String {
            switch self {
            case .otherFormat(let place):
                "the format of the recording changes at \(place), and one file cannot hold both; export the parts "
                    + "before and after that into two files"
            case .nothing: "the recording has no audio from that time"
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
        for part in excerpt.parts {
            guard let format = part.segment.sidecar?.format, !first.fitsBeside(format) else { continue }
            throw .otherFormat(Place(part.segment))
        }
        let exported =
            switch first.container {
            case .mpeg, .adts: try copyFrames(excerpt, FrameCopy(lead: excerpt.lead), to: descriptor)
            case .flac: try exportFLAC(excerpt, to: descriptor, title: title)
            case .ogg: try exportPackets(excerpt, to: descriptor, title: title)
            }
        guard exported.frames > 0 else { throw .gone }
        return exported
    }

    /// The head comes first and says how long the file is, so the frames are counted before they are copied.
    private func exportFLAC(
        _ excerpt: Excerpt, to descriptor: CInt, title: String?
    ) throws(Fault) -> Exported {
        let samples = try copyFrames(excerpt, FrameCopy(lead: 0), to: nil).samples
        let comments = title.map { [("TITLE", $0)] } ?? []
        return try copyFrames(excerpt, FrameCopy(lead: 0, samples: samples, comments: comments), to: descriptor)
    }

    /// Copies the frames, or only counts them if there is no descriptor.
    private func copyFrames(
        _ excerpt: Excerpt, _ copy: FrameCopy, to descriptor: CInt?
    ) throws(Fault) -> Exported {
        var copy = copy
        try self.copy(excerpt, through: &copy, to: descriptor)
        return Exported(frames: copy.frames, bytes: copy.bytes, samples: copy.samples, missing: copy.missing)
    }

    /// Copies the packets of Ogg files, as one logical stream. Sidecars have no header packets, so a file must be read
    /// to find out whether a decoder can continue with it.
    private func exportPackets(
        _ excerpt: Excerpt, to descriptor: CInt, title: String?
    ) throws(Fault) -> Exported {
        let number = excerpt.parts.first?.segment.sidecar?.number ?? 1
        // The recorder numbers the streams in its files in the same way.
        var pages = OggExcerpt(serial: UInt32(truncatingIfNeeded: number), title: title)
        try copy(excerpt, through: &pages, to: descriptor)
        var output: [UInt8] = []
        pages.finish(into: &output)
        try write(output, to: descriptor)
        let totals = pages.totals
        return Exported(frames: totals.frames, bytes: totals.bytes, samples: totals.samples, missing: totals.missing)
    }

    private func copy<Copy: ExcerptCopy>(
        _ excerpt: Excerpt, through copy: inout Copy, to descriptor: CInt?
    ) throws(Fault) {
        for part in excerpt.parts {
            guard let name = part.segment.fileName else { continue }
            let path = ([path] + part.segment.folders + [name]).joined(separator: "/")
            let (source, start) = try reading(path) { () throws(SystemError) in
                try open(name, of: part, lead: excerpt.lead)
            }
            defer { system.close(source) }
            var output: [UInt8] = []
            copy.begin(part, at: start.frame)
            try read(source, path, from: start.byte) { bytes throws(Fault) in
                let wantsMore = try Self.fitting(part) { () throws(Copy.Refusal) in
                    try copy.append(bytes, into: &output)
                }
                if let descriptor { try write(output, to: descriptor) }
                output.removeAll(keepingCapacity: true)
                return wantsMore
            }
            try Self.fitting(part) { () throws(Copy.Refusal) in try copy.endFile(into: &output) }
            if let descriptor { try write(output, to: descriptor) }
        }
    }

    /// Turns a refusal into a fault that names the file whose format does not fit.
    private static func fitting<Result, Refusal>(
        _ part: Excerpt.Part, _ body: () throws(Refusal) -> Result
    ) throws(Fault) -> Result {
        do throws(Refusal) { return try body() } catch { throw .otherFormat(Place(part.segment)) }
    }
}

/// What joins the frames of an excerpt, one file after the other.
protocol ExcerptCopy {
    /// A file does not fit behind the files before it.
    associatedtype Refusal: Error

    /// Begins a file, which is read from its frame `first` on.
    mutating func begin(_ part: Excerpt.Part, at first: Int64)
    /// Takes the next bytes of the file. Returns whether more bytes are wanted.
    mutating func append(_ input: [UInt8], into output: inout [UInt8]) throws(Refusal) -> Bool
    mutating func endFile(into output: inout [UInt8]) throws(Refusal)
}

extension OggExcerpt: ExcerptCopy {
    mutating func begin(_ part: Excerpt.Part, at first: Int64) { begin(part.selection) }
}

// MARK: - Files

extension RecordingExporter {
    /// Opens the file of a part, and finds the frame from which it has to be read: the index shortens the way to the
    /// frames before which a decoder needs nothing but `lead` frames.
    private func open(
        _ name: String, of part: Excerpt.Part, lead: Int
    ) throws(SystemError) -> (source: CInt, start: FrameIndex.Place) {
        let root = RecordingsFolder(path: path, system: system)
        let folder = try root.openExisting(part.segment.folders)
        defer { system.close(folder) }
        let source: CInt
        do throws(SystemError) {
            source = try system.openToRead(in: folder, name: name)
        } catch {
            // The file may have been completed, and renamed, since the excerpt was made.
            guard error.number == ENOENT, name.hasSuffix(".part") else { throw error }
            source = try system.openToRead(in: folder, name: String(name.dropLast(5)))
        }
        guard let container = part.segment.sidecar?.format.container, [.mpeg, .adts].contains(container) else {
            return (source, .start)
        }
        let first = part.frames.lowerBound - Int64(lead)
        return (source, FrameIndex.place(upTo: first, of: source, part.segment.base, in: folder, system))
    }

    /// Passes the bytes of a file to `take`, in pieces, until `take` returns false. A growing file is read up to its
    /// length at the start.
    private func read(
        _ source: CInt, _ path: String, from start: Int64, _ take: ([UInt8]) throws(Fault) -> Bool
    ) throws(Fault) {
        let end = try reading(path) { () throws(SystemError) in try system.status(of: source).size }
        var offset = start
        while offset < end {
            let bytes = try reading(path) { () throws(SystemError) in
                try system.readAll(source, from: offset, to: min(end, offset + Self.pieceSize))
            }
            guard try take(bytes) else { return }
            offset += Int64(bytes.count)
        }
    }

    private func reading<Result>(
        _ file: String, _ body: () throws(SystemError) -> Result
    ) throws(Fault) -> Result {
        do throws(SystemError) { return try body() } catch { throw .reading(StorageError(error, .read, file)) }
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

extension StreamFormat {
    /// Whether frames of both formats may be in one exported file, according to the sidecars. Players of MPEG audio and
    /// ADTS handle a change of the sample rate.
    fileprivate func fitsBeside(_ other: StreamFormat) -> Bool {
        container == .ogg ? self == other : codec == other.codec && container == other.container
    }
}
