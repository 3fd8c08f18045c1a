// SPDX-License-Identifier: MIT

import Configuration
import Glibc
import Instants
import RadioFormats
import Storage
import TestSupport
import TestTools
import Testing

@testable import Catalog
@testable import Daemon

/// Results of shows that the catalog does not know yet, or for which the ledger of shows has no room.
struct UnknownResultTests {
    private let rig: DaemonRig
    private let configuration: Configuration

    /// The show has begun before the daemon.
    init() throws {
        rig = try DaemonRig(["fip": DaemonRig.script()])
        let station = DaemonRig.station("fip", shows: [try rig.show("one", from: -5, to: 15)])
        configuration = try rig.configuration([station])
    }

    private func begin() throws {
        try rig.beginWithCatalog(configuration)
        #expect(rig.reactor.pump { rig.rebuilds == [true] })
        rig.live(10)
    }

    /// Lets the daemon live for three minutes.
    private func live() { rig.live(180, step: 10) }

    /// The results that were reported.
    private var told: [RecordingResult] {
        rig.events.compactMap { if case .showEnded(_, let result) = $0 { result } else { nil } }
    }

    /// The results on disk, once the catalog answers.
    private var entered: [String?] { ShowLedgerTests.entries(rig).map { $0["result"]?.stringValue } }

    @Test(
        "I19: An unknown result is followed by the right one when the catalog answers, also in the next run",
        arguments: [false, true])
    func judgedAgain(restarts: Bool) throws {
        try begin()
        let other = try Database(path: rig.folder.file("state/\(CatalogStore.name)"))
        try other.run("BEGIN EXCLUSIVE")
        rig.run(80)
        #expect(rig.reactor.pump { !told.isEmpty })
        #expect(told.map(\.verdict) == [.unknown])
        if restarts {
            rig.daemon.stop()
            rig.run(1)
        }
        try other.run("ROLLBACK")
        if restarts {
            rig.restart()
            try rig.startAgain(configuration)
        }
        live()
        #expect(told.map(\.verdict) == [.unknown, .incomplete] && entered == ["unknown", "incomplete"])
        let lost = try #require(told.last?.lost)
        // The show began five seconds before the daemon, and the station's burst has four of them.
        #expect(lost > .milliseconds(500) && lost < .milliseconds(1_500), "\(lost)")
    }

    @Test(
        "I19: An unknown result of a manual recording is followed by the right one, also in the next run",
        arguments: [false, true])
    func manual(restarts: Bool) throws {
        let rig = try DaemonRig(["fip": DaemonRig.script()])
        let configuration = try rig.configuration([DaemonRig.station("fip")])
        func restart(after seconds: Double, _ body: () throws -> Void = {}) throws {
            rig.daemon.stop()
            rig.run(seconds)
            try body()
            rig.restart()
            try rig.startAgain(configuration)
        }
        var told: [RecordingResult] {
            rig.events.compactMap { if case .manualEnded(_, let result) = $0 { result } else { nil } }
        }
        try rig.beginWithCatalog(configuration)
        #expect(rig.reactor.pump { rig.rebuilds == [true] })
        _ = try #require(rig.daemon.record("fip", for: .seconds(60)))
        rig.live(20)
        try restart(after: 20)
        rig.live(10)
        let other = try Database(path: rig.folder.file("state/\(CatalogStore.name)"))
        try other.run("BEGIN EXCLUSIVE")
        rig.run(80)
        #expect(rig.reactor.pump { !told.isEmpty })
        #expect(told.map(\.verdict) == [.unknown])
        if restarts {
            try restart(after: 1) { try other.run("ROLLBACK") }
        } else {
            try other.run("ROLLBACK")
        }
        rig.live(180, step: 10)
        #expect(told.map(\.verdict) == [.unknown, .incomplete])
        // The burst has four of the twenty seconds between both runs.
        let lost = try #require(told.last?.lost)
        #expect(lost > .seconds(14) && lost < .seconds(18) && told.last?.window == told.first?.window, "\(told)")
    }

    @Test(
        "I19: A result for which there is no room is entered when there is room, if need be by the next run",
        arguments: [false, true])
    func unwritable(crashes: Bool) throws {
        // No file can be opened under this name.
        try rig.folder.make("state/\(StateLedger.shows)")
        try begin()
        rig.run(20)
        #expect(rig.reactor.pump { !told.isEmpty })
        #expect(entered.isEmpty)
        if crashes { rig.crash(away: .seconds(5)) }
        rmdir(rig.folder.file("state/\(StateLedger.shows)"))
        if crashes { try rig.startAgain(configuration) }
        live()
        #expect(entered == ["incomplete"] && told.count == (crashes ? 2 : 1))
    }
}
