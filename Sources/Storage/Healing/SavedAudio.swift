// SPDX-License-Identifier: MIT

import Glibc
import Instants
import Platform
package import RadioCore
import RadioFormats

/// Audio that was found for a growing file, in a companion beside it (``Companion/found``): so it takes no memory, and
/// is not lost if the process dies before the file is complete. ``SavedHealing`` puts it in then.
package enum SavedAudio {
    /// Where the copy of some audio lies.
    package struct Copy: Sendable {
        /// The file beside which it lies.
        package let file: FileID?
        /// Its bytes in the companion.
        package let range: Range<Int64>
        /// Whether it is on the disk already.
        package var isThere: Bool

        package init(beside file: FileID?, _ range: Range<Int64>, isThere: Bool = false) {
            (self.file, self.range, self.isThere) = (file, range, isThere)
        }
    }

    /// The bytes to append for audio that belongs before a frame of the file.
    package static func record(_ audio: FoundAudio, before frame: Int64) -> [UInt8] {
        let frames = 0..<audio.batch.count
        let head: JSONObject = [
            "position": frame, "continues_before": audio.continuesBefore,
            "is_continued_after": audio.isContinuedAfter, "by": audio.source,
            "rest": audio.rest.map { JSONValue(milliseconds: $0.wholeMilliseconds) },
            "lengths": frames.map { audio.batch.range(of: $0).count },
            "samples": frames.map { audio.batch[$0].samples },
            "xxh64": checksum(audio.bytes).sixteenDigits,
        ]
        return Companion.found.mark + JSONValue.object(head).encoded() + [newline] + audio.bytes
    }

    fileprivate static let newline = UInt8(ascii: "\n")

    fileprivate static func checksum(_ bytes: [UInt8]) -> UInt64 {
        var checksum = AudioChecksum()
        bytes.withUnsafeBytes { checksum.take($0) }
        return checksum.value
    }

    /// The frames of a record according to its head; nil if it says nothing of them.
    fileprivate static func batch(_ head: JSONValue) -> FrameBatch? {
        guard let lengths = head["lengths"]?.arrayValue, let samples = head["samples"]?.arrayValue,
            lengths.count == samples.count
        else { return nil }
        var batch = FrameBatch()
        for (length, samples) in zip(lengths, samples) {
            guard let length = length.count, let samples = samples.count, length <= longestFrame else { return nil }
            batch.append(FrameBatch(FrameFacts(samples: Int(samples)), length: Int(length)))
        }
        return batch.count > 0 ? batch : nil
    }

    private static let longestFrame: Int64 = 16 << 20
}

/// The open companion with the copies of found audio. Its calls block.
final class SavedAudioFile {
    private let system: any FileSystemCalls
    private let file: CInt
    let size: Int64

    /// Nil if there is none that can be read.
    init?(of base: String, in folder: CInt, _ system: any FileSystemCalls) {
        guard let file = try? system.openToRead(in: folder, name: Companion.found.name(of: base)) else { return nil }
        guard let status = try? system.status(of: file), status.isRegularFile else {
            system.close(file)
            return nil
        }
        (self.system, self.file, size) = (system, file, status.size)
    }

    deinit { system.close(file) }

    /// The first bytes: as many as a mark has.
    func begin() throws(SystemError) -> [UInt8] { try bytes(0..<Int64(Companion.found.mark.count)) }

    /// What was found, in order, up to the first record that is not whole. The audio stays on the disk.
    /// ``FoundPiece/before`` is the frame of the file.
    func pieces(_ format: StreamFormat) throws(SystemError) -> [FoundPiece] {
        var (pieces, end) = ([FoundPiece](), Int64(0))
        while let (found, next) = try record(at: end, format) {
            var audio = found
            let copy = SavedAudio.Copy(beside: nil, end..<next, isThere: true)
            let (frames, part) = (audio.batch.count, FoundPiece.Part(size: audio.bytes.count, copy: copy))
            (audio.batch, audio.bytes) = (FrameBatch(), [])
            pieces.append(FoundPiece(audio, frames: frames, part))
            end = next
        }
        return pieces
    }

    /// The audio of a copy; throws ENOENT if it is not there.
    func audio(_ copy: SavedAudio.Copy, _ format: StreamFormat) throws(SystemError) -> FoundAudio {
        guard let (audio, end) = try record(at: copy.range.lowerBound, format), end == copy.range.upperBound else {
            throw SystemError(number: ENOENT)
        }
        return audio
    }

    private func bytes(_ range: Range<Int64>) throws(SystemError) -> [UInt8] {
        let range = range.clamped(to: 0..<size)
        return try system.readAll(file, from: range.lowerBound, to: range.upperBound)
    }

    /// Nil if there is no whole record.
    private func record(
        at start: Int64, _ format: StreamFormat
    ) throws(SystemError) -> (audio: FoundAudio, end: Int64)? {
        let mark = Companion.found.mark
        var (read, line) = ([UInt8](), Int?.none)
        while line == nil, read.count < Self.longestHead {
            let more = try bytes(start + Int64(read.count)..<start + Int64(max(Self.step, read.count * 2)))
            guard !more.isEmpty else { return nil }
            line = more.firstIndex(of: SavedAudio.newline).map { $0 + read.count }
            read += more
        }
        guard let line, read.starts(with: mark),
            let head = try? JSONValue(parsing: Array(read[..<line].dropFirst(mark.count)), limit: Self.longestHead),
            let batch = SavedAudio.batch(head), let position = head["position"]?.count
        else { return nil }
        let begin = start + Int64(line) + 1
        let end = begin + Int64(batch.byteCount)
        guard end <= size else { return nil }
        let bytes = try bytes(begin..<end)
        guard bytes.count == batch.byteCount, head["xxh64"]?.stringValue == SavedAudio.checksum(bytes).sixteenDigits
        else { return nil }
        let audio = FoundAudio(
            before: position, continuesBefore: head["continues_before"]?.boolValue ?? false,
            isContinuedAfter: head["is_continued_after"]?.boolValue ?? false, format: format, batch: batch,
            bytes: bytes, length: .zero, rest: head["rest"]?.milliseconds.map { .milliseconds($0) },
            source: head["by"]?.stringValue ?? "")
        return (audio, end)
    }

    private static let step = 4 << 10
    private static let longestHead = 4 << 20
}
