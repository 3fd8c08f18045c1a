// SPDX-License-Identifier: MIT

import Instants
package import RadioCore
import RadioFormats

/// Audio that was found for a growing file, in a companion beside it (``Companion/found``): the process may die before
/// the file is complete. Recovery puts it in. Its calls block.
package enum SavedAudio {
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

    private static let newline = UInt8(ascii: "\n")
    private static let longest = 4 << 20

    private static func checksum(_ bytes: [UInt8]) -> UInt64 {
        var checksum = AudioChecksum()
        bytes.withUnsafeBytes { checksum.take($0) }
        return checksum.value
    }

    /// Reads records, up to the first one that is not whole. ``FoundAudio/before`` is the frame of the file.
    static func audio(_ bytes: [UInt8], _ format: StreamFormat) -> [FoundAudio] {
        var (rest, found) = (bytes[...], [FoundAudio]())
        while rest.starts(with: Companion.found.mark), let end = rest.firstIndex(of: newline),
            let head = try? JSONValue(
                parsing: Array(rest[..<end].dropFirst(Companion.found.mark.count)), limit: longest),
            let audio = audio(head, rest[(end + 1)...], format)
        {
            found.append(audio)
            rest = rest[(end + 1 + audio.bytes.count)...]
        }
        return found
    }

    private static func audio(_ head: JSONValue, _ rest: ArraySlice<UInt8>, _ format: StreamFormat) -> FoundAudio? {
        guard let lengths = head["lengths"]?.arrayValue, let samples = head["samples"]?.arrayValue,
            lengths.count == samples.count, let position = head["position"]?.count
        else { return nil }
        var batch = FrameBatch()
        for (length, samples) in zip(lengths, samples) {
            guard let length = length.count, let samples = samples.count, length <= rest.count - batch.byteCount else {
                return nil
            }
            batch.append(FrameBatch(FrameFacts(samples: Int(samples)), length: Int(length)))
        }
        let bytes = Array(rest.prefix(batch.byteCount))
        guard batch.count > 0, head["xxh64"]?.stringValue == checksum(bytes).sixteenDigits else { return nil }
        return FoundAudio(
            before: position, continuesBefore: head["continues_before"]?.boolValue ?? false,
            isContinuedAfter: head["is_continued_after"]?.boolValue ?? false, format: format, batch: batch,
            bytes: bytes, length: .zero, rest: head["rest"]?.milliseconds.map { .milliseconds($0) },
            source: head["by"]?.stringValue ?? "")
    }

    /// Puts the audio of records into a complete file, unless it is there already. Returns the file as it is then, and
    /// whether the records are not needed any more.
    static func heal(
        _ segment: LibrarySegment, with bytes: [UInt8], in library: Library
    ) -> (segment: LibrarySegment, isDone: Bool) {
        guard let file = try? library.frames(of: segment), (try? file.next(from: 0)) != nil, let format = file.format
        else { return (segment, false) }
        let healer = RecordingHealer(path: library.path, system: library.system)
        var segment = segment
        for audio in audio(bytes, format) {
            guard let place = place(of: audio, in: segment, library) else { continue }
            do throws(RecordingHealer.Problem) {
                segment = try healer.heal(segment, before: place, with: FoundFrames(audio), now: nil)
            } catch .storage, .inUse {
                return (segment, false)
            } catch {
                continue
            }
        }
        return (segment, true)
    }

    /// The gap to which audio belongs, behind what was put in before; nil if it is closed, or the audio is in it.
    private static func place(of audio: FoundAudio, in segment: LibrarySegment, _ library: Library) -> Int64? {
        guard let sidecar = segment.sidecar else { return nil }
        func isThere(_ position: Int64) -> Bool {
            position - sidecar.healed.reduce(0) { $0 + ($1.position < position ? $1.frames : 0) } == audio.before
        }
        let isIn = sidecar.healed.contains { healed in
            isThere(healed.position) && healed.frames == audio.batch.count
                && library.bytes(of: segment, healed.position..<healed.position + healed.frames) == audio.bytes
        }
        return isIn ? nil : sidecar.gaps.last { isThere($0.position) }?.position
    }
}

extension Library {
    /// The bytes of some frames of a file; fewer if it cannot be read.
    fileprivate func bytes(of segment: LibrarySegment, _ frames: Range<Int64>) -> [UInt8] {
        var (bytes, next) = ([UInt8](), frames.lowerBound)
        guard let file = try? self.frames(of: segment, from: next) else { return [] }
        while next < frames.upperBound, let found = try? file.next(from: next) {
            let wanted = 0..<min(found.batch.count, Int(clamping: frames.upperBound - next))
            bytes += found.bytes[found.batch.range(of: wanted)]
            next = found.end
        }
        return bytes
    }
}
