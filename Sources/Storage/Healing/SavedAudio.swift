// SPDX-License-Identifier: MIT

import Instants
package import RadioCore
import RadioFormats

/// Audio that was found for a growing file, in a companion beside it (``Companion/found``): the process may die before
/// the file is complete. ``SavedHealing`` puts it in then.
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
}
