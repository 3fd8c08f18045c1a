// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import TestTools
import Testing

/// The program under test, run as people run it.
enum Aircheck {
    /// Starts the program; it runs until it ends or the object is released.
    static func start(
        _ arguments: [String], environment: [String: String] = [:], directory: String? = nil
    ) throws -> ChildProcess {
        try ChildProcess(try aircheckBinary(), arguments, environment: environment, directory: directory)
    }

    /// Runs the program to its end.
    static func run(
        _ arguments: [String], environment: [String: String] = [:], directory: String? = nil,
        within limit: Duration = .seconds(60)
    ) async throws -> ChildProcess.Outcome {
        try await start(arguments, environment: environment, directory: directory).outcome(within: limit)
    }
}

/// The output of `record --json`, with the members that tests read.
struct Report: Decodable {
    struct Segment: Decodable {
        let file: String
        let at: String
        let seconds: Double
        let frames: Int
        let bytes: Int

        /// Whether other programs can recognise the file. ffmpeg needs more than a few frames, and a file that begins
        /// just before the end of the recording has only a few.
        var isLongEnoughToProbe: Bool { frames >= 16 }
    }

    struct Gap: Decodable, Equatable {
        let at: String
        let seconds: Double?
        let cause: String
        let `class`: String?
        let remedy: String?
        let tried: [String]
        let position: Int
    }

    struct Splice: Decodable {
        let at: String
        let droppedFrames: Int
        let by: String
    }

    struct Foreign: Decodable {
        let at: String
        let seconds: Double
    }

    struct Title: Decodable {
        let at: String
        let position: Int
        let title: String
    }

    struct Failure: Decodable {
        let `class`: String
        let message: String
        let remedy: String
    }

    let files: [String]
    let segments: [Segment]
    let frames: Int
    let bytes: Int
    let seconds: Double
    let reconnects: Int
    let hedges: Int
    let splices: [Splice]
    let gaps: [Gap]
    let foreign: [Foreign]
    let titles: [Title]
    let error: Failure?

    /// Records into a folder, which must end well.
    init(
        of folder: TemporaryFolder, _ arguments: String..., location: SourceLocation = #_sourceLocation
    ) async throws {
        let outcome = try await Aircheck.run(["record"] + arguments + ["--json", "--output", folder.path])
        #expect(outcome.ending == .exited(0), "\(outcome.standardError)", sourceLocation: location)
        try self.init(outcome)
    }

    /// Reads what a process printed, which must be one object and nothing else.
    init(_ outcome: ChildProcess.Outcome) throws {
        do {
            self = try outcome.json(Report.self)
        } catch {
            throw SetupError("no report: \(error)\n\(outcome.text)\n\(outcome.standardError)")
        }
    }
}

/// The output of `play --json`, with the members that tests read.
struct Played: Decodable {
    struct Item: Decodable {
        let source: String
        let title: String?
        let ended: String
        let seconds: Double
    }

    let seconds: Double
    let ended: String
    let breaks: Int
    let items: [Item]?
    let error: Report.Failure?
}

/// The output of `record --play --json`, with the members that tests read.
struct PlayedRecording: Decodable {
    let files: [String]
    let frames: Int
    let gaps: [Report.Gap]
    let error: Report.Failure?
    let player: Played
}

/// A sidecar, with the members that tests read.
struct SidecarDocument: Decodable {
    let frames: Int
    let bytes: Int
    let seconds: Double
    let state: String
    let gaps: [Report.Gap]
    let splices: [Report.Splice]
    let foreign: [Report.Foreign]
    let titles: [Report.Title]
    let previous: String?
    let next: String?
    let wholeSong: Bool?

    /// Reads the sidecar of an audio file.
    init(ofAudio path: String) throws {
        let url = URL(fileURLWithPath: path).deletingPathExtension().appendingPathExtension("json")
        self = try decode(SidecarDocument.self, try TestTools.bytes(ofFile: url.path))
    }
}

extension ChildProcess.Outcome {
    /// Standard output as one JSON object.
    func json<Document: Decodable>(_ type: Document.Type) throws -> Document {
        try decode(type, standardOutput)
    }
}

private func decode<Document: Decodable>(_ type: Document.Type, _ bytes: [UInt8]) throws -> Document {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(type, from: Data(bytes))
}
