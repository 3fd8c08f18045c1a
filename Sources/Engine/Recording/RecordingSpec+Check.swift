// SPDX-License-Identifier: MIT

import MediaSources
package import RadioCore
import Relay

extension RecordingSpec {
    /// Throws if this programme cannot be recorded, or cannot be recorded while this mount serves it.
    package func check(_ programme: ProgrammeSpec, beside mount: MountSpec?) throws(SettingFault) {
        if case .media(let plan, _) = programme, plan.input != .standardInput {
            throw SettingFault(.record, "files on this machine are not recorded: you have them already")
        }
        if mount?.settings.isOnDemand == true {
            throw SettingFault(
                .record, "cannot be combined with \(.onDemand): a recording needs the station all the time")
        }
    }
}
