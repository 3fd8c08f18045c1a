// SPDX-License-Identifier: MIT

import Foundation

/// The folder deploy/man, which holds the manual pages.
enum ManualFolder {
    static let path = #filePath.components(separatedBy: "/Tests/CommandLineTests/")[0] + "/deploy/man"

    /// The text of a file in the folder; nil if the file cannot be read.
    static func text(_ name: String) -> String? { try? String(contentsOfFile: "\(path)/\(name)", encoding: .utf8) }

    /// The names of the files in a subfolder, or in the folder itself.
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
