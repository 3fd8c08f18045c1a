// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import TestTools

/// The program as a relay, on a port of its own; it runs until it is stopped or the object is released.
struct Relaying: Sendable {
    let process: ChildProcess
    /// The first port on which it listens.
    let port: Int
    /// The addresses that it prints.
    let urls: [String]

    /// Starts the relay and waits until it listens.
    ///
    /// - Parameters:
    ///   - sources: Addresses of one station, or local audio.
    ///   - options: More of the command line; without `--listen` the relay takes a free port of 127.0.0.1.
    ///   - descriptors: How many descriptors the relay may open (`ulimit -n`); if nil, as many as this process.
    /// - Throws: ``SetupError`` if the relay does not listen.
    init(_ sources: [String], _ options: [String] = [], descriptors: Int? = nil) async throws {
        let listen = options.contains("--listen") ? [] : ["--listen", "127.0.0.1:0"]
        let arguments = ["relay"] + sources + options + listen
        if let descriptors {
            let shell = ["-c", "ulimit -n \(descriptors); exec \"$0\" \"$@\"", try aircheckBinary()]
            try await self.init(try ChildProcess("/bin/sh", shell + arguments))
        } else {
            try await self.init(try Aircheck.start(arguments))
        }
    }

    /// Takes a relay that is already started, and waits until it listens.
    init(_ process: ChildProcess) async throws {
        // The line about playlists follows the lines with the addresses, and all of them are printed together.
        _ = try await waitUntil(.seconds(60)) { !process.isRunning || process.errorSoFar.contains(".m3u or .pls") }
        let said = process.errorSoFar
        let urls = said.prefix(upTo: said.firstRange(of: "for programs")?.lowerBound ?? said.startIndex)
            .matches(of: /http:\S+/).map { String($0.output) }
        guard let port = urls.first.flatMap({ URL(string: $0)?.port }) else {
            throw SetupError("the relay does not listen:\n\(said)")
        }
        (self.process, self.port, self.urls) = (process, port, urls)
    }

    /// Waits until the mount has this much audio for listeners.
    func waitForAudio(at path: String = "/live", bytes: Int = 20_000) async throws {
        let (port, process) = (port, process)
        let isHeard = try await waitUntil(.seconds(60)) {
            try !process.isRunning || Loopback.isHeard(port: port, at: path, bytes: bytes, within: .seconds(2))
        }
        guard isHeard, process.isRunning else { throw SetupError("the relay has no audio:\n\(process.errorSoFar)") }
    }

    /// Waits until the relay is connected to its station.
    func waitForStation() async throws {
        let isConnected = try await waitUntil(.seconds(60)) {
            !process.isRunning || process.errorSoFar.contains("connected to")
        }
        guard isConnected, process.isRunning else { throw SetupError("not connected:\n\(process.errorSoFar)") }
    }

    /// Waits until the relay's status page states the format of its audio.
    func waitForFormat() async throws {
        let (port, process) = (port, process)
        let request = Array("GET /status.json HTTP/1.0\r\n\r\n".utf8)
        let isKnown = try await waitUntil(.seconds(60)) {
            let answer = try Loopback.exchange(port: port, request, within: .seconds(5))
            return !process.isRunning || String(decoding: answer, as: UTF8.self).contains("\"audio/")
        }
        guard isKnown, process.isRunning else { throw SetupError("the relay has no audio:\n\(process.errorSoFar)") }
    }

    /// The address of a path for clients, with credentials such as `anna:secret`.
    func url(_ path: String = "/live", credentials: String? = nil) -> String {
        "http://\(credentials.map { "\($0)@" } ?? "")127.0.0.1:\(port)\(path)"
    }

    /// curl's answer for a path.
    func curl(_ path: String = "/live", _ options: String..., seconds: Double? = nil) async throws -> Answer {
        try await Answer(url(path), options, seconds: seconds)
    }

