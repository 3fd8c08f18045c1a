// SPDX-License-Identifier: MIT

import Instants

/// Twenty faults of different kinds, one each half minute, of a station with segments of six seconds and a window of a
/// minute.
package enum HLSMixedTrouble {
    package static let count = 20
    private static let (first, every, segment) = (Duration.seconds(150), Duration.seconds(30), Duration.seconds(6))
    /// How long to listen from the start, until half a minute after the last fault.
    package static let length = first + every * (count + 1) - onAir
    private static let onAir = Duration.seconds(90)

    package static func script(of programme: Broadcast) -> HLSScript {
        let run = HLSRun { $0.segmentLength = segment }
        return HLSScript(HLSRendition(programme, .packed, runs: [run], window: 10), faults: (0..<count).map(fault))
            .with { $0.onAir = onAir }
    }

    private static func fault(_ number: Int) -> HLSFault {
        let begin = first + every * number
        func segments(first count: Int = .max, _ effect: HLSFault.Effect) -> HLSFault {
            .segments({ $0.start >= begin - .seconds(3) && $0.start < begin + .seconds(3) }, first: count, effect)
        }
        func list(for length: Duration, _ effect: HLSFault.Effect) -> HLSFault {
            .list(during: begin..<begin + length, effect)
        }
        switch number % 11 {
        case 0: return segments(first: 3, .status(404))
        case 1: return segments(first: 3, .status(503))
        case 2: return segments(first: 1, .cut(part: 0.6, isStated: true))
        case 3: return segments(first: 1, .cut(part: 0.6, isStated: false))
        case 4: return segments(.slow(.seconds(9)))
        case 5: return list(for: .seconds(9), .stale(.seconds(12)))
        case 6: return list(for: .seconds(10), .frozen(at: begin))
        case 7: return .everything(during: begin..<begin + .seconds(20), .status(503))
        case 8: return segments(first: 2, .hangUp)
        // It is given up for listeners before it comes.
        case 9: return segments(first: 12, .status(404))
        default: return list(for: .seconds(8), .hangUp)
        }
    }
}
