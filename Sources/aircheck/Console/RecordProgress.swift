// SPDX-License-Identifier: MIT

import Engine
import Playback
import RadioCore
import Stations
import Words

/// The progress of a recording, as shown in the live line.
struct RecordProgress: Hashable {
    /// Time since the first audio.
    var elapsed: Duration
    /// How long the recording lasts; nil if it runs until it is stopped.
    var total: Duration?
    /// Bytes of audio recorded.
    var bytes: Int64
    /// The mean bit rate of the whole recording; nil during its first second of audio.
    var bitsPerSecond: Double?
    var station: String
    var title: String?
    var reconnects = 0
    /// The number of listeners; nil if the recording is not served.
    var listeners: Int?
    /// What the recording is waiting for, in words; nil while audio arrives.
    var waiting: String?
    /// The loudness; nil if it is not measured.
    var loudness: Loudness?
    /// The player's state in words; nil without a player, and while it plays live.
    var sound: String?
}

extension RecordProgress {
    /// Adds the loudness and, if the programme is played aloud, the player's state, delay and title.
    mutating func hear(_ player: PlayerSnapshot?, isHeard: Bool) {
        guard let player else { return }
        loudness = player.loudness
        guard isHeard else { return }
        sound = LiveLine.state(player)
        title = LiveLine.title(player, else: title)
    }
}

extension RecordProgress {
    init(_ recording: RecordingSnapshot, _ programme: ProgrammeSnapshot, listeners: Int?) {
        let station = programme.station
        self.init(
            elapsed: recording.elapsed, bytes: recording.bytes, bitsPerSecond: recording.bitsPerSecond,
            station: station?.info?.name ?? "", title: station?.title.flatMap { $0.isEmpty ? nil : $0 },
            reconnects: programme.reconnects, listeners: listeners,
            waiting: Wording.waiting(recording, for: station))
    }
}
