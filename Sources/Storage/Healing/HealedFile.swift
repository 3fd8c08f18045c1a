// SPDX-License-Identifier: MIT

import Instants
import Platform
import RadioCore
import RadioFormats

/// Composes a file with frames put in. MPEG audio, ADTS and FLAC are copied as bytes, and the head counts the frames
/// anew. Packets of Ogg get new pages.
struct HealedFile {
    private let old: CInt
    private let size: Int64
    private let scan: AudioScan
    private let segment: LibrarySegment
    private let healer: RecordingHealer
    private var system: any FileSystemCalls { healer.system }

    /// `scan`: of the old file, with the place of the frame before which the others belong.
    init(old: CInt, size: Int64, scan: AudioScan, segment: LibrarySegment, _ healer: RecordingHealer) {
        (self.old, self.size, self.scan, self.segment, self.healer) = (old, size, scan, segment, healer)
    }

    /// Writes and syncs the file. Returns what is in it, and how many samples the frames have that were put in.
    func write(
        _ found: FoundFrames, before frame: Int64, to new: CInt, _ path: String
    ) throws(RecordingHealer.Problem) -> (scan: AudioScan, added: Int64) {
        guard let format = scan.format, let audio = segment.audio, format.mayHold(found.format) else {
            throw .otherFormat
        }
        let added =
            format.container == .ogg
            ? try insertPackets(found, before: frame, to: new, path)
            : try healer.attempt(.write, path) { () throws(SystemError) in try insert(found, to: new) }
        let result = try healer.attempt(.write, path) { () throws(SystemError) -> AudioScan? in
            let result = try AudioScan.of(new, fileExtension: audio.fileExtension, system)
            guard let result, added.frames > 0, result.frames == scan.frames + added.frames else { return nil }
            if format.container != .ogg { try patch(new, result) }
            try system.sync(new)
            return result
        }
        guard let result else { throw .otherFormat }
        return (result, added.samples)
    }

    /// The frames that are put in.
    private struct Added {
        var (frames, samples) = (Int64(0), Int64(0))
    }

    /// Copies the bytes before the place, the frames, and the bytes behind it.
    private func insert(_ found: FoundFrames, to new: CInt) throws(SystemError) -> Added {
        let place = scan.wantedByte ?? scan.endOfFrames
        try system.copyAll(old, 0..<place, to: new, at: 0)
        var (end, added) = (place, Added())
        while let (batch, bytes) = try found.next() {
            try system.writeAll(new, bytes, at: end)
            end += Int64(bytes.count)
            added.frames += Int64(batch.count)
            for index in 0..<batch.count { added.samples = added.samples.addingSaturated(Int64(batch[index].samples)) }
        }
        try system.copyAll(old, place..<size, to: new, at: end)
        return added
    }

    /// Writes into the head how much follows, if the head of the old file says so.
    private func patch(_ new: CInt, _ result: AudioScan) throws(SystemError) {
        for patch in result.repair?.patches ?? [] { try system.writeAll(new, patch.bytes, at: patch.offset) }
        let length = result.format?.container == .flac ? Int64(FLACHeadCount.length) : scan.tagLength
        guard let format = result.format, 0 < length, length <= min(size, Self.longestTag) else { return }
        let head = try system.readAll(old, from: 0, to: length)
        let milliseconds = Int64(clampingRounded: format.seconds(of: result.samples) * 1_000)
        let patched =
            format.container == .flac
            ? FLACHeadCount.head(head, counting: result.samples)
            : Self.tag(head, playing: milliseconds)
        if let patched { try system.writeAll(new, patched, at: 0) }
    }

    /// A tag of ours with another length of the audio; nil if it has none, or if somebody else wrote the tag.
    private static func tag(_ bytes: [UInt8], playing milliseconds: Int64) -> [UInt8]? {
        guard var tag = ID3v2Tag(parsing: bytes), tag.encoded(size: bytes.count) == bytes,
            let place = tag.frames.firstIndex(where: { $0.id == "TLEN" })
        else { return nil }
        tag.frames[place] = .text(id: "TLEN", String(milliseconds))
        return tag.encoded(size: bytes.count)
    }

    private static let longestTag: Int64 = 64 << 10

    private func insertPackets(
        _ found: FoundFrames, before frame: Int64, to new: CInt, _ path: String
    ) throws(RecordingHealer.Problem) -> Added {
        var (waiting, failure) = ([(packet: [UInt8], samples: Int)](), SystemError?.none)
        var added = Added()
        let insertion = OggExcerpt.FoundPackets(before: frame, found.format) {
            if waiting.isEmpty {
                do throws(SystemError) {
                    guard let (batch, bytes) = try found.next() else { return nil }
                    waiting = (0..<batch.count).reversed().map {
                        (Array(bytes[batch.range(of: $0)]), batch[$0].samples)
                    }
                } catch {
                    failure = error
                }
            }
            guard let next = waiting.popLast() else { return nil }
            added.frames += 1
            added.samples = added.samples.addingSaturated(Int64(next.samples))
            return next
        }
        let whole = Excerpt(LibraryRecording(id: nil, segments: [segment]), from: nil, until: nil)
        do throws(RecordingExporter.Problem) {
            let exporter = RecordingExporter(path: healer.path, system: system)
            _ = try exporter.exportPackets(whole, to: new, title: nil, inserting: insertion)
        } catch {
            switch error {
            case .reading(let error): throw .storage(error)
            case .writing(let error): failure = failure ?? error
            case .otherFormat, .nothing, .gone, .manyPieces: throw .otherFormat
            }
        }
        if let failure { try healer.attempt(.write, path) { () throws(SystemError) in throw failure } }
        return added
    }
}

extension StreamFormat {
    /// Whether frames of both formats may be in one file. What packets of Ogg need shows in their headers only.
    fileprivate func mayHold(_ other: StreamFormat) -> Bool {
        container == .ogg ? other.container == .ogg && other.codec == codec : self == other
    }
}
