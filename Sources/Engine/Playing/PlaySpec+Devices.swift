// SPDX-License-Identifier: MIT

import Playback
package import RadioCore
package import SoundOutput

extension PlaySpec {
    /// The devices of the sound server. Blocks, for `patience` at most.
    package static func devices(within patience: Duration) throws(Failure) -> [SoundDevice] {
        []
    }
}
