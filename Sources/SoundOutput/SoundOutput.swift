// SPDX-License-Identifier: MIT

package import Instants
package import RadioCore

/// A stream of PCM to a sound server, which reopens by itself when the server restarts. Confined to the thread that
/// waits in it; only the closure from ``wakeUp`` may be called from elsewhere.
///
/// Samples are counted from each ``open(_:hasVariableRate:isPaused:)`` on, in the order in which they are written.
/// Positions come from these counts, never from a clock of the server. Only ``wait(until:or:)`` blocks.
package protocol SoundOutput: AnyObject {
    /// Connects to the server before the format of a stream is known, so that the stream starts sooner. Errors are
    /// reported as for a stream.
    func prepare()

    /// Begins a stream of this format, in place of any earlier stream. It opens as soon as the server can be reached,
    /// and again after a loss; its counts start at zero each time (``SoundEvent/opened``). If `isPaused`, samples can
    /// be written, but nothing is heard until ``setPaused(_:)``.
    ///
    /// Without `hasVariableRate`, ``setRate(_:)`` does nothing, and a server that plays at the stream's own rate plays
    /// every sample unchanged. With it, servers resample even if the rates are the same.
    func open(_ format: PCMFormat, hasVariableRate: Bool, isPaused: Bool)

    /// Ends the stream at once, dropping all samples not yet heard. The server stays connected.
    func close()

    /// How many samples the server wants now; 0 without a stream.
    var room: Int { get }

    /// Takes back the last `rewind` samples that were written, then writes `values` after the remaining samples.
    /// Accepts several seconds more than ``room``. Samples already heard cannot be taken back.
    func write(_ values: UnsafeBufferPointer<Float>, rewind: Int)

    /// Samples written since the stream was opened. After a loss, ``written`` and ``heard`` keep their last values
    /// until the next stream is opened.
    var written: Int64 { get }
    /// Samples that have left the loudspeaker by now, as far as the server knows. Never decreases while a stream lasts.
    var heard: Int64 { get }
    /// The time between writing a sample into an empty stream that may play and hearing that sample. It is nil until
    /// measured, and is measured once for each stream. The latency of a full stream is the audio that is written and
    /// not heard yet.
    var latency: Duration? { get }

    /// Corks the stream, or lets it play.
    func setPaused(_ isPaused: Bool)
    /// Sets the playback rate in samples a second, near the format's own; a reopened stream keeps it.
    func setRate(_ hertz: Int)
    /// Declares that nothing more is written: ``SoundEvent/drained`` comes when everything has been heard.
    func drain()
    /// Sets the volume, 1 for full or more, on the server's own (cubic) scale, as its mixers show it; the server
    /// remembers it.
    func setVolume(_ volume: Double)
    func setMuted(_ isMuted: Bool)
    /// Sets the title that mixers show for the stream.
    func setTitle(_ title: String)

    /// Blocks until an event, a wake-up or the deadline, or until `descriptor` is readable. All events are reported
    /// during this call.
    func wait(until deadline: MonotonicInstant?, or descriptor: CInt?)
    /// A closure that ends the current wait, or the next one. Any thread may call it, even after the output has gone.
    var wakeUp: @Sendable () -> Void { get }

    /// Called with each event, in order; set once, before any other call.
    var onEvent: ((SoundEvent) -> Void)? { get set }
}

extension SoundOutput {
    package func wait(until deadline: MonotonicInstant?) { wait(until: deadline, or: nil) }
}

/// An event of a sound output.
package enum SoundEvent: Hashable, Sendable {
    /// There is a stream now; it is empty, with counts of zero.
    case opened
    /// There is no stream for now, for this reason; the output keeps trying.
    case lost(SoundError)
    /// All written samples have been heard, and no more came in time.
    case underrun
    /// The server plays: for the first time, or again after an underrun.
    case started
    /// Everything has been heard after ``SoundOutput/drain()``.
    case drained
    /// The server asks for silence, for a telephone call say; false when that is over.
    case heldByServer(Bool)
    /// The stream has moved to the device with this name.
    case moved(device: String)
    /// The server's volume and muting, whoever set them.
    case volume(Double, isMuted: Bool)
}

/// Why there is no sound.
package enum SoundError: Error, Hashable, Sendable {
    /// libpulse is not on this machine; `package` is the Debian package that contains it.
    case missing(package: String)
    /// libpulse cannot be opened: the loader's message, and a remedy.
    case unusable(String, remedy: String)
    /// No sound server can be reached, for this reason.
    case noServer(String)
    /// The server refuses the connection or the stream, with this message.
    case refused(String)
    /// There is no device of this name.
    case noDevice(String)
    /// The server does not answer.
    case hangs
    /// The server has gone.
    case gone(String)
    /// The server runs, but has ended the stream: its device has gone.
    case deviceGone
}
