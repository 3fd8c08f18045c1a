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
    private let mailbox: Mailbox

    /// The thread's queue of commands. Thread-safe.
    private final class Mailbox: Sendable {
        private let content = Monitor(Content())

        private struct Content {
            var commands = WaitingCommands()
            var wakeUp: (@Sendable () -> Void)?
            var isOver = false
        }

        func put(_ command: VoiceCommand) { wake { $0.commands.put(command) } }

        func end() { wake { $0.isOver = true } }

        func wake() { wake { _ in } }

        private func wake(_ change: (inout Content) -> Void) {
            content.withLock { content in
                change(&content)
                content.wakeUp?()
            }
        }

        /// Sets how ``wake(_:)`` wakes the thread; nil once the thread ends.
        func use(_ wakeUp: (@Sendable () -> Void)?) { content.withLock { $0.wakeUp = wakeUp } }

        /// The commands since the last call; nil after ``end()``.
        func take() -> [VoiceCommand]? {
            content.withLock { $0.isOver ? nil : $0.commands.take() }
        }
    }

    /// Starts the thread, which calls `makeOutput`, `makeDecoder` and `tell`; `tell` must not block. Throws if the
    /// thread cannot be started.
    package init(
        measuresLoudness: Bool,
        makeOutput: @escaping @Sendable () -> any SoundOutput,
        makeDecoder: @escaping @Sendable (StreamFormat) throws(DecodingError) -> any Decoding,
        tell: @escaping @Sendable (VoiceNotice) -> Void
    ) throws(Failure) {
        let (mailbox, pipe) = (Mailbox(), pipe)
        self.mailbox = mailbox
        do throws(SystemError) {
            try WorkerThread.start(name: "sound") {
                let output = makeOutput()
                // The voice connects to the server while the station's first audio is still on its way.
                output.prepare()
                let voice = Voice(
                    output, pipe, measuresLoudness: measuresLoudness, makeDecoder: makeDecoder, tell: tell)
                mailbox.use(output.wakeUp)
                defer { mailbox.use(nil) }
                while let commands = mailbox.take() {
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

    package func send(_ command: VoiceCommand) { mailbox.put(command) }

    package func wake() {
        if pipe.takeHunger() { mailbox.wake() }
    }

    package func shutDown() { mailbox.end() }
}
