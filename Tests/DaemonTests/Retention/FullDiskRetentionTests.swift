// SPDX-License-Identifier: MIT

import Configuration
import Engine
import Instants
import RadioCore
import RadioFormats
import Recorder
import TestSupport
import TestTools
import Testing

@testable import Daemon

/// A daemon whose disk somebody else fills while it records.
struct FullDiskRetentionTests {
    private static let broadcast = Broadcast([.music(.seconds(400))], MPEGShape(48))
    private static let size = 100_000

    /// A daemon that has been recording for 45 s, with old recordings on its disk: one is protected, and one belongs to
    /// no configured station. Then the disk is full. `leastFree`: how many bytes of it should be free. `isReachable`:
    /// whether deleting recordings can free as many.
    private func full(leastFree: Int64, isReachable: Bool = true) throws -> DaemonRig {
        let rig = try DaemonRig(["fip": LiveScript(.stream(LiveStream(Self.broadcast, burst: 24_000)))])
        rig.system.setRoom(10_000_000, regains: true)
        try rig.folder.make("recordings")
        try record(rig, "oldest", daysAgo: 9)
        try record(rig, "kept", daysAgo: 8) { $0.isProtected = true }
        try record(rig, "foreign", daysAgo: 7) { $0.stationID = "gone" }
        try record(rig, "middle", daysAgo: 6)
        try record(rig, "newest", daysAgo: 5)
        var configuration = try rig.configuration([DaemonRig.station("fip", record: .always)])
        configuration.storage.leastFree = leastFree
        try rig.beginWithCatalog(configuration)
        #expect(rig.reactor.pump { rig.rebuilds == [true] })
        // The first run of retention begins after 10 s. Until it has ended, a full disk does not begin another.
        rig.live(12)
        rig.run(33)
        #expect(rig.told.map(\.name) == [.recordingStarted] && rig.deleted.isEmpty)
        rig.system.setRoom(0, regains: true)
        rig.run(2)
        if isReachable { #expect(rig.reactor.pump { !rig.deleted.isEmpty }) }
        return rig
    }

    private func record(
        _ rig: DaemonRig, _ name: String, daysAgo age: Int, _ change: (inout Sidecar) -> Void = { _ in }
    ) throws {
        let at = CivilTime(rig.began - .seconds(age * 86_400), utcOffset: 0)
        var sidecar = Sidecar(.complete, at: at, frames: 100, bytes: Int64(Self.size))
        sidecar.recording = name
        sidecar.stationID = "fip"
        change(&sidecar)
        try rig.folder.write("recordings/\(name).mp3", [UInt8](repeating: 1, count: Self.size))
        try rig.folder.write("recordings/\(name).json", sidecar.encoded)
    }

    /// Expects that nothing recorded since the daemon began is missing, and that the recording continues.
    private func expectWhole(_ rig: DaemonRig, seconds: Double) throws {
        let audio = try rig.files.filter { $0.hasPrefix("fip") }.flatMap { try rig.audio($0) }
        let places = try #require(Self.broadcast.stretch(of: audio, startingAt: Self.broadcast.starts))
        // The newest seconds are still on their way to the disk.
        #expect(Double(places.count) * 1152 / 44_100 > seconds - 3, "\(places)")
        #expect(rig.failures == 1 && rig.resumptions == 1)
    }

    @Test("The oldest recordings are deleted, as many as needed, and the recording resumes with nothing lost")
    func oldestDeleted() throws {
        let rig = try full(leastFree: 150_000)
        rig.run(10)
        #expect(rig.deleted == ["oldest", "middle"])
        #expect(rig.files.filter { !$0.hasPrefix("fip") } == ["foreign.mp3", "kept.mp3", "newest.mp3"])
        try expectWhole(rig, seconds: 57)
        // There is room again, so hooks are sent nothing.
        #expect(!rig.told.contains { $0.name == .diskLow })
    }

    @Test("Protected recordings stay even if space remains short, and the low disk is reported once")
    func protectedStay() throws {
        let rig = try full(leastFree: 290_000)
        rig.run(10)
        #expect(rig.deleted.prefix(3) == ["oldest", "middle", "newest"])
        // In the end, finished files of the recording itself are deleted, too.
        rig.live(150, step: 10)
        #expect(rig.resumptions == rig.failures)
        #expect(rig.files.filter { !$0.hasPrefix("fip") } == ["foreign.mp3", "kept.mp3"])
    }

    @Test("A floor that deleting cannot reach deletes nothing, and the low disk is reported once")
    func floorOutOfReach() throws {
        let rig = try full(leastFree: 5_000_000, isReachable: false)
        rig.live(120, step: 10)
        #expect(rig.deleted.isEmpty)
        #expect(rig.told.count { $0.name == .diskLow } == 1 && rig.daemon.isDiskFull)
        // The disk is only low again.
        rig.system.setRoom(3_000_000, regains: true)
        rig.live(10)
        #expect(rig.resumptions == rig.failures && !rig.daemon.isDiskFull)
        #expect(rig.told.count { $0.name == .diskLow || $0.name == .diskWell } == 1)
    }
}

extension DaemonRig {
    /// How many times recordings have found the disk full.
    fileprivate var failures: Int {
        events.count { if case .use(_, UseNotice.recorder(.failing)) = $0 { true } else { false } }
    }

    fileprivate var resumptions: Int {
        events.count { if case .use(_, UseNotice.recorder(.resumed)) = $0 { true } else { false } }
    }
}
