// SPDX-License-Identifier: MIT

import Instants
import Platform
import Playback
package import RadioCore
package import SoundOutput

extension PlaySpec {
    /// The devices of the default sound server. Blocks for at most `patience`. Throws if no server answers.
    package static func devices(within patience: Duration) throws(Failure) -> [SoundDevice] {
        do throws(SoundError) {
            return try PulseDevices.list(server: nil, deadline: .read() + patience)
        } catch {
            throw Failure(error)
        }
    }
}
