// SPDX-License-Identifier: MIT

import Control
import RadioCore
import RadioFormats
import Words

/// Starts a manual recording of a station by the running daemon.
enum RemoteRecording {
    static func begin(_ station: String, _ length: Duration, _ client: ControlClient, wantsJSON: Bool) throws {
        let target = ControlTarget("/v1/record").adding("station", station)
            .adding("seconds", "\(length.components.seconds)")
        let answer = try client.answer(target, method: .post)
        if wantsJSON { return Console.put(json: answer) }
        let number = answer["number"]?.integerValue ?? 0
        Console.put(
            "\(station) is recorded for \(Measure.span(length)); 'aircheck stop \(number)' ends the recording earlier")
    }
}
