// SPDX-License-Identifier: MIT

import Foundation
import TestTools

/// An audio file made by another project.
struct ForeignFile {
    /// The package that contains it.
    let project: String
    /// The path below the package's folder.
    let name: String
    /// The full path.
    let path: String
    let bytes: [UInt8]

    /// The extension in lower case, without the dot.
    var ending: String { name.split(separator: ".").last?.lowercased() ?? "" }
}

extension ForeignFile: CustomStringConvertible {
    var description: String { "\(project): \(name)" }
}

/// The packages of `scripts/foreign-audio`, unpacked below the build folder.
enum ForeignAudio {
    private static let endings: Set = [
        "mp3", "mp2", "mp1", "id3", "aac", "adts", "ogg", "oga", "opus", "spx", "oggflac",
    ]

    /// All files with an extension of audio that Aircheck may be asked to play, in order. Fetches missing packages;
    /// empty if none can be fetched.
    static func files() throws -> [ForeignFile] {
        // The project folder is derived from the path of the built product, which is in .build/TRIPLE/release.
        let product = try builtBinary("aircheck")
        guard let build = product.range(of: "/.build/", options: .backwards) else {
            throw SetupError("\(product) does not lie below .build")
        }
        let root = String(product[..<build.lowerBound])
        let folder = root + "/.build/foreign-audio"
        let fetching = try ChildProcess(root + "/scripts/foreign-audio", [folder]).wait(within: .seconds(1800))
        guard fetching.succeeded else { throw SetupError("scripts/foreign-audio: \(fetching.standardError)") }
        let names = FileManager.default.subpaths(atPath: folder)?.sorted() ?? []
        return try names.compactMap { name in
            let parts = name.split(separator: "/", maxSplits: 1).map(String.init)
            let path = "\(folder)/\(name)"
            guard parts.count == 2, !name.hasPrefix("."),
                endings.contains(name.split(separator: ".").last?.lowercased() ?? ""), isFile(path)
            else { return nil }
            return ForeignFile(
                project: parts[0], name: parts[1], path: path, bytes: try TestTools.bytes(ofFile: path))
        }
    }

    /// Excludes links, which are second names of other files.
    private static func isFile(_ path: String) -> Bool {
        let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        return type == .typeRegular
    }
}
