// SPDX-License-Identifier: MIT

/// Comparisons of the bytes of many frames, in optimized code. Test targets are not optimized, and there the standard
/// library compares arrays byte by byte through generic code, which takes a hundred times as long.
package enum FrameList {
    /// Whether two lists have the same frames in the same order.
    package static func areEqual(_ first: [[UInt8]], _ second: [[UInt8]]) -> Bool { first == second }

    /// Whether the bytes of two frames, or of two stretches of frames, are the same.
    package static func areEqual(_ first: ArraySlice<UInt8>, _ second: ArraySlice<UInt8>) -> Bool { first == second }

    /// Whether the frames begin with the first `count` frames of `others`.
    package static func begins(_ frames: [[UInt8]], with count: Int, of others: [[UInt8]]) -> Bool {
        frames.starts(with: others.prefix(count))
    }

    /// The place of each frame that `places` contains, in the order of the frames.
    package static func places(of frames: [[UInt8]], in places: [[UInt8]: Int]) -> [Int] {
        frames.compactMap { places[$0] }
    }

    /// How many different frames there are.
    package static func distinctCount(of frames: [[UInt8]]) -> Int { Set(frames).count }
}
