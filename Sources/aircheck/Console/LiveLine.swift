// SPDX-License-Identifier: MIT

import Engine
import Playback
import RadioCore
import RadioFormats
import Stations
import Words

/// Renders the live line, which is rewritten while a session runs. Pure.
///
/// Narrower terminals lose parts: first the bit rate, then size and level, then reconnects, then listeners. The title
/// takes the remaining width.
enum LiveLine {
    static func render(_ progress: RecordProgress, width: Int) -> String {
        let elapsed = Measure.clock(progress.elapsed, of: progress.total)
        let size = Measure.bytes(progress.bytes)
        let rate = progress.bitsPerSecond.map { "\(Int(($0 / 1000).rounded())) kbit/s" }
        let reconnects = progress.reconnects == 0 ? nil : "reconnects \(progress.reconnects)"
        let listeners = progress.listeners.map(Wording.listeners)
        // Untrusted: servers supply some of these texts.
        let state = TitleText.cleaned(progress.waiting ?? progress.title ?? progress.station)
        let mark = progress.waiting == nil ? "●" : "○"

        let level = progress.loudness.map(LevelBar.render)

        // From the richest to the barest: the first choice that leaves room for some of the title wins.
        let choices: [[String?]] = [
            [elapsed, size, rate, reconnects, listeners, level, progress.sound],
            [elapsed, size, reconnects, listeners, level, progress.sound],
            [elapsed, reconnects, listeners, progress.sound], [elapsed, listeners], [elapsed],
        ]
        for parts in choices {
            let head = "\(mark) " + parts.compactMap { $0 }.joined(separator: "  ")
            let room = width - 1 - DisplayWidth.of(head) - 2
            if room >= min(16, DisplayWidth.of(state)) || parts.count == 1 {
                let tail = room > 3 ? "  " + DisplayWidth.cut(state, to: room) : ""
                return DisplayWidth.cut(head, to: max(1, width - 1)) + tail
            }
        }
        return elapsed
    }

    /// The line of a mount without a recording.
    static func render(
        _ mount: MountProgress, player: PlayerSnapshot? = nil, reconnects: Int, width: Int
    ) -> String {
        var parts = [Measure.clock(mount.elapsed), Wording.listeners(mount.listeners)]
        if reconnects > 0 { parts.append("reconnects \(reconnects)") }
        if let player {
            if player.status.state == .playing { parts.append(sound(player)) }
            if let state = state(player) { parts.append(state) }
        }
        let title = title(player, else: mount.title) ?? ""
        return line(parts, isOnAir: mount.isOnAir, title: mount.isOnAir ? title : "no audio", width: width)
    }

    /// The line of a player alone: time heard, state or level, delay or buffered audio, title.
    static func render(
        _ player: PlayerSnapshot, _ programme: ProgrammeSnapshot, of kind: SourceKind = .live, width: Int
    ) -> String {
        let isPlaying = player.status.state == .playing || player.status.state == .draining
        let waiting = isPlaying ? nil : programme.station.flatMap { Wording.waiting($0.activity, of: kind) }
        var parts = [Measure.clock(player.heard), sound(player, of: kind)]
        if player.behind >= .milliseconds(100) {
            parts.append("\(Measure.length(player.behind)) \(player.position == nil ? "behind live" : "buffered")")
        }
        if let volume = volume(player) { parts.append(volume) }
        if programme.reconnects > 0 { parts.append("reconnects \(programme.reconnects)") }
        let title = waiting ?? player.title ?? programme.station?.info?.name ?? ""
        return line(parts, isOnAir: isPlaying, title: title, width: width)
    }

