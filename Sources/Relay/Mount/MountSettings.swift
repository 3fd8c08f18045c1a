// SPDX-License-Identifier: MIT

package import HTTPServer
package import RadioCore

/// How a mount treats its listeners.
package struct MountSettings: Hashable, Sendable {
    /// How much audio a listener gets at once, so that it can start to play.
    package var burst = Duration.seconds(4)
    /// The most that a client can ask for.
    package var largestBurst = Duration.seconds(10)
    /// The burst is at most so large, whatever its length.
    package var burstBytes = 256 * 1024
    /// How far behind the largest burst a listener may fall before it skips to a newer join point.
    package var slack = Duration.seconds(20)
    /// How long audio is gathered for a listener that keeps up: writes are what costs. For one that has
    /// little audio in hand it is a quarter of that, until it has more.
    package var flushInterval = Duration.seconds(1)
    /// Bytes of audio between two blocks of metadata, for listeners that ask for them.
    package var metadataInterval = 16000
    /// Listeners at one time; nil for as many as the server takes.
    package var listeners: Int?
    /// A listener that has taken nothing for so long is closed.
    package var patience = Duration.seconds(90)
    /// A listener that skips more often than this within ten minutes is closed.
    package var skips = 10
    /// Whether players are sent anything but the station's own audio, such as silence while it is away.
    package var hasFiller = true
    /// For how long listeners are kept while the station is away.
    package var longestOutage = Duration.seconds(600)
    /// The same for players where the format has no silent frames, so that they get nothing at all.
    package var longestSilence = Duration.seconds(60)
    /// The station is connected to only while somebody listens, so a request may have to wait for its first audio.
    package var isOnDemand = false
    /// For how long a request waits for the first audio.
    package var longestWait = Duration.seconds(10)
    /// For how long a client waits for the station before the fallback is begun for it.
    package var fallbackWait = Duration.seconds(3)
    /// What to say of the station instead of what it says of itself.
    package var fields = StationFields.Overrides()

    /// Who may listen.
    package var rules = HTTPRouteRules.stream

    package init() {}

    /// Finds what contradicts itself.
    package func check() throws(SettingFault) {
        guard burst <= largestBurst else { throw SettingFault(.burst, "at most \(HumanDuration.print(largestBurst))") }
    }

    /// A listener that is further behind, and has been behind for longer, is too slow.
    var mostLag: Duration { largestBurst + slack }

    /// What the ring must hold so that nobody is overrun who is worth keeping: with what comes at once, and two slabs,
    /// which the ring lets go of whole.
    var ringDepth: Duration { mostLag + Self.mostAtOnce + .seconds(2) }

    /// What a splice or a gap may release in one go.
    private static let mostAtOnce = Duration.seconds(45)
}
