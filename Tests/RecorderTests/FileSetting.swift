// SPDX-License-Identifier: MIT

import Glibc
import RadioCore
import RadioFormats
import TestSupport
import Testing

/// How files are written, and what the file system lacks.
struct FileSetting: Sendable, CustomTestStringConvertible {
    var isPure = false
    var writesSidecars = true
    var format = RecorderRig.format
    /// Whether files go into a folder of their own below the recordings folder.
    var hasFolder = false
    var errors: [String: CInt] = [:]
    /// Whether each song gets a file, in a folder for the station.
    var isBySong = false
    /// Whether the files have an index and levels.
    var hasCompanions = false

    var fileExtension: String { "." + format.fileType.fileExtension }
    var prefix: String { hasFolder ? "FIP/" : "" }
    /// The name of a foreign file: the one that our second file should get.
    var strangeFile: String {
        isBySong ? "FIP/2\(fileExtension)" : "\(prefix)FIP 2026-11-21 08-25-02+0000\(fileExtension)"
    }

    var testDescription: String {
        "\(format.codec)\(isPure ? ", pure" : "")\(writesSidecars ? "" : ", without sidecars")"
            + (hasFolder ? ", in a folder" : "") + (isBySong ? ", by song" : "")
            + (hasCompanions ? ", with an index and levels" : "")
            + errors.keys.sorted().map { ", no \($0)" }.joined()
    }

    private static let noAttributes = ["mark": EOPNOTSUPP, "unmark": EOPNOTSUPP, "isMarked": EOPNOTSUPP]
    private static let noRename = ["rename": EINVAL]

    private static let few = [
        FileSetting(), FileSetting(writesSidecars: false),
        FileSetting(isPure: true, writesSidecars: false, hasFolder: true),
    ]
    static let many =
        few + [
            FileSetting(isPure: true), FileSetting(format: opus, hasFolder: true),
            FileSetting(writesSidecars: false, format: opus), FileSetting(format: RecorderRig.flac),
            FileSetting(isPure: true, writesSidecars: false, format: RecorderRig.flac),
        ]
    /// Every way to write files is used on a file system that can do everything (ext4) and on one without attributes
    /// (FAT). A few ways are used on a file system where no rename spares existing files (NFS 4.2) and on one that
    /// lacks both (NFS 3).
    static let all =
        many + lacking(noAttributes, many) + lacking(noRename, few)
        + lacking(noAttributes.merging(noRename) { $1 }, few)
        + withCompanions + lacking(noAttributes, withCompanions) + lacking(noRename, withCompanions)
        + songs + lacking(noAttributes, songs) + lacking(noRename, songs)

    private static let withCompanions = [
        FileSetting(hasCompanions: true), FileSetting(hasFolder: true, isBySong: true, hasCompanions: true),
    ]
    private static let songs = [
        FileSetting(hasFolder: true, isBySong: true),
        FileSetting(writesSidecars: false, format: opus, hasFolder: true, isBySong: true),
    ]

    private static func lacking(_ errors: [String: CInt], _ settings: [FileSetting]) -> [FileSetting] {
        settings.map { setting in
            var setting = setting
            setting.errors = errors
            return setting
        }
    }

    /// The audio frames of a file.
    func frames(of bytes: [UInt8]) -> [[UInt8]] {
        FramerTranscript(of: [bytes[...]], by: format.container.makeFramer()).frames.map(\.bytes)
    }

    static let opus: StreamFormat = {
        var format = StreamFormat(codec: .opus, sampleRate: 48_000, channels: 2)
        let head = Array("OpusHead".utf8) + [1, 2, 0, 0, 0x80, 0xBB, 0, 0, 0, 0, 0]
        let tags = Array("OpusTags".utf8) + [0, 0, 0, 0, 0, 0, 0, 0]
        format.headerPackets = [head, tags]
        return format
    }()
}
