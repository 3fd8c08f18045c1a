// SPDX-License-Identifier: MIT

import Glibc
import TestSupport

/// A station on a real Icecast with a burst, on air for longer than that, and audible from its first frame on. Ends
/// with the object.
final class SoundStage {
    let url: String
    private let server: IcecastServer
    private let feeder: Feeder
    private let path: String

    /// Longer than a burst of 64 KiB lasts.
    private static let onAir: UInt32 = 6

    init(_ encoding: ReferenceProgramme.Encoding, seconds: Int) throws {
        path = "/station.\(encoding.fileExtension)"
        server = try IcecastServer()
        let programme = try ReferenceProgramme(.init(encoding, seconds: seconds))
        feeder = try Feeder(programme, to: server, mount: path)
        url = server.url(path)
        sleep(Self.onAir)
    }

    /// Milliseconds from a listener's connection to the first byte of audio; the others are the server's affair.
    func firstByte() throws -> Double {
        let time = try ContinuousClock().measure {
            guard try server.isHeard(at: path, bytes: 1) else { throw SetupError("Icecast sends nothing") }
        }
        return time / .milliseconds(1)
    }
}
