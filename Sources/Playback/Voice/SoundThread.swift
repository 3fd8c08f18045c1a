// SPDX-License-Identifier: MIT

package import Decoding
import Platform
package import RadioCore
package import RadioFormats
package import SoundOutput

/// The loop's handle to a voice.
package protocol VoiceControl: AnyObject {
    /// The pipe through which the voice gets its frames.
    var pipe: FramePipe { get }
    /// Queues a command; never blocks. A later command that sets the same thing may replace it.
    func send(_ command: VoiceCommand)
    /// Wakes the voice if it waits for something that is in the pipe now.
    func wake()
    /// Ends the voice at once, without waiting for it.
    func shutDown()
}

/// A voice on a thread of its own, because loading libraries, decoding and waiting for a sound server take time.
///
/// The thread ends after ``shutDown()``, but is not joined: the server may hang.
package final class SoundThread: VoiceControl {
    package let pipe = FramePipe()
    private let mailbox = Mailbox(Mail())

    private struct Mail {
        var commands = WaitingCommands()
        /// Wakes the thread, which waits for its output and not for the mailbox; nil before it begins and once it ends.
        var wakeUp: (@Sendable () -> Void)?
    }

    /// Starts the thread, which calls `makeOutput`, `makeDecoder` and `tell`; `tell` must not block. Throws if the
    /// thread cannot be started.
    package init(
        measuresLoudness: Bool,
        makeOutput: @escaping @Sendable () -> any SoundOutput,
        makeDecoder: @escaping @Sendable (StreamFormat) throws(DecodingError) -> any Decoding,
        tell: @escaping @Sendable (VoiceNotice) -> Void
    ) throws(Failure) {
        let (mailbox, pipe) = (mailbox, pipe)
        do throws(SystemError) {
            try WorkerThread.start(name: "sound") {
                let output = makeOutput()
                // The voice connects to the server while the station's first audio is still on its way.
                output.prepare()
                let voice = Voice(
                    output, pipe, measuresLoudness: measuresLoudness, makeDecoder: makeDecoder, tell: tell)
                let wakeUp: @Sendable () -> Void = output.wakeUp
                mailbox.withContent { $0.wakeUp = wakeUp }
                defer { mailbox.withContent { $0.wakeUp = nil } }
                while let commands = mailbox.take({ $0.commands.take() }) {
                    voice.turn(commands, at: .read())
                    output.wait(until: voice.deadline, or: voice.awaited)
                }
            }
        } catch {
            throw Failure(
                .internal, "the thread that plays could not be started: \(error)",
                remedy: "end other programs, or raise the limit of processes (ulimit -u)")
        }
    }

    deinit { shutDown() }

    package func send(_ command: VoiceCommand) {
        mailbox.put { mail in
            mail.commands.put(command)
            mail.wakeUp?()
        }
    }

    package func wake() {
        if pipe.takeHunger() { mailbox.put { $0.wakeUp?() } }
    }

    package func shutDown() { mailbox.abandon { $0.wakeUp?() } }
}
