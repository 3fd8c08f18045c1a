// SPDX-License-Identifier: MIT

import EventLoop
import RadioCore
import RadioFormats
import Stations

/// Receives a programme for a mount, and makes a ``ListenerStream`` from it. It makes a new ``ListenerStream`` when the
/// container changes to or from Ogg.
final class MountSink {
    let hub: StreamHub
    /// The present output stream; nil before the format is known.
    private(set) var stream: ListenerStream?
    /// Whether the programme has ended; its remaining audio is still sent.
    private(set) var hasEnded = false
    /// Called when audio has arrived.
    var onAudio: (() -> Void)?
    /// Called when the programme begins in a format that cannot be relayed.
    var onUnrelayed: ((StreamFormat) -> Void)?
    /// Called when the programme has ended.
    var onEnd: ((Failure?) -> Void)?

    private let reactor: any Reactor
    private let settings: MountSettings
    private let serial: UInt32

    /// Creates a sink of the programme of `hub`, which lasts from ``start()`` to ``close()``. `serial`: any number,
    /// for the logical streams of Ogg.
    init(_ hub: StreamHub, _ settings: MountSettings, serial: UInt32, reactor: any Reactor) {
        self.hub = hub
        self.settings = settings
        self.serial = serial
        self.reactor = reactor
    }

    func start() { hub.attach(self) }

    /// Stops receiving. Listeners are sent the remaining audio on their own turns.
    func close() {
        hub.detach(self)
        stream?.end()
        stream = nil
    }

    /// Whether there is audio for a new listener.
    var hasAudio: Bool { stream?.hasAudio ?? false }
}

extension MountSink: StreamSink {
    /// How long audio may wait. Listeners wait for their turns anyway, and waking the loop costs as much as serving a
    /// dozen listeners.
    var tolerance: Duration? { .milliseconds(150) }

    func receive(_ event: StreamEvent) {
        switch event {
        case .format(let format, _):
            begin(format)
        case .title(let title):
            stream?.add(title)
        case .discontinuity(let discontinuity):
            // Audio lost within a connection is not a break: the following audio arrives at its usual time.
            if case .gap(let gap) = discontinuity.kind { stream?.gap(isBreak: !gap.isInsideConnection) }
        case .splice:
            stream?.splice()
        case .chunk(let chunk):
            stream?.append(chunk, reactor.now)
            onAudio?()
        case .ended(let failure):
            hasEnded = true
            stream?.end()
            onEnd?(failure)
        case .station(let info):
            if let stream { stream.note(info.lumps, depth: settings.ringDepth(info.lumps)) }
        case .stretch, .found, .hole, .airTime:
            break
        }
    }

    private func begin(_ format: StreamFormat) {
        // Reported only at the beginning: a programme that changes to such a format later may change back.
        if stream == nil, !format.container.isRelayed { onUnrelayed?(format) }
        if let stream, stream.isOgg == (format.container == .ogg) { return stream.begin(format) }
        stream?.end()
        let depth = settings.ringDepth(hub.info?.lumps)
        stream = ListenerStream(hub, format, depth: depth, serial: serial, isFirst: stream == nil)
    }
}
