// SPDX-License-Identifier: MIT

import Foundation

/// deploy/man.
enum ManualFolder {
    static let path = #filePath.components(separatedBy: "/Tests/CommandLineTests/")[0] + "/deploy/man"

    /// The text of a file there; nil if there is none.
    static func text(_ name: String) -> String? { try? String(contentsOfFile: "\(path)/\(name)", encoding: .utf8) }

    /// The names of the files in a folder there.
    static func names(_ folder: String = "") -> Set<String> {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(path)/\(folder)")) ?? []
        return Set(names.filter { $0 != "sections" })
    }

    /// Makes the folder hold these pages and no others.
    static func write(_ pages: [ManualPage]) throws {
        for stale in names().subtracting(pages.map(\.fileName)) {
            try FileManager.default.removeItem(atPath: "\(path)/\(stale)")
        }
        for page in pages { try page.text.write(toFile: "\(path)/\(page.fileName)", atomically: true, encoding: .utf8) }
    }
}
