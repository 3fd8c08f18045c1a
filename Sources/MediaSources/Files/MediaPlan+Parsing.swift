// SPDX-License-Identifier: MIT

import Glibc
package import RadioCore
import RadioFormats

extension MediaPlan {
    /// Parses sources: files, folders and playlists of files, which must exist; or `-`, alone, for standard input.
    /// `seed` is the seed for shuffling.
    package init(
        parsing sources: [String], shuffle: Bool = false, once: Bool = false, seed: UInt64 = 0,
        as field: SettingField = .source
    ) throws(SettingFault) {
        guard !sources.contains("-") else {
            guard sources.count == 1 else { throw SettingFault(field, "standard input (-) must be the only source") }
            if shuffle || once {
                throw SettingFault(shuffle ? .shuffle : .once, "only for files; standard input is played as it arrives")
            }
            self.init(.standardInput, repeats: false)
            return
        }
        for path in sources where access(path.pathBytes, F_OK) != 0 {
            throw SettingFault(
                field,
                "'\(path)' is neither a file or folder here nor an address, which begins with http:// or https://")
        }
        self.init(.paths(sources), shuffleSeed: shuffle ? seed : nil, repeats: !once)
    }
}
