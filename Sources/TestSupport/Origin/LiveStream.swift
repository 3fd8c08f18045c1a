// SPDX-License-Identifier: MIT

/// What a server sends of a programme on one connection: the head, a burst, then what airs, as it airs.
///
///     var stream = LiveStream(programme, burst: 64 * 1024)
///     stream.interval = 16_000
///     stream.faults = [.inFrame(after: .seconds(8), .reset)]
///
/// As Icecast does it, the burst is a fixed number of bytes before the live edge, so that it begins in mid-frame, and
/// what follows comes in blocks of a fixed size, which end in mid-frame, too. An Ogg stream comes in whole pages,
/// header pages first. When the programme is over, the connection is closed.
package struct LiveStream: Sendable {
    package var programme: Broadcast
    /// Bytes of the burst.
    package var burst: Int
    /// Whether the burst begins with a whole frame all the same.
    package var burstBeginsWithFrame = false
    /// Bytes in which audio is handed on. Ogg comes in pages.
    package var block = 1400
    /// How far this server is behind the programme; negative where it is ahead of others.
    package var lag: Duration = .zero
    /// How fast the programme passes here, for so long (nil: to its end), then in real time.
    package var speed: (factor: Double, length: Duration?) = (1, nil)
    /// What comes first.
    package var advert: Advert?

    /// Bytes of audio between metadata blocks, for who asks for metadata; nil for a station without.
    package var interval: Int?
    /// Whether metadata comes without being asked for.
    package var insistsOnMetadata = false
    /// Whether the head says nothing of the metadata, or, with another value, something else.
    package var announcedInterval: Announced = .truly
    /// Masks for the length bytes of metadata blocks, by the number of the block on this connection.
    package var lengthFlips: [Int: UInt8] = [:]

    /// The head, without what follows from the rest: content type and metadata interval are added where they are
    /// missing.
    package var head = LiveHead(200, "OK", ["icy-name": "Scripted", "icy-pub": "0"])
    package var faults: [LiveFault] = []

    /// An advert that is put in front of the programme.
    package struct Advert: Sendable {
        package var audio: Broadcast
        /// After it everything comes at once that has aired since so long before the accept.
        package var catchUp: Duration
        /// Whether it comes in real time from the accept on, or all at once.
        package var isPaced: Bool

        package init(_ audio: Broadcast, catchUp: Duration, isPaced: Bool = true) {
            self.audio = audio
            self.catchUp = catchUp
            self.isPaced = isPaced
        }
    }

    /// What the head says of the metadata interval.
    package enum Announced: Sendable, Hashable {
        case truly, never
        case lie(String)
    }

    package init(_ programme: Broadcast, burst: Int = 64 * 1024, interval: Int? = nil, faults: [LiveFault] = []) {
        self.programme = programme
        self.burst = burst
        self.interval = interval
        self.faults = faults
    }

    /// The interval on a connection.
    func interval(wanted: Bool) -> Int? { wanted || insistsOnMetadata ? interval : nil }

    /// The whole head.
    func head(metadataWanted: Bool) -> LiveHead {
        var head = head
        if head.value(of: "content-type") == nil { head.fields.append(("Content-Type", programme.contentType)) }
        switch announcedInterval {
        case .truly:
            if let interval = interval(wanted: metadataWanted) { head.fields.append(("icy-metaint", "\(interval)")) }
        case .never: break
        case .lie(let value): head.fields.append(("icy-metaint", value))
        }
        return head
    }
}
