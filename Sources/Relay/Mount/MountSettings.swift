// SPDX-License-Identifier: MIT

package import HTTPServer
package import RadioCore

/// How a mount treats its listeners.
package struct MountSettings: Hashable, Sendable {
    /// How much audio a listener gets at once, so that it can start playing.
    package var burst = usualBurst
    /// The longest burst that a client can request.
    package var largestBurst = Duration.seconds(10)
    /// The maximum size of a burst, whatever its duration.
    package var burstBytes = 256 * 1024
    /// How much past audio is kept at least, for clients that ask for it. The ring's limit in bytes holds as well.
    package var rewind = Duration.zero
    /// How far beyond the largest burst a listener may lag before it skips to a newer join point.
    package var slack = Duration.seconds(20)
    /// How long audio is gathered for a listener that keeps up, because writes dominate the cost. For a listener with a
    /// small cushion it is a quarter of that cushion.
    package var flushInterval = Duration.seconds(1)
    /// The number of audio bytes between blocks of metadata, for listeners that request metadata.
    package var metadataInterval = 16000
    /// The maximum number of listeners; nil for as many as the server accepts.
    package var listeners: Int?
    /// A listener whose socket has accepted nothing for this long is closed.
    package var patience = Duration.seconds(90)
    /// A listener that skips more often than this within ten minutes is closed.
    package var skips = 10
    /// Whether players get filler while the station is unavailable, such as silence.
    package var hasFiller = true
    /// How long listeners are kept while the station is unavailable.
    package var longestOutage = Duration.seconds(600)
    /// How long players are kept while the station is unavailable and its format has no silent frames, so that nothing
    /// is sent.
    package var longestSilence = Duration.seconds(60)
    /// Whether the station is connected only while somebody listens, so that a request may wait for its first audio.
    package var isOnDemand = false
    /// How long a request waits for the first audio.
    package var longestWait = Duration.seconds(10)
    /// How long a client waits for the station before the fallback is started for it.
    package var fallbackWait = Duration.seconds(3)
    /// The name of a station for which neither the user nor the station gives one.
    package var unnamed = "Radio"
    /// The user's descriptions, which replace the station's own.
    package var fields = StationFields.Overrides()

    /// Who may listen.
    package var rules = HTTPRouteRules.stream

    package init() {}

    /// Throws if the settings contradict each other.
    package func check() throws(SettingFault) {
        guard burst <= largestBurst else { throw SettingFault(.burst, "at most \(HumanDuration.print(largestBurst))") }
        guard rewind <= Self.longestRewind else {
            throw SettingFault(.rewind, "at most \(HumanDuration.print(Self.longestRewind))")
        }
    }

    /// How much audio a listener gets at once of a station that delivers in lumps, if it does.
    func burst(_ lumps: AudioLumps?) -> Duration { max(burst, lumps?.cushion ?? .zero) }

    /// The most bytes of a burst, as many per second as usual.
    func burstBytes(_ lumps: AudioLumps?) -> Int {
        guard let lumps else { return burstBytes }
        return Int(Double(burstBytes) * max(1, lumps.cushion / Self.usualBurst))
    }

    /// The most by which a listener may lag. A listener that lags more, and has been behind for longer than this
    /// duration, is too slow.
    func mostLag(_ lumps: AudioLumps?) -> Duration { max(largestBurst, lumps?.mostLag ?? .zero) + slack }

    /// The ring's depth, so that no listener is overrun before it counts as too slow. It includes audio that arrives at
    /// once, and two slabs, because the ring discards whole slabs.
    func ringDepth(_ lumps: AudioLumps?) -> Duration { max(mostLag(lumps) + Self.mostAtOnce, rewind) + .seconds(2) }

    /// The longest ``rewind``.
    package static let longestRewind = Duration.seconds(3_600)
    private static let usualBurst = Duration.seconds(4)
    /// The maximum duration of audio that a splice or gap releases at once.
    private static let mostAtOnce = Duration.seconds(45)
}
