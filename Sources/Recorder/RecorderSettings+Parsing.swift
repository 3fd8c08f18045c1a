// SPDX-License-Identifier: MIT

package import RadioCore
import Storage

extension RecorderSettings {
    /// Parses the size that stays free on the disk; nil for the default size.
    package mutating func read(keepFree: String?) throws(SettingFault) {
        floor =
            try keepFree.map { text throws(SettingFault) in
                .bytes(try SettingField.keepFree.read(text, HumanSize.parse))
            } ?? .standard
    }

    /// Parses settings as users write them; nil leaves a setting unchanged.
    package mutating func read(segment: String?, name: String?, titleOffset: String?) throws(SettingFault) {
        if let segment { policy = try SettingField.segment.read(segment, SegmentPolicy.init(parsing:)) }
        if let name { self.name = try SettingField.name.read(name, NameTemplate.init(parsing:)) }
        if let titleOffset { self.titleOffset = try SegmentPlanner.titleOffset(parsing: titleOffset) }
    }
}
