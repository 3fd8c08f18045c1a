// SPDX-License-Identifier: MIT

import Configuration
import TestSupport
import Testing

@testable import Daemon

/// Settings that are valid but probably a mistake.
struct ConfigurationWarningTests {
    @Test func `only more than the whole disk is more than can be free`() {
        var storage = StorageSettings()
        #expect(ConfigurationWarning.all(for: storage, diskSize: 10).isEmpty)
        storage.leastFree = 10
        #expect(ConfigurationWarning.all(for: storage, diskSize: 10).isEmpty)
        #expect(ConfigurationWarning.all(for: storage, diskSize: nil).isEmpty)
        storage.leastFree = 11
        #expect(ConfigurationWarning.all(for: storage, diskSize: 10) == [.floorAboveDisk(floor: 11, disk: 10)])
    }

    @Test
    func `the disk of a folder that is not there yet is that of the folder above it, and whoever applies it is warned`()
        throws
    {
        let rig = try DaemonRig(["fip": DaemonRig.script()])
        var configuration = try rig.configuration([DaemonRig.station("fip")])
        configuration.storage.recordings = rig.folder.file("not/there/yet")
        configuration.storage.leastFree = .max
        let loaded = try LoadedConfiguration(loading: configuration) { _ in nil }
        guard case .floorAboveDisk(.max, let disk)? = loaded.warnings.first else {
            Issue.record("no warning")
            return
        }
        #expect(loaded.warnings.count == 1 && disk > 1 << 20)
        rig.daemon.apply(loaded)
        rig.daemon.apply(loaded)
        let warned = rig.events.count { if case .doubtful = $0 { true } else { false } }
        #expect(warned == 2)
        configuration.storage.leastFree = 1
        #expect(try LoadedConfiguration(loading: configuration) { _ in nil }.warnings.isEmpty)
    }
}
