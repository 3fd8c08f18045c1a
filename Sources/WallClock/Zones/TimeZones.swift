// SPDX-License-Identifier: MIT

import Glibc
import Platform
import RadioCore
import RadioFormats

/// The time zones of the machine's database. Each call reads files, so it blocks. Any thread.
package struct TimeZones: Sendable {
    /// Where C libraries look for the database.
    package static let systemFolders = ["/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/etc/zoneinfo"]

    private let folders: [String]

    /// For each file, uses the first of the folders that contains it.
    package init(folders: [String] = systemFolders) {
        self.folders = folders
    }

    /// Reads a zone, such as `Europe/Berlin`.
    ///
    /// Names are untrusted: they are one or more words of ASCII letters, digits, `+`, `-` and `_` with slashes between
    /// them, so that no name leads out of the folders.
    package func zone(named name: String) throws(ZoneError) -> ZoneFile {
        guard ZoneName.isPlain(name) else { throw .invalidName(name, nearest: nearest(to: name)) }
        for folder in folders {
            let path = "\(folder)/\(name)"
            // One byte more than allowed, so that the parser detects a file that is too long.
            guard let bytes = try bytes(path, most: ZoneRules.longestFile + 1) else { continue }
            do throws(ZoneFlaw) { return try ZoneFile(identifier: name, parsing: bytes) } catch {
                throw .invalid(path, error)
            }
        }
        guard folders.contains(where: { access($0, F_OK) == 0 }) else { throw .noDatabase(folders) }
        throw .unknown(name, nearest: nearest(to: name))
    }

    /// The names of all zones and of links to zones, sorted; empty if the database has no list of names.
    package var known: [String] {
        for folder in folders {
            for list in ZoneList.allCases {
                guard let bytes = try? bytes("\(folder)/\(list.rawValue)", most: ZoneList.longest) else {
                    continue
                }
                let names = list.names(in: bytes).filter(ZoneName.isPlain)
                if !names.isEmpty { return Array(Set(names)).sorted() }
            }
        }
        return []
    }

    /// The known name that was probably meant: a name with a similar spelling, or the zone of a place (`Berlin`). For a
    /// place, case is ignored, and blanks may stand for underscores.
    package func nearest(to name: String) -> String? {
        guard name.utf8.count <= ZoneName.longest else { return nil }
        let known = known
        let wanted = String(name.map { $0 == " " ? "_" : $0 })
        if let nearest = NearestWord.nearest(to: wanted, in: known) { return nearest }
        let place = wanted.lowercased()
        return known.first { $0.lowercased().hasSuffix("/\(place)") }
    }

    /// The first bytes of a file; nil if there is no regular file at `path`.
    private func bytes(_ path: String, most: Int) throws(ZoneError) -> [UInt8]? {
        do throws(PlainFile.Problem) {
            return try PlainFile.read(path, most: most).bytes
        } catch {
            guard case .system(let error) = error else { return nil }
            guard ![ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG].contains(error.number) else { return nil }
            throw .unreadable(path, "\(error)")
        }
    }
}
