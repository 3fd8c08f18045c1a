// SPDX-License-Identifier: MIT

/// How a source delivers whose audio arrives in lumps: a segment at a time, for example. Players have to be sent more
/// audio beforehand than by a source that sends all the time.
package struct AudioLumps: Hashable, Sendable {
    /// The duration of a lump.
    package let length: Duration

    /// A source that claims longer lumps is not believed.
    private static let longest = Duration.seconds(30)

    package init(of length: Duration) { self.length = min(max(.zero, length), Self.longest) }

    /// The longest usual pause between two lumps, with their transfer: who looks for a new segment too early looks again
    /// half a segment later.
    package var longestPause: Duration { length * 3 / 2 + .seconds(1) }

    /// How much audio a player needs so that it never runs out: two lumps and some seconds. Lumps that are shorter than
    /// the time between two loads of the list arrive later and later, until two arrive at once.
    package var cushion: Duration { length * 2 + .seconds(2) }

    /// The most audio by which a player may lag that plays at its own pace, and began with the three segments that come
    /// at once at first.
    package var mostLag: Duration { length * 4 }
}
