// SPDX-License-Identifier: MIT

import TestSupport
import TestTools
import Testing

struct IcecastServerTests {
    @Test(
        "Icecast serves the programme: a burst of the past, and then what is fed",
        arguments: [
            ReferenceProgramme.Parameters(.mp3(128), seconds: 30), .init(.aac(96), seconds: 30),
        ])
    func serves(_ parameters: ReferenceProgramme.Parameters) async throws {
        let programme = try await ReferenceProgramme.make(parameters)
        let server = try await onThread { try IcecastServer(burst: 16_384) }
        let feeder = try await Feeder.start(programme, to: server, mount: "/radio")
        let received = try await onThread {
            try receive(1 << 16, from: server, mount: "/radio")
        }
        try await onThread { try feeder.stop() }
        #expect(received.head.lowercased().contains("content-type: \(parameters.encoding.contentType)"))
        // The first and the last frame are cut, because the listener joins and leaves within them.
        let report = try programme.checker().check(received.body)
        #expect(report.lost.isEmpty && report.foreign == 0 && report.duplicated.isEmpty, "\(report)")
        #expect(report.places.count > 60 && report.junkBytes < 2 * 1000)
        try await onThread { try server.stop() }
    }

    @Test("Two servers run side by side, and a title can be set and requested")
    func titles() async throws {
        let programme = try await ReferenceProgramme.make(.init(.mp3(128), seconds: 30))
        let servers = try await onThread { try [IcecastServer(), IcecastServer()] }
        #expect(servers[0].port != servers[1].port)
        let feeder = try await Feeder.start(programme, to: servers[0], mount: "/radio")
        let body = try await onThread {
            try servers[0].setTitle("Ärger & Söhne - Blues = \"100 %\"", of: "/radio")
            return try receive(3 << 15, from: servers[0], mount: "/radio", asking: "Icy-MetaData: 1\r\n").body
        }
        #expect(String(decoding: body, as: UTF8.self).contains("StreamTitle='Ärger & Söhne - Blues = \"100 %\"'"))
        #expect(throws: SetupError.self) { try servers[1].setTitle("nobody", of: "/radio") }
        try await onThread { try feeder.stop() }
    }
}

/// The head and at least `count` bytes of body that a listener of a mount gets.
private func receive(
    _ count: Int, from server: IcecastServer, mount: String, asking headers: String = ""
) throws -> (head: String, body: [UInt8]) {
    let descriptor = try Loopback.connect(port: server.port)
    defer { Loopback.close(descriptor) }
    try Loopback.send(Array("GET \(mount) HTTP/1.0\r\n\(headers)\r\n".utf8), to: descriptor)
    let deadline = Deadline(after: .seconds(60))
    var answer: [UInt8] = []
    while answer.count < count, let bytes = try Loopback.receive(from: descriptor, by: deadline), !bytes.isEmpty {
        answer += bytes
    }
    let end = answer.indices.first { answer[$0...].starts(with: [13, 10, 13, 10]) }
    guard let end else { throw SetupError("no head in \(answer.count) bytes") }
    return (String(decoding: answer[..<end], as: UTF8.self), Array(answer[(end + 4)...]))
}
