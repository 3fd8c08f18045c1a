// SPDX-License-Identifier: MIT

import Engine
import RadioCore
import SoundOutput

/// `aircheck play --list-devices`.
enum DeviceList {
    private static let patience = Duration.seconds(3)

    /// One device a line on standard output: its name, its description, and a star where the server would choose it.
    static func show() throws {
        do {
            for device in try PlaySpec.devices(within: patience) {
                Console.put("\(device.isDefault ? "*" : " ") \(device.name)\t\(device.description)")
            }
        } catch {
            var console = Console()
            console.say("error: \(error)")
            try ExitStatus.check(error)
        }
    }
}
