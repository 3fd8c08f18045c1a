// SPDX-License-Identifier: MIT

import TestSupport

/// Everything that one listener heard: its audio, freed of metadata, and its titles.
///
/// Takes the metadata out by itself, in the plainest way: what is measured must not judge itself.
struct LoadSample {
    private var audio: [UInt8] = []
    private(set) var titles: Set<String> = []
    /// Blocks that are no title.
    private(set) var badBlocks = 0

    private let interval: Int?
    private var untilBlock: Int
    private var block: [UInt8] = []
    /// What is missing of the block that has begun.
    private var missing = 0

    /// `interval` is how many bytes of audio lie between two blocks, nil where there are none.
    init(interval: Int?) {
        self.interval = interval
        untilBlock = interval ?? .max
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes[...]
        while let first = rest.first {
            if missing > 0 {
                let part = rest.prefix(missing)
                block += part
                missing -= part.count
                rest = rest.dropFirst(part.count)
                if missing == 0 { finishBlock() }
            } else if untilBlock == 0 {
                missing = 16 * Int(first)
                untilBlock = interval ?? .max
                rest = rest.dropFirst()
            } else {
                let part = rest.prefix(untilBlock)
                audio += part
                if interval != nil { untilBlock -= part.count }
                rest = rest.dropFirst(part.count)
            }
        }
    }

    private mutating func finishBlock() {
        let text = block.prefix { $0 != 0 }
        let padding = block.dropFirst(text.count)
        block = []
        guard padding.allSatisfy({ $0 == 0 }), let text = String(validating: text, as: UTF8.self),
            text.hasPrefix("StreamTitle='"), let end = text.firstRange(of: "';")
        else {
            badBlocks += 1
            return
        }
        titles.insert(String(text[..<end.lowerBound].dropFirst("StreamTitle='".count)))
    }

    /// What is wrong with the audio, as a stretch of the programme.
    ///
    /// The ends may lie within a frame: a listener may be let in there, and is cut off anywhere.
    func judge(by checker: FrameChecker) -> (frames: Int, flaws: Int, report: FrameReport) {
        let report = checker.check(audio)
        let places = report.places
        let known = places.indices.filter { places[$0] != nil }
        guard let first = known.first, let last = known.last else { return (0, 1, report) }
        let foreign = places[first...last].count { $0 == nil }
        let excess = report.junkBytes > 2 * Self.longestFrame ? 1 : 0
        return (
            known.count, report.lost.count + report.duplicated.count + report.disorders + foreign + excess, report
        )
    }

    /// At 128 kbit/s and 44.1 kHz.
    private static let longestFrame = 418
}
