// SPDX-License-Identifier: MIT

/// How a mount treats its listeners.
package struct MountSettings: Hashable, Sendable {
    /// How much audio a listener gets at once, so that it can start to play.
    package var burst = Duration.seconds(4)
    /// The burst is at most so large, whatever its length.
    package var burstBytes = 64 * 1024
    /// How far behind its burst a listener may fall before it skips to a newer join point.
    package var slack = Duration.seconds(10)
    /// How often audio goes out to a listener that keeps up: writes are what costs, so they are gathered.
    package var flushInterval = Duration.seconds(1)
    /// Bytes of audio between two blocks of metadata, for listeners that ask for them.
    package var metadataInterval = 16000
    /// Listeners at one time; nil for as many as the server takes.
    package var listeners: Int?
    /// A listener that has taken nothing for so long is closed.
    package var patience = Duration.seconds(90)
    /// A listener that skips more often than this within ten minutes is closed.
    package var skips = 10

    package init() {}

    /// What the station's ring must hold for this: a second is the ring's own unit, and two are for what comes at once.
    var ringDepth: Duration { burst + slack + .seconds(3) }
}
