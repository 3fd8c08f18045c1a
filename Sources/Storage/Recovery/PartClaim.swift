// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats

/// The mark that identifies a `.part` file as ours. Browsers and other programs also name their downloads `.part`, and
/// may be downloading one of our recordings: recovery only touches files that were begun here and are not complete.
///
/// The mark is an extended attribute. The file has it from before it is named `.part` until it has its final name, and
/// copies of the file do not inherit it by default. A sidecar of the same name that says `growing` identifies the file,
/// too; on a file system without attributes, each file has such a sidecar while it grows. The content proves nothing,
/// because complete recordings begin in the same way as growing recordings.
///
/// The value of the attribute is the file's sidecar without titles and, if it is too long, without other events. So the
/// file keeps its place in its recording even if somebody renames it, or removes its sidecar, while it grows.
struct PartClaim {
    /// The sidecar of the growing file; nil if it had none, or one too long for an attribute.
    let sidecar: Sidecar?

    private static let attribute = "user.aircheck"
    /// Some file systems have only a block of 4 KiB for all attributes of a file.
    private static let longest = 3 << 10

    /// The claim on a file; nil if the file has no mark.
    init?(on descriptor: CInt, _ system: any FileSystemCalls) {
        guard let value = try? system.mark(of: descriptor, Self.attribute, atMost: Self.longest) else { return nil }
        sidecar = Sidecar(parsing: value)
    }

    /// Marks a growing file. `sidecar`: the file's sidecar; nil for none. Returns false if the mark does not say all
    /// but titles, so that a sidecar is needed: it is too long, or the file system does not support marks.
    static func mark(_ descriptor: CInt, _ sidecar: [UInt8]?, _ system: any FileSystemCalls) -> Bool {
        let sidecar = sidecar.flatMap(Sidecar.init(parsing:))
        let values = [sidecar?.withoutTitles, sidecar?.withoutEvents].compactMap { $0?.json.encoded(.compact) }
        for (index, value) in values.enumerated() where value.count <= longest {
            if (try? system.mark(descriptor, attribute, value)) != nil { return index == 0 }
        }
        return (try? system.mark(descriptor, attribute, [])) != nil && sidecar == nil
    }

    /// Removes the mark from a file that has its final name.
    static func unmark(_ descriptor: CInt, _ system: any FileSystemCalls) {
        try? system.unmark(descriptor, attribute)
    }
}

extension Sidecar {
    fileprivate var withoutTitles: Sidecar {
        var sidecar = self
        sidecar.titles = []
        return sidecar
    }

    fileprivate var withoutEvents: Sidecar {
        var sidecar = withoutTitles
        (sidecar.gaps, sidecar.splices) = ([], [])
        sidecar.stretches = Sidecar.Stretches()
        return sidecar
    }
}
