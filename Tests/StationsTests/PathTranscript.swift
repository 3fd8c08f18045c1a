// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats

@testable import Stations

/// What a ``FramePath`` made of a body.
final class PathTranscript: StreamPartTaker {
    private(set) var frames: [[UInt8]] = []
    private(set) var titles: [String] = []
    private(set) var formats: [StreamFormat] = []
    private let faults = StreamFaults()
    var skipped: Int64 { faults.skippedBytes.reduce(0) { $0 + $1.bytes } }
    private(set) var discontinuities: [Int] = []
    /// What the body was recognized as instead of audio, and the bytes that were passed with that.
    private(set) var refusal: ContentGuess?
    private(set) var prefix: [UInt8] = []

    /// `cuts` are the places at which the body is cut into pieces, in order.
    init(_ body: [UInt8], cuts: [Int], type: String? = "audio/mpeg", interval: Int? = nil, isComplete: Bool = true) {
        let path = FramePath(interval: interval, contentType: type, url: "http://station.test/live", faults: faults)
        var start = 0
        for end in cuts + [body.count] where end > start {
            body[start..<end].withUnsafeBytes { path.push($0, to: self) }
            start = end
        }
        if isComplete { path.finish(to: self) }
        if case .noAudio(let guess, let prefix) = path.takeEnding() { (refusal, self.prefix) = (guess, prefix) }
    }

    /// Whether both transcripts are equal, apart from the number of bytes passed with a refusal.
    func isSame(as other: PathTranscript) -> Bool {
        frames == other.frames && titles == other.titles && formats == other.formats && skipped == other.skipped
            && discontinuities == other.discontinuities && refusal == other.refusal
    }

    func take(_ batch: FrameBatch, _ bytes: UnsafeRawBufferPointer) {
        batch.forEach(in: bytes) { frames.append(Array($1)) }
    }

    func take(_ part: StreamPart) {
        switch part {
        case .format(let format): formats.append(format)
        case .title(let title, _, _): titles.append(title)
        case .resync, .missing: discontinuities.append(frames.count)
        }
    }
}
