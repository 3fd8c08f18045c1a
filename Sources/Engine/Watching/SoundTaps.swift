// SPDX-License-Identifier: MIT

import Analysis
import Decoding
import EventLoop
import Platform
import RadioCore
import Stations

/// The taps of the programmes that somebody listens to: one for each programme, all on one thread.
final class SoundTaps {
    private var thread: DecodingThread?
    private var taps: [ObjectIdentifier: SoundTap] = [:]
    /// Tests set another one.
    var makeDecoder: DecodingThread.Maker = { format throws(DecodingError) in try Decoders.make(for: format) }

    /// Adds a receiver to a programme, which hears it from a place on, or from now on if others hear it already.
    func add(
        _ receiver: any SoundTap.Receiver, to programme: Programme, at place: JoinPlace = .live, _ reactor: any Reactor
    ) throws(Failure) {
        let id = ObjectIdentifier(programme)
        let tap = if let tap = taps[id] { tap } else { SoundTap(try decodingThread(), reactor: reactor) }
        if taps.updateValue(tap, forKey: id) == nil { programme.hub.attach(tap, at: place) }
        tap.add(receiver)
    }

    /// Whether everything that was received has been heard.
    var areUpToDate: Bool { taps.values.allSatisfy(\.isUpToDate) }

    /// See ``SoundTap/finish()``.
    func finish(_ programme: Programme) { taps[ObjectIdentifier(programme)]?.finish() }

    func remove(_ receiver: any SoundTap.Receiver, from programme: Programme) {
        guard let tap = taps[ObjectIdentifier(programme)] else { return }
        tap.remove(receiver)
        guard tap.isIdle else { return }
        programme.hub.detach(tap)
        taps[ObjectIdentifier(programme)] = nil
    }

    private func decodingThread() throws(Failure) -> DecodingThread {
        if let thread { return thread }
        do throws(SystemError) {
            let made = try DecodingThread(makeDecoder: makeDecoder)
            thread = made
            return made
        } catch {
            throw Failure(
                .internal, "the thread that measures sound could not be started: \(error)",
                remedy: "end other programs, or raise the limit of processes (ulimit -u)")
        }
    }

    deinit { thread?.shutDown() }
}
