// SPDX-License-Identifier: MIT

import ArgumentParser
import Catalog
import Configuration
import Control
import Daemon
import Engine
import EventLoop
import Glibc
import RadioCore
import RadioFormats
import Storage
import WallClock
import Words

/// Runs a daemon to its end: everything on the loop's thread, the log on the main thread.
struct ServeRun {
    private let configuration: LoadedConfiguration
    private let process: DaemonHost.Process
    private let lock: StateLock
    private var log: DaemonLog

    /// Takes the lock of the state folder, and the recordings folder. Throws the exit status if another daemon has one
    /// of them.
    init(_ configuration: LoadedConfiguration, path: String, socket: String?) throws {
        self.configuration = configuration
        let settings = configuration.configuration
        let zone = LocalZone()
        let environment = ProcessEnvironment.values
        log = DaemonLog(settings.log, zone: zone)
        let isOlder: Bool
        do throws(Failure) {
            lock = try StateLock(folder: settings.storage.state)
            isOlder = try RecordingsOwner.take(settings.storage.recordings, state: settings.storage.state)
            if isOlder {
                Self.note(.notRemembered(Self.olderState(settings.storage)), in: log)
                CatalogStore.noteMissed(in: settings.storage.state)
            }
        } catch {
            Self.note(.notStarted(error), in: log)
            throw error.failureClass.exitStatus.code
        }
        let values = UseContextValues(
            zone: zone,
            zones: { $0 == "local" ? zone : nil },
            software: "Aircheck \(Version.string)", recordingID: { RecordingIdentity.make() })
        var process = DaemonHost.Process(
            values: values, version: Version.string,
            socket: socket.map(FileProgram.absolute) ?? ControlSocket.ownPath(environment),
            load: {
                ServeCommand.load(path).mapError { error in
                    UnusableConfiguration(
                        .configuration, error.lines(of: path, asAgain: true),
                        remedy: "correct the file, and run 'aircheck reload' again")
                }
            })
        process.environment = environment
        process.earlier = EarlierRun(of: settings.storage.state)
        process.earlier.isOlder = isOlder
        process.earlier.remedy = "repeat what you have asked for, such as 'aircheck record STATION --for TIME'"
        self.process = process
    }

    private static func olderState(_ storage: StorageSettings) -> Failure {
        Failure(
            .storage,
            "the state folder \(storage.state) does not know the last run that recorded into \(storage.recordings): it "
                + "came from a backup, or another state folder was used meanwhile",
            remedy: "nothing to do: the catalog is rebuilt from the recordings")
    }

    /// Blocks until the daemon has ended. Throws the exit status of a failure.
    mutating func run() throws {
        makeSocketFolder()
        let messages = MessageQueue<Result<DaemonHost.Message, Failure>>(limit: Occurrences.mostKept)
        let loop = try EventLoop(name: "loop")
        try loop.start()
        let host = DaemonHost(loop: loop) { messages.post(.success($0), isNeeded: $0.isNeeded) }
        defer {
            loop.post { host.assumeIsolated { $0.close() } }
            loop.shutdown()
        }
        let (configuration, process) = (configuration, process)
        loop.post {
            host.assumeIsolated { host in
                do throws(Failure) {
                    try host.start(configuration, process)
                } catch {
                    messages.post(.failure(error), isNeeded: true)
                }
            }
        }
        while true {
            switch messages.next() {
            case .success(.occurrence(let occurrence)): log.write(occurrence)
            case .success(.log(let settings)): log.use(settings)
            case .success(.ended): return
            case .failure(let failure):
                Self.note(.notStarted(failure), in: log)
                throw failure.failureClass.exitStatus.code
            }
        }
    }
}

extension ServeRun {
    /// Logs an event that comes before the daemon.
    private static func note(_ event: DaemonEvent, in log: DaemonLog) {
        Wording.occurrence(event, in: .init(now: WallClock.now())).map(log.write)
    }

    /// Creates the socket's folder. A failure is ignored: listening then fails as well, and reports the cause.
    private func makeSocketFolder() {
        guard let slash = process.socket.lastIndex(of: "/"), slash != process.socket.startIndex else { return }
        mkdir(String(process.socket[..<slash]).pathBytes, 0o755)
    }
}

extension DaemonHost.Message {
    /// Whether this message must not be dropped when the log falls behind.
    fileprivate var isNeeded: Bool { if case .occurrence = self { false } else { true } }
}
