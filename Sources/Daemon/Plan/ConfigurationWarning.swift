// SPDX-License-Identifier: MIT

package import Configuration
import Storage

/// A setting that is valid but probably a mistake. A value.
///
/// It is no fault, because the disk of the recordings may be away, and the daemon has to record all the same.
package enum ConfigurationWarning: Hashable, Sendable {
    /// The free space to be kept (`floor`) is larger than the whole disk. In bytes.
    case floorAboveDisk(floor: Int64, disk: Int64)

    /// The warnings about a configuration. Blocks for the recordings' disk, if anything depends on it.
    package static func all(for storage: StorageSettings) -> [ConfigurationWarning] {
        guard storage.leastFree != nil else { return [] }
        return all(for: storage, diskSize: DiskSize.bytes(ofDiskAt: storage.recordings))
    }

    /// The same; `diskSize`: that of the recordings' disk, nil if unknown.
    static func all(for storage: StorageSettings, diskSize: Int64?) -> [ConfigurationWarning] {
        guard let floor = storage.leastFree, let diskSize, floor > diskSize else { return [] }
        return [.floorAboveDisk(floor: floor, disk: diskSize)]
    }
}
