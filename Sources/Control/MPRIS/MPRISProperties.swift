// SPDX-License-Identifier: MIT

package import Instants
import RadioCore
import RadioFormats

/// The properties of the object, as values of the state.
package enum MPRISProperties {
    /// Of the interface that all players have. Nothing can be opened from outside, so no types are named.
    package static let root: [BusEntry] = [
        BusEntry("CanQuit", .boolean(true)),
        BusEntry("CanRaise", .boolean(false)),
        BusEntry("HasTrackList", .boolean(false)),
        BusEntry("Identity", .string("Aircheck")),
        BusEntry("SupportedUriSchemes", .strings([])),
        BusEntry("SupportedMimeTypes", .strings([])),
    ]

    /// Of the player, but for the position; `track` is the number of what is played.
    package static func player(_ state: MPRISState, track: Int) -> [BusEntry] {
        var entries = [
            BusEntry("PlaybackStatus", .string(state.status.rawValue)),
            BusEntry("Rate", .real(1)),
            BusEntry("MinimumRate", .real(1)),
            BusEntry("MaximumRate", .real(1)),
            BusEntry("Metadata", .dictionary(metadata(state, track: track))),
            BusEntry("Volume", .real(state.volume.isFinite ? min(max(state.volume, 0), 1) : 0)),
            BusEntry("CanGoNext", .boolean(state.canGoNext)),
            BusEntry("CanGoPrevious", .boolean(state.canGoPrevious)),
            BusEntry("CanPlay", .boolean(state.canPlay)),
            BusEntry("CanPause", .boolean(state.canPause)),
            BusEntry("CanSeek", .boolean(state.canSeek)),
            BusEntry("CanControl", .boolean(true)),
        ]
        if let queue = state.queue {
            entries.append(BusEntry("LoopStatus", .string(queue.loop.rawValue)))
            entries.append(BusEntry("Shuffle", .boolean(queue.isShuffled)))
        }
        return entries
    }

    /// The position, which nobody is told of by itself.
    package static func position(_ state: MPRISState, at now: MonotonicInstant) -> BusEntry {
        BusEntry("Position", .integer(microseconds(state.position(at: now))))
    }

    /// What those who have been told `former` have to be told: the properties that differ, and the names of those that
    /// are gone.
    package static func changes(
        from former: [BusEntry], to current: [BusEntry]
    ) -> (changed: [BusEntry], gone: [String]) {
        let names = Set(current.map(\.name))
        let told = Set(former)
        return (current.filter { !told.contains($0) }, former.map(\.name).filter { !names.contains($0) })
    }

    private static func metadata(_ state: MPRISState, track: Int) -> [BusEntry] {
        var entries = [BusEntry("mpris:trackid", .objectPath(MPRISNames.track(track)))]
        guard track > 0 else { return entries }
        if let length = state.length, length > .zero {
            entries.append(BusEntry("mpris:length", .integer(microseconds(length))))
        }
        let station = cleaned(state.station)
        if let title = cleaned(state.title) {
            let parts = SplitTitle(title)
            entries.append(BusEntry("xesam:title", .string(parts.title)))
            if let artist = parts.artist { entries.append(BusEntry("xesam:artist", .strings([artist]))) }
        } else if let station {
            // A widget without a title looks broken.
            entries.append(BusEntry("xesam:title", .string(station)))
        }
        if let station { entries.append(BusEntry("xesam:album", .string(station))) }
        if let url = cleaned(state.url) { entries.append(BusEntry("xesam:url", .string(AddressText(url).redacted))) }
        return entries
    }

    /// As long as a widget can show; nil where nothing is left.
    private static func cleaned(_ text: String?) -> String? {
        let text = TitleText.cleaned(text ?? "", toBytes: 1 << 10)
        return text.isEmpty ? nil : text
    }

    /// At most some thirty years: what is longer is a mistake, and a `Duration` that is much longer has no components.
    private static func microseconds(_ duration: Duration) -> Int64 {
        min(max(duration, .zero), .seconds(1_000_000_000)).wholeNanoseconds / 1_000
    }
}
