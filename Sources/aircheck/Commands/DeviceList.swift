// SPDX-License-Identifier: MIT

import Engine
import RadioCore
import SoundOutput

/// `aircheck play --list-devices`: prints the sound server's devices.
enum DeviceList {
    private static let patience = Duration.seconds(3)

    /// Prints one device per line: its name, its description, and a star for the server's default. Throws the exit
    /// status if the sound server cannot be reached.
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
