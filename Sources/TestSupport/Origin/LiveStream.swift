// SPDX-License-Identifier: MIT

/// What a server sends on one connection: the head, a burst, then the programme as it airs.
///
///     LiveStream(programme, burst: 64 * 1024, interval: 16_000, faults: [.inFrame(after: .seconds(8), .reset)])
///
/// As with Icecast, the burst is a fixed number of bytes before the live edge, so it starts in mid-frame. The rest is
/// sent in blocks of a fixed size, which end in mid-frame, too. An Ogg stream is sent in whole pages, header pages
/// first. The connection is closed at the end of the programme.
package struct LiveStream: Sendable {
    package var programme: Broadcast
    /// The size of the burst in bytes.
    package var burst: Int
    /// Whether the burst starts with a whole frame, unlike Icecast's.
    package var burstBeginsWithFrame = false
    /// The size in bytes of the blocks in which audio is sent. Ogg is sent in pages.
    package var block: Int
    /// How often audio that has aired is sent; zero if it is sent at once.
    package var tick = Duration.zero
    /// How long the server waits before it sends the head. The times of faults are relative to the end of this wait.
    package var headDelay = Duration.zero
    /// How far this server is behind the programme; negative if it is ahead of other servers.
    package var lag: Duration
    /// The speed of the programme during `length`, or to the end if it is nil. After `length`, the programme airs in
    /// real time.
    package var speed: (factor: Double, length: Duration?)
    /// An advert before the programme.
    package var advert: Advert?

    /// The number of audio bytes between metadata blocks, for clients that request metadata; nil for a station without
    /// metadata.
    package var interval: Int?
    /// Whether metadata is sent even if the client does not request it.
    package var insistsOnMetadata: Bool
    /// Whether the head states the true metadata interval, none, or a false one.
    package var announcedInterval: Announced = .truly
    /// XOR masks for the length bytes of metadata blocks, by the number of the block on this connection.
    package var lengthFlips: [Int: UInt8] = [:]

    /// The response head. Content type and metadata interval are added if they are missing.
    package var head: LiveHead
    package var faults: [LiveFault]

    /// An advert before the programme.
    package struct Advert: Sendable {
        package var audio: Broadcast
        /// The programme starts with the audio that aired this long before the accept. After the advert, all audio that
        /// has aired in the meantime is sent at once.
        package var catchUp: Duration
        /// Whether the advert is sent in real time from the accept on. If not, it is sent all at once.
        package var isPaced: Bool

        package init(_ audio: Broadcast, catchUp: Duration, isPaced: Bool = true) {
            self.audio = audio
            self.catchUp = catchUp
            self.isPaced = isPaced
        }
    }

    /// What the head states about the metadata interval.
    package enum Announced: Sendable, Hashable {
        case truly, never
        case lie(String)
    }

    /// `fields` are those of a head with status 200.
    package init(
        _ programme: Broadcast, burst: Int = 64 * 1024, interval: Int? = nil, faults: [LiveFault] = [],
        lag: Duration = .zero, fields: KeyValuePairs<String, String> = ["icy-name": "Scripted", "icy-pub": "0"],
        advert: Advert? = nil, block: Int = 1400, insistsOnMetadata: Bool = false,
        speed: (factor: Double, length: Duration?) = (1, nil)
    ) {
        (self.programme, self.burst, self.block, self.lag) = (programme, burst, block, lag)
        (self.speed, self.advert, self.interval, self.head) = (speed, advert, interval, LiveHead(200, "OK", fields))
        (self.insistsOnMetadata, self.faults) = (insistsOnMetadata, faults)
    }

    /// The metadata interval on a connection; nil if it gets no metadata.
    func interval(wanted: Bool) -> Int? { wanted || insistsOnMetadata ? interval : nil }

    /// The complete head.
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
