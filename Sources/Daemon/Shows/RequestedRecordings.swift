// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import Platform
import RadioCore
import RadioFormats
import Recorder
import Storage

/// Keeps the manual recordings, reports the result of each once it is over, and writes the file from which the next run
/// of the daemon continues them. Confined to the loop's thread.
final class RequestedRecordings {
    private let reactor: any Reactor
    private let tell: (DaemonEvent) -> Void
    private var recordings = ManualRecordings() {
        didSet { if recordings != oldValue { store() } }
    }
    /// The state folder.
    private var folder = ""
    private var stations: Set<String> = []
    /// When the file is to be written again; nil while there is nothing to remember.
    private var nextWrite: MonotonicInstant?
    private lazy var bound = reactor.bind(self)

    /// Owns the thread that writes the file. Without a catalog, the file is not written.
    var catalog: RecordingsCatalog?

    /// How often the file is written while there are recordings. What came after the last time is unknown after a
    /// crash.
    private static let interval = Duration.seconds(60)

    init(reactor: any Reactor, tell: @escaping (DaemonEvent) -> Void) {
        self.reactor = reactor
        self.tell = tell
    }

    /// Uses the state folder and the stations of a configuration from now on. Forgets the recordings of other stations.
    func use(folder: String, stations: Set<String>) {
        (self.folder, self.stations) = (folder, stations)
        forgetUnknown()
    }

    private func forgetUnknown() { recordings.removeAll { !stations.contains($0.station) } }

    // MARK: Requests

    /// The recordings that are not reported yet.
    var all: [ManualRecording] { recordings.all }

    /// Records a station from now on, for a time.
    func add(_ station: String, for length: Duration) -> ManualRecording {
        recordings.add(station, reactor.now..<reactor.now + length)
    }

    /// Forgets a recording. Returns false if there is none with this number.
    func remove(_ number: Int) -> Bool { recordings.remove(number) }

    /// Continues the recordings of an earlier run, as its file has them.
    func resume(_ json: JSONValue) {
        recordings = ManualRecordings(json: json, reactor.clock)
        forgetUnknown()
    }

    // MARK: Results

    /// The span of air time of a recording, as the wall clock is set now; nil for other uses.
    func window(of key: UseKey) -> Range<WallInstant>? { recordings[key].map { reactor.clock.wall(at: $0.span) } }

    /// Notes the first file of a recording. `start` is the air time of its first frame.
    func began(_ key: UseKey, recording: String, at start: WallInstant) {
        recordings[key]?.began(recording, at: reactor.clock.instant(of: start))
    }

    /// Adds what was recorded.
    func add(_ report: RecordingReport, of recording: String, to key: UseKey) {
        recordings[key]?.ended(recording, report, at: reactor.now)
    }

    /// Reports the recordings that are over and whose uses have ended.
    func settle(isRunning: (UseKey) -> Bool) {
        let clock = reactor.clock
        for recording in recordings.settle(at: clock.now, isRunning: isRunning) {
            tell(.manualEnded(recording, recording.result(clock)))
        }
    }

    // MARK: The file

    /// Writes the file again if that is due. To be called often.
    func keep() {
        if let nextWrite, nextWrite <= reactor.now { store() }
    }

    /// Writes the file anew after a step of the wall clock, because its times are those of the old one.
    func clockStepped() {
        if !all.isEmpty { store() }
    }

    private func store() {
        let file = StateFile(folder: folder, name: ManualRecordings.fileName)
        let bytes = recordings.json(reactor.clock).encoded(.pretty)
        nextWrite = all.isEmpty ? nil : reactor.now + Self.interval
        catalog?.run { [bound] in
            let result = Result { () throws(SystemError) in try file.write(bytes) }
            bound.tell { $0.stored(result) }
        }
    }

    /// Notes whether the file could be written. If not, ``keep()`` tries again.
    private func stored(_ result: Result<Void, SystemError>) {
        guard case .failure(let error) = result else { return }
        nextWrite = reactor.now
        tell(
            .notRemembered(
                Failure(
                    .storage, "what was asked for could not be noted in \(folder): \(error)",
                    remedy: "make room; until then a restart does not know of it")))
    }
}
