// SPDX-License-Identifier: MIT

package import Configuration
package import RadioCore
import Storage

/// A setting that is valid but probably a mistake.
///
/// Such a setting is not a fault of the configuration: the disk of the recordings may only be unmounted, and the daemon
/// must record all the same.
package enum ConfigurationWarning: Hashable, Sendable {
    /// The free space to be kept (`floor`) exceeds the size of the whole disk (`disk`). Both are in bytes. `line`: the
    /// line of the setting; nil if unknown.
    case floorAboveDisk(floor: Int64, disk: Int64, line: Int?)
    /// A folder inside the recordings folder belongs to the daemon with this state folder, so it is left alone.
    case innerFolder(String, state: String)
    /// A setting that is probably a mistake, with its place in the file.
    case setting(ConfigurationFault)

    /// The folders of other daemons inside the recordings folder. The call blocks on its disk.
    static func innerFolders(of configuration: Configuration) -> [ConfigurationWarning] {
        RecordingsOwner.inner(of: configuration.storage.recordings, depth: configuration.folderDepth).map {
            .innerFolder($0, state: $1)
        }
    }

    /// The warnings about a configuration. `today`: the present date; nil if the clock is not set. The call blocks on
    /// the disks of the files that settings name.
    package static func all(for configuration: Configuration, today: CalendarDate?) -> [ConfigurationWarning] {
        let unmet = configuration.notes.expectations.compactMap { $0.fault(today: today ?? .first) }
        let settings = (configuration.notes.doubts + unmet).sorted { ($0.line, $0.column) < ($1.line, $1.column) }
        let line = configuration.notes.expectations.first { $0.kind == .diskAboveFloor }?.position.line
        return settings.map { .setting($0) } + all(for: configuration.storage, line: line)
    }

    /// The warnings about a configuration. The call blocks on the recordings' disk, if any warning depends on it.
    static func all(for storage: StorageSettings, line: Int? = nil) -> [ConfigurationWarning] {
        guard storage.leastFree != nil else { return [] }
        return all(for: storage, diskSize: DiskSpace(ofDiskAt: storage.recordings)?.size, line: line)
    }

    /// The warnings about a configuration, given the size of the recordings' disk in bytes; `diskSize` is nil if the
    /// size is unknown.
    static func all(for storage: StorageSettings, diskSize: Int64?, line: Int? = nil) -> [ConfigurationWarning] {
        guard let floor = storage.leastFree, let diskSize, floor > diskSize else { return [] }
        return [.floorAboveDisk(floor: floor, disk: diskSize, line: line)]
    }
}
