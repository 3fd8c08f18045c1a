// SPDX-License-Identifier: MIT

import TestSupport

/// Audio files of other projects: the frames that Aircheck finds in them are those that ffprobe lists.
struct ForeignFiles: SoakCase {
    let name = "foreign-files"
    let hazard = "B45"

    func run(_ plan: SoakPlan) throws -> String {
        let files = try ForeignAudio.files()
        var exact = 0
        for file in files {
            let listed = try ListedFile(file.path)
            let played = try PlayedFile(file.name, file.bytes)
            let a = listed.units, b = played.units
            let isOgg = listed.container == "ogg"
            let d = b.map { isOgg ? [$0.size, Int($0.checksum)] : [$0.offset, $0.size, Int($0.checksum)] }
                .difference(from: a.map { isOgg ? [$0.size, Int($0.checksum)] : [$0.offset, $0.size, Int($0.checksum)] })
            if d.isEmpty, !a.isEmpty { exact += 1 } else {
                print("\(file) [\(file.bytes.count)]: \(listed.container) \(listed.codec) listed \(a.count) played \(b.count) \(played.refusal ?? "") \(played.formats.map(\.codec))")
                for c in d.prefix(12) {
                    switch c {
                    case .remove(let o, let e, _): print("    listed only \(o): \(a[o]) \(e)")
                    case .insert(let o, let e, _): print("    played only \(o): \(b[o]) \(e)")
                    }
                }
            }
            let c = zip(a, b).enumerated().filter { $0.1.0.samples != $0.1.1.samples }
            if a.count == b.count, !c.isEmpty { print("\(file): durations \(c.prefix(4)) \(c.count) of \(a.count)") }
        }
        return "\(files.count) files, \(exact) exact"
    }
}
