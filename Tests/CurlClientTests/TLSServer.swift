// SPDX-License-Identifier: MIT

import Foundation
import Synchronization

/// An HTTPS server on loopback with its own certificate, both made with the `openssl` command.
final class TLSServer: Sendable {
    /// The host and the period of the certificate.
    struct Certificate: Sendable {
        var name = "IP:127.0.0.1"
        var from = "20200101000000Z"
        var until = "20991231000000Z"
    }

    let port: Int
    /// The authority that signed the certificate (PEM).
    let authority: String
    private let folder: URL
    private let process: Mutex<Process>

    private struct Failure: Error { let words: String }

    /// Makes the authority and the certificate in a temporary folder, and starts the server. `arguments` are added to
    /// the usual arguments of `openssl s_server`, which answers any GET with a page about itself. If there is an
    /// `answer`, a GET of `/answer` gets this text instead, which includes the head.
    init(_ certificate: Certificate = Certificate(), arguments: [String] = [], answer: String? = nil) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("aircheck-tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        authority = folder.appendingPathComponent("authority.pem").path
        try Self.makeCertificates(certificate, in: folder)
        try answer?.write(to: folder.appendingPathComponent("answer"), atomically: true, encoding: .utf8)
        let arguments = arguments + (answer == nil ? [] : ["-HTTP"])
        let server = try Self.launch(
            "openssl",
            ["s_server", "-accept", "127.0.0.1:0", "-www", "-cert", "cert.pem", "-key", "key.pem"] + arguments,
            in: folder)
        process = Mutex(server.process)
        var lines = ""
        // openssl prints its address before it accepts connections: "ACCEPT 127.0.0.1:12345".
        while !lines.contains(/ACCEPT \S+:\d+\n/) {
            let data = server.output.availableData
            guard !data.isEmpty else { throw Failure(words: "openssl s_server ended: \(lines)") }
            lines += String(decoding: data, as: UTF8.self)
        }
        port = Int(lines.firstMatch(of: /ACCEPT \S+:(\d+)\n/)?.1 ?? "") ?? 0
    }

    func url(_ path: String = "/") -> String { "https://127.0.0.1:\(port)\(path)" }

    func stop() {
        process.withLock {
            // The server inherits a signal mask in which SIGTERM is blocked, so only SIGKILL ends it.
            kill($0.processIdentifier, SIGKILL)
            $0.waitUntilExit()
        }
        try? FileManager.default.removeItem(at: folder)
    }

    private static func makeCertificates(_ certificate: Certificate, in folder: URL) throws {
        let configuration = """
            [ca]
            default_ca = own
            [own]
            database = \(folder.path)/index.txt
            serial = \(folder.path)/serial
            new_certs_dir = \(folder.path)
            default_md = sha256
            policy = any
            x509_extensions = server
            [any]
            commonName = supplied
            [server]
            subjectAltName = \(certificate.name)
            """
        try configuration.write(to: folder.appendingPathComponent("ca.conf"), atomically: true, encoding: .utf8)
        try "".write(to: folder.appendingPathComponent("index.txt"), atomically: true, encoding: .utf8)
        try "01".write(to: folder.appendingPathComponent("serial"), atomically: true, encoding: .utf8)
        let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        try run(
            ["req", "-x509"] + newKey + [
                "-keyout", "authority.key", "-out", "authority.pem", "-days", "3650", "-subj", "/CN=Test Authority",
            ], in: folder)
        try run(["req"] + newKey + ["-keyout", "key.pem", "-out", "request.pem", "-subj", "/CN=station"], in: folder)
        try run(
            [
                "ca", "-batch", "-config", "ca.conf", "-in", "request.pem", "-out", "cert.pem", "-notext",
                "-cert", "authority.pem", "-keyfile", "authority.key",
                "-startdate", certificate.from, "-enddate", certificate.until,
            ], in: folder)
    }

    private static func run(_ arguments: [String], in folder: URL) throws {
        let started = try launch("openssl", arguments, in: folder)
        let output = started.output.readDataToEndOfFile()
        started.process.waitUntilExit()
        guard started.process.terminationStatus == 0 else {
            throw Failure(words: "openssl \(arguments): \(String(decoding: output, as: UTF8.self))")
        }
    }

    private static func launch(
        _ name: String, _ arguments: [String], in folder: URL
    ) throws -> (process: Process, output: FileHandle) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [name] + arguments
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        return (process, pipe.fileHandleForReading)
    }
}
