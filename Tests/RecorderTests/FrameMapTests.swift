// SPDX-License-Identifier: MIT

import RadioCore
import Testing

@testable import Recorder

/// Where the station's frames are in the recording, compared with a list of all of them.
@Suite("Frame map")
struct FrameMapTests {
    @Test("A frame map finds frames after any losses, and after frames were removed or put in", arguments: 0..<50)
    func model(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var map = FrameMap()
        // Twice the number of each frame, and less by one for a frame that was put in before it.
        var model: [Int64] = []
        var next = Int64.random(in: 0...50, using: &random)
        for _ in 0..<60 {
            let count = Int64.random(in: 1...40, using: &random)
            switch Int.random(in: 0..<7, using: &random) {
            case 0: next += count
            case 1:
                let start = Int.random(in: 0...model.count, using: &random)
                let end = min(model.count, start + Int(count))
                map.remove(Int64(start)..<Int64(end))
                model.removeSubrange(start..<end)
            case 2:
                let frame = Int64.random(in: 0...next, using: &random)
                let position = map.recorded(before: frame)
                map.insert(count, before: frame, at: position)
                model.insert(contentsOf: (0..<count).map { _ in 2 * frame - 1 }, at: Int(position))
            default:
                map.append(first: next, count: count)
                model += (next..<next + count).map { 2 * $0 }
                next += count
            }
            let frame = Int64.random(in: 0...next + 10, using: &random)
            #expect(map.recorded(before: frame) == Int64(model.filter { $0 < 2 * frame }.count))
            #expect(map.count == Int64(model.count))
        }
    }

    @Test("A frame map remembers a thousand losses, and still counts the frames before them")
    func bounded() {
        var map = FrameMap()
        for index in 0..<Int64(5_000) { map.append(first: index * 10, count: 5) }
        #expect(map.count == 25_000 && map.recorded(before: 49_990) == 24_995)
        #expect(map.recorded(before: 49_993) == 24_998)
        map.remove(24_990..<24_998)
        #expect(map.count == 24_992 && map.recorded(before: 49_993) == 24_990)
    }
}
