// SPDX-License-Identifier: MIT

package import Instants
import RadioCore
import RadioFormats

/// The object's D-Bus properties, derived from the state.
package enum MPRISProperties {
    /// Properties of the root interface. Clients cannot open anything, so no URI schemes or MIME types are listed.
    package static let root: [BusEntry] = [
        BusEntry("CanQuit", .boolean(true)),
        BusEntry("CanRaise", .boolean(false)),
        BusEntry("HasTrackList", .boolean(false)),
        BusEntry("Identity", .string("Aircheck")),
        BusEntry("SupportedUriSchemes", .strings([])),
        BusEntry("SupportedMimeTypes", .strings([])),
    ]

    /// Properties of the player interface except `Position`; `track` is the number of the current track.
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

    /// The position, which is never part of a change signal.
    package static func position(_ state: MPRISState, at now: MonotonicInstant) -> BusEntry {
        BusEntry("Position", .integer(microseconds(state.position(at: now))))
    }

    /// The difference between two sets of properties: the new or changed ones, and the names of those that are gone.
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
            // The title is the station's name here, because some widgets look broken without a title.
            entries.append(BusEntry("xesam:title", .string(station)))
        }
        if let station { entries.append(BusEntry("xesam:album", .string(station))) }
        if let url = cleaned(state.url) { entries.append(BusEntry("xesam:url", .string(AddressText(url).redacted))) }
        return entries
    }

    /// Cleaned text of at most 1 KiB; nil if none is left.
    private static func cleaned(_ text: String?) -> String? {
        let text = TitleText.cleaned(text ?? "", toBytes: 1 << 10)
        return text.isEmpty ? nil : text
    }

    /// The duration in microseconds, limited to about 30 years: anything longer is a mistake, and a much longer
    /// `Duration` would overflow its components.
    private static func microseconds(_ duration: Duration) -> Int64 {
        min(max(duration, .zero), .seconds(1_000_000_000)).wholeNanoseconds / 1_000
    }
}
