// SPDX-License-Identifier: MIT

package import Instants
package import RadioCore

/// A stream of PCM to a sound server, which comes back by itself when that restarts. Confined to the thread that waits
/// in it; only what ``wakeUp`` gives may be called from elsewhere.
///
/// Samples are counted from each ``open(_:isPaused:)`` on, in the order in which they are written: position comes from
/// these counts and never from a clock of the server. Nothing blocks but ``wait(until:or:)``.
package protocol SoundOutput: AnyObject {
    /// Reaches for the server already, for a stream whose format is not known yet: it begins sooner then. What goes wrong
    /// is told as for a stream.
    func prepare()

    /// Begins a stream of this format, in place of the one before it. It is opened as soon as the server can be reached,
    /// and again after it was lost: its counts begin at zero then (``SoundEvent/opened``). Where `isPaused` nothing is
    /// heard until ``setPaused(_:)``, but samples can be written.
    func open(_ format: PCMFormat, isPaused: Bool)

    /// Ends the stream at once; what has not been heard is dropped. The server stays connected.
    func close()

    /// How many samples the server wants now; 0 where there is no stream.
    var room: Int { get }

    /// Writes samples behind those that were written before, or over the last `rewind` of these, which have then not
    /// been written. What is beyond ``room`` is taken, too, up to several seconds. What was heard stays heard.
    func write(_ values: UnsafeBufferPointer<Float>, rewind: Int)

    /// Samples written since the stream was opened. After a loss, both counts keep their last values until the next
    /// stream is opened.
    var written: Int64 { get }
    /// How many of them have left the loudspeaker by now, as far as the server knows. Never goes back while a stream
    /// lasts.
    var heard: Int64 { get }
    /// From the moment at which a sample is written into an empty stream that may play to the one at which it is heard;
    /// nil until it was measured, once for each stream. That of a full stream is what is written and not heard yet.
    var latency: Duration? { get }

    /// Corks the stream, or lets it play.
    func setPaused(_ isPaused: Bool)
    /// Samples a second at which it is played from now on, near that of its format; a restarted stream keeps it.
    func setRate(_ hertz: Int)
    /// Nothing is written any more: ``SoundEvent/drained`` comes when all has been heard.
    func drain()
    /// From 0 to 1 and beyond, in the server's own (cubic) measure, as its mixers show it; the server remembers it.
    func setVolume(_ volume: Double)
    func setMuted(_ isMuted: Bool)
    /// What mixers show of the stream.
    func setTitle(_ title: String)

    /// Waits until something happens, somebody wakes it up, the instant has come, or the descriptor is readable. Everything
    /// is told during this call.
    func wait(until deadline: MonotonicInstant?, or descriptor: CInt?)
    /// Ends a wait that is under way, or the next one. What it gives may be handed to any thread, called there, and kept
    /// for longer than the output.
    var wakeUp: @Sendable () -> Void { get }

    /// What happens, in order; set once, before the first call.
    var onEvent: ((SoundEvent) -> Void)? { get set }
}

extension SoundOutput {
    package func wait(until deadline: MonotonicInstant?) { wait(until: deadline, or: nil) }
}

/// What happens to a sound output.
package enum SoundEvent: Hashable, Sendable {
    /// There is a stream now, empty, with counts of zero.
    case opened
    /// There is no stream for now, and why; it is tried again by itself.
    case lost(SoundError)
    /// Everything that was written has been heard, and nothing more came in time.
    case underrun
    /// The server plays: for the first time, or again after an underrun.
    case started
    /// Everything has been heard after ``SoundOutput/drain()``.
    case drained
    /// The server wants silence for now, for a telephone call say; false where that is over.
    case heldByServer(Bool)
    /// The stream is on another device now: its name.
    case moved(device: String)
    /// The volume and the muting that the server has, whoever set them.
    case volume(Double, isMuted: Bool)
}

/// Why there is no sound.
package enum SoundError: Error, Hashable, Sendable {
    /// libpulse is not on this machine: the Debian package.
    case missing(package: String)
    /// libpulse cannot be opened: the loader's words, and what helps.
    case unusable(String, remedy: String)
    /// No sound server can be reached, and what it was that failed.
    case noServer(String)
    /// There is a server, and it refuses the stream: its words.
    case refused(String)
    /// There is no device of this name.
    case noDevice(String)
    /// The server does not answer.
    case hangs
    /// The server or the device has gone.
    case gone(String)
}