    /// Sends this request, and returns the bytes that the client gets until the server closes.
    func exchange(_ request: String) async throws -> String {
        let port = port
        let bytes = try await onThread {
            try Loopback.exchange(port: port, Array(request.utf8), within: .seconds(30))
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// `/status.json`.
    func status() async throws -> Status { try await curl("/status.json").json(Status.self) }

    /// How many clients listen at present. Blocks for a moment.
    func listenerCount() -> Int? {
        let request = Array("GET /status.json HTTP/1.0\r\n\r\n".utf8)
        guard let answer = try? Loopback.exchange(port: port, request, within: .seconds(5)) else { return nil }
        let text = String(decoding: answer, as: UTF8.self)
        return text.firstMatch(of: /"listeners":\s*(\d+)/).flatMap { Int($0.output.1) }
    }

    /// Whether anybody listens. Blocks for a moment.
    func hasListener() -> Bool { listenerCount() ?? 0 > 0 }

    /// The number of descriptors that the relay has open.
    var descriptors: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process.pid)/fd").count) ?? 0
    }

    /// The seconds of processor time that the relay has used so far (`/proc/[pid]/stat`, proc(5)); nil once it has
    /// ended.
    var processorSeconds: Double? {
        guard let stat = try? bytes(ofFile: "/proc/\(process.pid)/stat") else { return nil }
        // The name in parentheses may contain anything. The two times are the 14th and the 15th value.
        let values = String(decoding: stat, as: UTF8.self).split(separator: ")").last?.split(separator: " ") ?? []
        guard values.count > 12, let user = Double(values[11]), let system = Double(values[12]) else { return nil }
        return (user + system) / Double(sysconf(CInt(_SC_CLK_TCK)))
    }

    /// Ends the relay as a service manager does.
    func stop() async throws -> ChildProcess.Outcome {
        process.terminate()
        return try await process.outcome(within: .seconds(30))
    }

    /// The relay's status, with the members that tests read.
    struct Status: Decodable {
        struct Mount: Decodable {
            let path: String
            let name: String
            let title: String?
            let contentType: String?
            let listeners: Int
            let listenerPeak: Int
            let listenersTotal: Int
            let skips: Int
            let bytes: Int
            let listenerList: [Listener]?
        }

        struct Listener: Decodable {
            let address: String
            let userAgent: String
            let lag: Double
            let skips: Int
        }

        let server: String
        let mounts: [Mount]
    }

    /// The report that the relay prints at its end.
    struct Report: Decodable {
        let urls: [String]
        let seconds: Double
        let mount: Status.Mount
        let reconnects: Int
        let hedges: Int
    }

    /// An answer, as curl got it.
    struct Answer: Sendable {
        let status: Int
        /// The fields by their names in lower case.
        let fields: [String: String]
        let statusLine: String
        let body: [UInt8]
        /// The time from the request to the first byte of the answer.
        let seconds: Double

        var text: String { String(decoding: body, as: UTF8.self) }

        /// With `seconds` curl leaves after that time, which is necessary if the answer has no end.
        init(_ url: String, _ options: [String], seconds: Double? = nil) async throws {
            let folder = try TemporaryFolder()
            let limit = seconds ?? 30
            let outcome = try await ChildProcess(
                .curl,
                [
                    "--silent", "--no-buffer", "--globoff", "--max-time", "\(limit)", "--dump-header",
                    folder.file("head"),
                ]
                    + ["--output", folder.file("body"), "--write-out", "%{time_starttransfer}"] + options + [url]
            ).outcome(within: .seconds(limit + 60))
            let head = String(decoding: (try? folder.read("head")) ?? [], as: UTF8.self)
            let lines = head.split(separator: "\r\n")
            statusLine = lines.first.map(String.init) ?? ""
            guard let status = statusLine.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
                throw SetupError("\(url): no answer, curl \(outcome.ending)")
            }
            self.status = status
            let pairs = lines.dropFirst().compactMap { line -> (String, String)? in
                guard let colon = line.firstIndex(of: ":") else { return nil }
                return (line[..<colon].lowercased(), String(line[line.index(after: colon)...].drop { $0 == " " }))
            }
            fields = Dictionary(pairs) { first, _ in first }
            body = (try? folder.read("body")) ?? []
            self.seconds = Double(outcome.text) ?? 0
        }

        func json<Document: Decodable>(_ type: Document.Type) throws -> Document {
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            return try decoder.decode(type, from: Data(body))
        }
    }
}
