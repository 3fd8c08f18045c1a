// SPDX-License-Identifier: MIT

import CLibPulse

/// A device that a sound server can play on.
package struct SoundDevice: Hashable, Sendable {
    /// The value for ``PulseSettings/device``.
    package var name: String
    /// The name for people.
    package var description: String
    package var isDefault: Bool
}

extension SoundDevice {
    init(_ device: ac_pulse_device) {
        self.init(
            name: String(cString: device.name), description: String(cString: device.description),
            isDefault: device.is_default)
    }
}
