// SPDX-License-Identifier: MIT

import RadioCore
import Stations

/// A sink that only wants to know when the programme is over.
final class EndWatch: StreamSink {
    private let ended: (Failure?) -> Void

    init(_ ended: @escaping (Failure?) -> Void) {
        self.ended = ended
    }

    var tolerance: Duration? { nil }

    func receive(_ event: StreamEvent) {
        if case .ended(let failure) = event { ended(failure) }
    }
}
