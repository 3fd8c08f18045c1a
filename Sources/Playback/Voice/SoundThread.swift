// SPDX-License-Identifier: MIT

package import Decoding
import Platform
package import RadioCore
package import RadioFormats
package import SoundOutput

/// What the loop has of a voice.
package protocol VoiceControl: AnyObject {
    /// Where frames for it go.
    var pipe: FramePipe { get }
    /// Never blocks; carried out soon. Of two that set the same thing the first may be left out.
    func send(_ command: VoiceCommand)
    /// Frames have been put that the voice may be waiting for.
    func wake()
    /// Ends it at once.
    func shutDown()
}

/// A voice on a thread of its own, because libraries are loaded there, frames decoded, and a sound server waited for.
///
/// The thread ends after ``shutDown()`` and is not waited for: the server may hang.
package final class SoundThread: VoiceControl {
    package let pipe = FramePipe()
    private let mailbox: Mailbox

    /// What the thread is told. Thread-safe.
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

        /// From now on ``wake(_:)`` reaches the thread; nil before it ends.
        func use(_ wakeUp: (@Sendable () -> Void)?) { content.withLock { $0.wakeUp = wakeUp } }

        /// What has come since the last call; nil once it is over.
        func take() -> [VoiceCommand]? {
            content.withLock { $0.isOver ? nil : $0.commands.take() }
        }
    }

    /// Starts the thread. `makeOutput` and `makeDecoder` are called on it, and `tell`, which must not block.
    package init(
        measuresLoudness: Bool,
        makeOutput: @escaping @Sendable () -> any SoundOutput,
        makeDecoder: @escaping @Sendable (StreamFormat) throws(DecodingError) -> any Decoding,
        tell: @escaping @Sendable (VoiceNews) -> Void
    ) throws(Failure) {
        let (mailbox, pipe) = (Mailbox(), pipe)
        self.mailbox = mailbox
        do throws(SystemError) {
            try WorkerThread.start(name: "sound") {
                let output = makeOutput()
                // By the time at which the station sends, the server has been reached.
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
