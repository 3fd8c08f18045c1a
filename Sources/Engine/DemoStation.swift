// SPDX-License-Identifier: MIT

import EventLoop
import RadioCore

/// The bundled programme as a station on loopback. Confined to the loop's thread.
final class DemoStation {
    let url: String

    init(_ reactor: any Reactor) throws(Failure) {
        throw Failure(.internal, "the demo is not built yet", remedy: "")
    }

    func close() {}
}