    /// The line of a queue. For a station, it is the line of a player alone; for a file, it also has the position in
    /// the file.
    static func render(_ player: PlayerSnapshot, _ queue: QueueProgress, width: Int) -> String {
        guard let position = player.position else {
            let programme = ProgrammeSnapshot(station: queue.station, reconnects: queue.station?.reconnects ?? 0)
            return render(player, programme, of: queue.count > 1 ? .finite : .live, width: width)
        }
        let isPlaying = player.status.state == .playing || player.status.state == .draining
        let length = player.length.map { " / \(Measure.clock($0))" } ?? ""
        var parts = [Measure.clock(position) + length, sound(player, of: .finite)]
        if let number = queue.number, queue.count > 1 { parts.append("\(number) of \(queue.count)") }
        if let volume = volume(player) { parts.append(volume) }
        let waiting = isPlaying ? nil : queue.station.flatMap { Wording.waiting($0.activity, of: .finite) }
        let title = waiting ?? queue.title ?? player.title ?? queue.station?.info?.name ?? ""
        return line(parts, isOnAir: isPlaying, title: title, width: width)
    }

    /// The title of the audio being heard; `other` before any audio is heard.
    static func title(_ player: PlayerSnapshot?, else other: String?) -> String? {
        guard let player, player.heard > .zero else { return other }
        return player.title
    }

    /// The state, delay and volume of a player beside other uses; nil while it plays live at full volume.
    static func state(_ player: PlayerSnapshot) -> String? {
        let isPlaying = player.status.state == .playing
        let delay = player.behind < onAir ? nil : "\(Measure.length(player.behind)) behind live"
        let parts = [isPlaying ? nil : Wording.state(player.status), delay, volume(player)].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: "  ")
    }

    /// A player with a shorter delay counts as live: it has a cushion, and stations send in bursts.
    private static let onAir = Duration.seconds(10)

    /// The volume, if it is not the usual one.
    private static func volume(_ player: PlayerSnapshot) -> String? {
        if player.isMuted { return "muted" }
        guard let volume = player.volume else { return nil }
        let percent = Int((volume * 100).rounded())
        return percent == 100 ? nil : "volume \(percent) %"
    }

    /// The level while playing; otherwise the player's state.
    private static func sound(_ player: PlayerSnapshot, of kind: SourceKind = .live) -> String {
        if let time = player.beginsIn { return "begins in \(Measure.clock(time))" }
        guard player.status.state == .playing, let loudness = player.loudness else {
            return Wording.state(player.status, of: kind)
        }
        return LevelBar.render(loudness)
    }

    /// One line for several stations. `total`: how long they are recorded; nil without a limit.
    static func render(_ snapshot: EngineSnapshot, of total: Duration? = nil, width: Int) -> String {
        let stations = snapshot.programmes.values.compactMap(\.station)
        let onAir = stations.count(where: \.isDelivering)
        let reconnects = snapshot.programmes.values.reduce(0) { $0 + $1.reconnects }
        var (elapsed, bytes, listeners): (Duration, Int64, Int?) = (.zero, 0, nil)
        for use in snapshot.uses.values {
            switch use {
            case let recording as RecordingSnapshot:
                elapsed = max(elapsed, recording.elapsed)
                bytes += recording.bytes
            case let mount as MountProgress:
                elapsed = max(elapsed, mount.elapsed)
                listeners = (listeners ?? 0) + mount.listeners
            default: break
            }
        }
        var parts = [Measure.clock(elapsed, of: total), Measure.bytes(bytes)]
        if let listeners { parts.append(Wording.listeners(listeners)) }
        if reconnects > 0 { parts.append("reconnects \(reconnects)") }
        return line(
            parts, isOnAir: onAir > 0, title: "\(onAir) of \(Measure.count(stations.count, "station"))", width: width)
    }

    private static func line(_ parts: [String], isOnAir: Bool, title: String, width: Int) -> String {
        let head = (isOnAir ? "● " : "○ ") + parts.joined(separator: "  ")
        let title = TitleText.cleaned(title)
        let room = width - 1 - DisplayWidth.of(head) - 2
        guard room > 3, !title.isEmpty else { return DisplayWidth.cut(head, to: max(1, width - 1)) }
        return head + "  " + DisplayWidth.cut(title, to: room)
    }
}
