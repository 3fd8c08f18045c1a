// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import TestTools
import Testing

/// The daemon on a socket of the service manager.
struct ServeActivationTests {
    @Test("A socket that the service manager has opened is served, also after a reload")
    func activated() async throws {
        let programme = Broadcast([.music(.seconds(120))], MPEGShape(128))
        let origin = try ScriptedOrigin(LiveScript(.stream(LiveStream(programme))))
        let station = Serving.station("fip", origin.url("/fip"))
        let serving = try Serving(station)
        let address = "127.0.0.1:\(serving.port)"
        // This tool starts the daemon at the first connection, and accepts none itself.
        try await serving.start(by: [try Tool.socketActivate.path(), "--listen", address])
        func answer() async throws -> ChildProcess.Outcome {
            try await ChildProcess(.curl, ["-sf", "--max-time", "30", "http://\(address)/healthz"]).outcome(
                within: .seconds(40))
        }
        #expect(try await answer().succeeded, "\(serving.log)")
        try serving.configure(station + Serving.station("nova", origin.url("/nova")))
        #expect(try await serving.ask(["reload"]).succeeded)
        #expect(try await answer().succeeded, "\(serving.log)")
        // If the daemon tried to open the address itself, it would find it in use.
        #expect(!serving.log.contains("in use"), "\(serving.log)")
        #expect(try await serving.stop().ending == .exited(0))
    }
}
