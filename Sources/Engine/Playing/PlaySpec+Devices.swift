// SPDX-License-Identifier: MIT

import Instants
import Platform
import Playback
package import RadioCore
package import SoundOutput

extension PlaySpec {
    /// The devices of the sound server that the library finds. Blocks, for `patience` at most.
    package static func devices(within patience: Duration) throws(Failure) -> [SoundDevice] {
        do throws(SoundError) {
            return try PulseDevices.list(server: nil, deadline: .read() + patience)
        } catch {
            throw Failure(error)
        }
    }
}
