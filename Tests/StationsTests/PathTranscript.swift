// SPDX-License-Identifier: MIT

import RadioFormats

@testable import Stations

/// What a ``FramePath`` made of a body.
final class PathTranscript: FramePathOutput {
    private(set) var frames: [[UInt8]] = []
    private(set) var titles: [String] = []
    private(set) var formats: [StreamFormat] = []
    private(set) var skipped = 0
    private(set) var discontinuities: [Int] = []
    /// What it was instead of audio, and the bytes that came with that.
    private(set) var refusal: ContentGuess?
    private(set) var prefix: [UInt8] = []

    /// `cuts`: where the body is cut into pieces, in order.
    init(
        _ body: [UInt8], cuts: [Int], type: String? = "audio/mpeg", interval: Int? = nil, isComplete: Bool = true
    ) {
        let path = FramePath(interval: interval, contentType: type, url: "http://station.test/live")
        path.output = self
        var start = 0
        for end in cuts + [body.count] where end > start {
            body[start..<end].withUnsafeBytes { path.push($0) }
            start = end
        }
        if isComplete { path.finish() }
    }

    /// Whether the same came out, however much more came with a refusal.
    func isSame(as other: PathTranscript) -> Bool {
        frames == other.frames && titles == other.titles && formats == other.formats && skipped == other.skipped
            && discontinuities == other.discontinuities && refusal == other.refusal
    }

    func path(_ path: FramePath, began format: StreamFormat) { formats.append(format) }
    func path(_ path: FramePath, _ frame: Frame, _ bytes: UnsafeRawBufferPointer) { frames.append(Array(bytes)) }
    func path(_ path: FramePath, rawTitle: [UInt8]) { titles.append(String(decoding: rawTitle, as: UTF8.self)) }
    func path(_ path: FramePath, title: String) { titles.append(title) }
    func pathResynced(_ path: FramePath) { discontinuities.append(frames.count) }
    func path(_ path: FramePath, missing samples: Int64?) { discontinuities.append(frames.count) }
    func pathMetWrongChecksum(_ path: FramePath) {}
    func path(_ path: FramePath, skipped bytes: Int, _ reason: SkipReason) { skipped += bytes }
    func path(_ path: FramePath, metadata verdict: MetadataWatch.Verdict) {}
    func path(_ path: FramePath, isNoAudio guess: ContentGuess, prefix: [UInt8]) {
        refusal = guess
        self.prefix = prefix
    }
}
