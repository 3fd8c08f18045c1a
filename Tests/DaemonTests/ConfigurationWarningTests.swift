// SPDX-License-Identifier: MIT

import Configuration
import Storage
import TestSupport
import TestTools
import Testing

@testable import Daemon

/// Settings that are valid but probably a mistake.
struct ConfigurationWarningTests {
    @Test("A limit for free space is warned of only if it exceeds the size of the disk") func floorAboveDisk() {
        var storage = StorageSettings()
        #expect(ConfigurationWarning.all(for: storage, diskSize: 10).isEmpty)
        storage.leastFree = 10
        #expect(ConfigurationWarning.all(for: storage, diskSize: 10).isEmpty)
        #expect(ConfigurationWarning.all(for: storage, diskSize: nil).isEmpty)
        storage.leastFree = 11
        #expect(
            ConfigurationWarning.all(for: storage, diskSize: 10) == [.floorAboveDisk(floor: 11, disk: 10, line: nil)])
    }

    @Test("A folder that does not exist yet is on the disk of its parent, and applying the configuration warns")
    func missingFolder() throws {
        let rig = try DaemonRig(["fip": DaemonRig.script()])
        var configuration = try rig.configuration([DaemonRig.station("fip")])
        configuration.storage.recordings = rig.folder.file("not/there/yet")
        configuration.storage.leastFree = .max
        guard case .floorAboveDisk(.max, let disk, nil)? = ConfigurationWarning.all(for: configuration.storage).first
        else { throw SetupError("no warning") }
        #expect(disk > 1 << 20)
        try rig.openCatalog(configuration)
        let warned = { rig.events.count { if case .doubtful = $0 { true } else { false } } }
        for _ in 0..<2 { rig.daemon.apply(LoadedConfiguration(configuration)) }
        #expect(rig.waitForCatalog())
        rig.pass(.zero)
        #expect(warned() == 2)
        configuration.storage.leastFree = 1
        rig.daemon.apply(LoadedConfiguration(configuration))
        #expect(rig.waitForCatalog())
        rig.pass(.zero)
        #expect(warned() == 2)
    }

    @Test("D33: A daemon whose folder has that of another daemon says so once") func innerFolder() throws {
        let rig = try DaemonRig([:])
        let configuration = try rig.configuration([])
        let storage = configuration.storage
        for name in ["state", "other"] { try rig.folder.make(name) }
        let locks = (try StateLock(folder: storage.state), try StateLock(folder: rig.folder.file("other")))
        try RecordingsOwner.take("\(storage.recordings)/inner", state: rig.folder.file("other"))
        try RecordingsOwner.take(storage.recordings, state: storage.state)
        try rig.openCatalog(configuration)
        rig.apply(configuration)
        rig.apply(configuration)
        #expect(rig.waitForCatalog())
        rig.run(1)
        let warnings = rig.events.compactMap { event -> ConfigurationWarning? in
            if case .doubtful(let warning) = event { warning } else { nil }
        }
        let expected = ConfigurationWarning.innerFolder(
            "\(storage.recordings)/inner", state: rig.folder.file("other"))
        #expect(warnings == [expected])
        withExtendedLifetime(locks) {}
    }
}
