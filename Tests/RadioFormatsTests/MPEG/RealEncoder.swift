// SPDX-License-Identifier: MIT

import Foundation

/// Runs the tools that make and read real files, in a temporary folder that is removed with this object.
final class RealEncoder {
    struct Failed: Error, CustomStringConvertible {
        var description: String
    }

    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "aircheck-formats-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Encodes a tone with noise, so that every frame is different, with these options for ffmpeg.
    func encode(_ name: String, seconds: Int, rate: Int, channels: Int, _ options: [String]) throws -> [UInt8] {
        let path = folder.appending(path: name).path
        let noise =
            "anoisesrc=d=\(seconds):r=\(rate):a=0.1:seed=7,aformat=channel_layouts=\(channels == 1 ? "mono" : "stereo")"
        let tone = "sine=f=440:d=\(seconds):r=\(rate)"
        let mix = "[0][1]amix=inputs=2:duration=longest"
        try run(
            "ffmpeg",
            ["-v", "error", "-f", "lavfi", "-i", noise, "-f", "lavfi", "-i", tone, "-filter_complex", mix]
                + ["-ac", "\(channels)", "-ar", "\(rate)"] + options + [path])
        return [UInt8](try Data(contentsOf: URL(filePath: path)))
    }

    func path(_ name: String) -> String { folder.appending(path: name).path }

    func read(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: folder.appending(path: name))) }

    func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        let file = folder.appending(path: name)
        try Data(bytes).write(to: file)
        return file.path
    }

    /// Runs a tool and returns what it wrote to standard output and standard error.
    @discardableResult
    func run(_ tool: String, _ arguments: [String]) throws -> (output: String, errors: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [tool] + arguments
        let files = try ["out", "err"].map { suffix in
            let file = folder.appending(path: "\(UUID().uuidString).\(suffix)")
            try Data().write(to: file)
            return file
        }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: files[0])
        process.standardError = try FileHandle(forWritingTo: files[1])
        try process.run()
        process.waitUntilExit()
        let texts = try files.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
        guard process.terminationStatus == 0 else {
            throw Failed(description: "\(tool) exits with \(process.terminationStatus): \(texts[1])")
        }
        return (texts[0], texts[1])
    }
}
