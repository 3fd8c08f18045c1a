// SPDX-License-Identifier: MIT

import TestSupport

/// Everything that one listener received: the audio without metadata, and the titles.
///
/// Extracts the metadata with a minimal parser of its own, because the measured code must not judge itself.
struct LoadSample {
    private var audio: [UInt8] = []
    private(set) var titles: Set<String> = []
    /// The number of blocks that are not a valid title.
    private(set) var badBlocks = 0

    private let interval: Int?
    private var untilBlock: Int
    private var block: [UInt8] = []
    /// The number of bytes of the current block that have not arrived yet.
    private var missing = 0

    /// `interval` is the number of audio bytes between two blocks; nil if there is no metadata.
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

    /// Compares the audio with the programme. The audio must be a section of the programme, but it may begin and end
    /// within a frame, because a listener may join within a frame and may be cut off anywhere.
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

    /// In bytes, at 128 kbit/s and 44.1 kHz.
    private static let longestFrame = 418
}
