// SPDX-License-Identifier: MIT

import Configuration
import CurlClient
import Engine
import EventLoop
import Platform
import RadioFormats
import Storage

/// What the parts of a daemon share.
final class DaemonContext {
    let reactor: any Reactor
    let values: UseContextValues
    /// Makes the file system calls on the recordings' disk.
    let system: any FileSystemCalls
    /// Passes a command to the engine.
    let perform: (EngineCommand) -> Void
    let tell: (DaemonEvent) -> Void
    /// Knows the recordings of all runs; its thread writes the files of the state folder. Nil if there is none: then
    /// nothing is stored.
    var catalog: RecordingsCatalog?
    /// The folders and limits of the configuration that applies.
    var storage = StorageSettings()
    private lazy var answers = LoopAnswers(reactor: reactor)
    private var curl: CurlClient?

    /// Sends the requests of the daemon's parts.
    var client: any HTTPClient {
        let client = curl ?? CurlClient(reactor: reactor)
        curl = client
        return client
    }

    init(
        reactor: any Reactor, values: UseContextValues, system: any FileSystemCalls = LinuxFileSystem(),
        perform: @escaping (EngineCommand) -> Void, tell: @escaping (DaemonEvent) -> Void
    ) {
        (self.reactor, self.values, self.system) = (reactor, values, system)
        (self.perform, self.tell) = (perform, tell)
    }

    /// Replaces a file of the state folder. `done` gets nil once it is written, or why it could not be written.
    func store(
        _ json: JSONValue, in name: String, _ style: JSONStyle = .compact,
        done: @escaping (SystemError?) -> Void = { _ in }
    ) {
        let (file, bytes) = (StateFile(folder: storage.state, name: name), json.encoded(style))
        guard let catalog else { return }
        let answer = answers.expect(done)
        catalog.run {
            do throws(SystemError) {
                try file.write(bytes)
                answer(nil)
            } catch {
                answer(error)
            }
        }
    }

    /// Ends all requests. Must be the last call.
    func close() { curl?.close() }
}
