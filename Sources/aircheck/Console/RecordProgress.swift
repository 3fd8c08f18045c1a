// SPDX-License-Identifier: MIT

import Engine
import Playback
import RadioCore
import Stations
import Words

/// How a recording is getting on, for a line on a terminal.
struct RecordProgress: Hashable {
    /// Since the first audio.
    var elapsed: Duration
    /// Bytes of audio.
    var bytes: Int64
    /// The mean bit rate of the whole recording; nil before its first second of audio.
    var bitsPerSecond: Double?
    var station: String
    var title: String?
    var reconnects = 0
    /// Who listens to it at the same time; nil where nobody can.
    var listeners: Int?
    /// What is being waited for, in words; nil while audio comes.
    var waiting: String?
    /// How loud it is; nil where nobody measures it.
    var loudness: Loudness?
    /// What the sound does, in words; nil where there is none, and while it plays.
    var sound: String?
}

extension RecordProgress {
    /// Adds what is heard, or measured, of the recording at the same time.
    mutating func hear(_ player: PlayerSnapshot?, isHeard: Bool) {
        guard let player else { return }
        loudness = player.loudness
        guard isHeard else { return }
        sound = player.status.state == .playing ? nil : Wording.state(player.status)
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
