// SPDX-License-Identifier: MIT

package import Engine
import Instants
package import RadioCore
package import Stations

extension Wording {
    /// What a station, or the server of a file, is being waited for; nil while audio arrives, and once it has stopped.
    package static func waiting(_ activity: Activity, of kind: SourceKind = .live) -> String? {
        let source = kind == .live ? "the station" : "the server"
        return switch activity {
        case .lookingUp: "looking for \(source)"
        case .connecting: "connecting"
        case .awaitingAudio: "waiting for audio"
        case .locating: "looking for the place where the programme stopped"
        case .silent: "\(source) stopped sending audio"
        case .hedging(let hasStalled):
            (hasStalled ? "\(source) stopped sending audio" : "no audio yet") + ": trying a second connection"
        case .waiting(let delay, let failure): "trying again" + reason(failure, in: delay)
        case .growing: "the file is still being written: waiting for the rest of it"
        case .delivering, .stopped: nil
        }
    }

    /// What the recording is waiting for; nil while audio arrives.
    package static func waiting(_ recording: RecordingSnapshot, for station: StationSnapshot?) -> String? {
        if let failure = recording.failure { return failure.message }
        return switch recording.phase {
        case .finishing: "finishing the files"
        case .awaitingEnd: "time is over: waiting for audio that aired before the end"
        case .running: waiting(station?.activity ?? .lookingUp)
        }
    }

    private static func reason(_ failure: Failure?, in delay: Duration) -> String {
        let seconds = Int64(delay.inSeconds.rounded())
        return (seconds > 0 ? " in \(seconds) s" : "") + (failure.map { ": \($0.message)" } ?? "")
    }
}
