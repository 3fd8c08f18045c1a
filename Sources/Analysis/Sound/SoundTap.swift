// SPDX-License-Identifier: MIT

package import Decoding
package import EventLoop
package import RadioCore
import Stations

/// A sink that has a programme decoded, and tells what it sounds like. All who want to know this about one programme
/// share one tap, and thereby one decoder.
package final class SoundTap {
    /// Somebody who wants to know what a programme sounds like.
    package protocol Receiver: AnyObject {
        /// Receives the next windows, in order. What could not be decoded is left out. `edge`: where the newest frame
        /// of the programme ends, in the time of ``SoundWindow/start``.
        func heard(_ windows: [SoundWindow], edge: Duration)
        /// Everything has been heard of the frames before a call of ``SoundTap/finish()``.
        func heardAll()
        /// The programme's frames cannot be decoded, for this reason. That is tried again for as long as they come.
        func cannotHear(_ error: DecodingError)
        /// They can be decoded again.
        func hearsAgain()
    }

    private let thread: DecodingThread
    private var receivers: [any Receiver] = []
    private var isBreak = false
    private var start = Duration.zero
    /// The bytes that were put and have not been decoded yet.
    private var waiting = 0
    /// Whether what a decoder still holds has been asked for and not heard.
    private var isFinishing = false
    private var failure: DecodingError?

    /// The limit for ``waiting``: a minute at 320 kbit/s. Frames beyond it are left out.
    private static let mostWaiting = 2_400_000

    package init(_ thread: DecodingThread, reactor: any Reactor) {
        self.thread = thread
        let bound = LoopBound<SoundTap>(reactor)
        thread.begin(ObjectIdentifier(self)) { findings in bound.tell { $0.take(findings) } }
        bound.bind(self)
    }

    deinit { thread.end(ObjectIdentifier(self)) }

    /// Whether there are no receivers.
    package var isIdle: Bool { receivers.isEmpty }

    /// Whether all frames so far have been decoded.
    package var isUpToDate: Bool { waiting == 0 && !isFinishing }

    package func add(_ receiver: any Receiver) {
        receivers.append(receiver)
        if let failure { receiver.cannotHear(failure) }
    }

    /// Has the decoder give what it still holds of the frames so far, for its only receiver. With several receivers it
    /// does nothing: the frames that follow bring out what the decoder holds.
    package func finish() {
        guard receivers.count == 1 else { return }
        isFinishing = true
        thread.finish(ObjectIdentifier(self))
    }

    package func remove(_ receiver: any Receiver) { receivers.removeAll { $0 === receiver } }
}

extension SoundTap: StreamSink {
    /// Half a second of audio is decoded at once.
    package var tolerance: Duration? { .milliseconds(500) }

    package func receive(_ event: StreamEvent) {
        switch event {
        case .chunk(let chunk): put(chunk)
        case .discontinuity: isBreak = true
        case .station, .format, .hole, .splice, .stretch, .found, .title, .airTime, .ended: break
        }
    }

    private func put(_ chunk: Chunk) {
        defer { start += chunk.duration }
        guard waiting <= Self.mostWaiting else { return isBreak = true }
        waiting += chunk.bytes.count
        let sizes = chunk.frames.map { index in
            TappedFrames.FrameSize(
                length: Int32(clamping: chunk.slab.range(ofFrame: index).count),
                samples: Int32(clamping: chunk.slab.samples(ofFrames: index..<index + 1)))
        }
        thread.decode(
            TappedFrames(
                format: chunk.format, slice: chunk.slice, sizes: sizes, number: chunk.position.frames,
                instant: chunk.position.samples, start: start, isBreak: isBreak), of: ObjectIdentifier(self))
        isBreak = false
    }

    private func take(_ findings: DecodingThread.Findings) {
        waiting -= findings.bytes
        // The windows are older than a failure beside them.
        if !findings.windows.isEmpty {
            if failure.take() != nil { for receiver in receivers { receiver.hearsAgain() } }
            for receiver in receivers { receiver.heard(findings.windows, edge: start) }
        }
        if let new = findings.failure {
            if failure == nil { for receiver in receivers { receiver.cannotHear(new) } }
            failure = new
        }
        guard findings.isEnd else { return }
        isFinishing = false
        for receiver in receivers { receiver.heardAll() }
    }
}

extension SoundTap.Receiver {
    package func heardAll() {}
    package func hearsAgain() {}
}
