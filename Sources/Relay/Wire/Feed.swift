// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import RadioCore
import RadioFormats
import Stations

/// A programme as a mount hears it: makes a ``Wire`` of it, and a new one where Ogg and the rest change. Confined to
/// the loop's thread.
final class Feed {
    let hub: StreamHub
    /// Where the audio comes now; nil before its format is known.
    private(set) var wire: Wire?
    /// The programme is over; what it sent is still sent on.
    private(set) var hasEnded = false
    /// Called when audio has come.
    var onAudio: (() -> Void)?
    /// Called when the programme begins in a format that listeners cannot be sent.
    var onUnrelayed: ((StreamFormat) -> Void)?
    /// Called when the programme is over.
    var onEnd: ((Failure?) -> Void)?

    private let reactor: any Reactor
    private let depth: Duration
    private let serial: UInt32

    /// Hears the programme from now on, until ``close()``. `depth` is how much audio is kept at least; `serial` is any
    /// number, for the logical streams of Ogg.
    init(_ hub: StreamHub, depth: Duration, serial: UInt32, reactor: any Reactor) {
        self.hub = hub
        self.depth = depth
        self.serial = serial
        self.reactor = reactor
    }

    func start() { hub.attach(self) }

    /// Hears nothing any more. Listeners get what is left, at their own turns.
    func close() {
        hub.detach(self)
        wire?.end()
        wire = nil
    }

    /// Whether there is audio for somebody who comes now.
    var hasAudio: Bool { wire?.hasAudio ?? false }
}

extension Feed: StreamSink {
    /// Listeners wait for their turn anyway, and a wake-up costs what a dozen listeners cost.
    var tolerance: Duration? { .milliseconds(150) }

    func receive(_ event: StreamEvent) {
        switch event {
        case .format(let format, _):
            begin(format)
        case .title(let title):
            wire?.add(title)
        case .discontinuity(let discontinuity):
            // What a station leaves out inside one connection is no break: what follows comes as it would have come.
            if case .gap(let gap) = discontinuity.kind { wire?.gap(isBreak: !gap.isInsideConnection) }
        case .splice:
            wire?.splice()
        case .chunk(let chunk):
            wire?.append(chunk, reactor.now)
            onAudio?()
        case .ended(let failure):
            hasEnded = true
            wire?.end()
            onEnd?(failure)
        case .station, .stretch, .airTime:
            break
        }
    }

    private func begin(_ format: StreamFormat) {
        // A programme that changes to such a format later may change back, so its mount stays.
        if wire == nil, !format.container.isRelayed { onUnrelayed?(format) }
        if let wire, wire.isOgg == (format.container == .ogg) { return wire.begin(format) }
        wire?.end()
        wire = Wire(hub, format, depth: depth, serial: serial, isFirst: wire == nil)
    }
}
