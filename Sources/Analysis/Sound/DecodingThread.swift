// SPDX-License-Identifier: MIT

package import Decoding
import Instants
package import Platform
import RadioCore
package import RadioFormats

/// The thread that decodes the frames of all taps.
///
/// Sendable. The thread ends after ``shutDown()``, but is not joined: a decoder may hang.
package final class DecodingThread: Sendable {
    /// Makes the decoder of a run of frames.
    package typealias Maker = @Sendable (StreamFormat) throws(DecodingError) -> any Decoding

    /// What was found in the frames of one tap.
    struct Findings: Sendable {
        var windows: [SoundWindow] = []
        /// How many of the bytes that were put have been decoded.
        var bytes = 0
        /// Whether everything has been found in the frames that were put before ``DecodingThread/finish(_:)``.
        var isEnd = false
        /// Why the frames cannot be decoded; nil if they can.
        var failure: DecodingError?
    }

    private enum Order: Sendable {
        case begin(ObjectIdentifier, tell: @Sendable (Findings) -> Void)
        case decode(ObjectIdentifier, TappedFrames)
        case finish(ObjectIdentifier)
        case end(ObjectIdentifier)
    }

    private let mailbox = Mailbox<[Order]>([])

    /// How long a decoder in a child process may take, after a delivery, to give its PCM.
    private static let patience = Duration.milliseconds(200)
    private static let pause = Duration.milliseconds(50)
    /// How long it may take to end.
    private static let lastPatience = Duration.milliseconds(600)

    package init(makeDecoder: @escaping Maker) throws(SystemError) {
        let mailbox = mailbox
        try WorkerThread.start(name: "analysis") { Self.run(mailbox, makeDecoder) }
    }

    package func shutDown() { mailbox.abandon { $0 = [] } }

    /// Begins to decode for a tap. `tell` is called on the thread, and must not block.
    func begin(_ tap: ObjectIdentifier, tell: @escaping @Sendable (Findings) -> Void) {
        mailbox.put { $0.append(.begin(tap, tell: tell)) }
    }

    /// Decodes frames. The queue has no bound of its own: a tap counts the bytes that it has put and not heard of.
    func decode(_ frames: TappedFrames, of tap: ObjectIdentifier) { mailbox.put { $0.append(.decode(tap, frames)) } }

    /// Has the decoder give what it still holds.
    func finish(_ tap: ObjectIdentifier) { mailbox.put { $0.append(.finish(tap)) } }

    func end(_ tap: ObjectIdentifier) { mailbox.put { $0.append(.end(tap)) } }

    private static func run(_ mailbox: Mailbox<[Order]>, _ makeDecoder: @escaping Maker) {
        var decodings: [ObjectIdentifier: FrameDecoding] = [:]
        // The decodings that may find more, and since when they have had nothing new.
        var busy: [ObjectIdentifier: MonotonicInstant] = [:]
        repeat {
            let orders = mailbox.take(until: busy.isEmpty ? nil : .read()) { orders -> [Order]? in
                guard !orders.isEmpty else { return nil }
                defer { orders.removeAll(keepingCapacity: true) }
                return orders
            }
            guard orders != nil || !busy.isEmpty else { return }
            let now = MonotonicInstant.read()
            for order in orders ?? [] {
                switch order {
                case .begin(let tap, let tell): decodings[tap] = FrameDecoding(makeDecoder, tell: tell)
                case .decode(let tap, let frames):
                    decodings[tap]?.put(frames)
                    busy[tap] = now
                case .finish(let tap):
                    decodings[tap]?.end(within: lastPatience)
                    busy[tap] = now
                case .end(let tap): decodings[tap] = nil
                }
            }
            for (tap, since) in busy {
                let decoding = decodings[tap]
                decoding?.report()
                let mayFindMore = decoding.map { $0.isFull || now - since < patience && $0.isAwaiting } ?? false
                if !mayFindMore { busy[tap] = nil }
            }
            // What comes meanwhile is decoded together, for all taps.
        } while mailbox.rest(for: pause)
    }
}
