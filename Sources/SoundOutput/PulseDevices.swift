// SPDX-License-Identifier: MIT

package import Instants
import Platform

/// The devices of a sound server.
package enum PulseDevices {
    /// Asks a server for its devices, for a command that prints them and ends. The call blocks until the deadline at
    /// most.
    ///
    /// - Parameters:
    ///   - server: The server's address; nil for the server that libpulse finds.
    ///   - deadline: When to give up.
    /// - Returns: All devices, in the server's order.
    /// - Throws: ``SoundError`` if the library is missing, or the server does not list its devices by the deadline.
    package static func list(server: String?, deadline: MonotonicInstant) throws(SoundError) -> [SoundDevice] {
        try PulseLibrary.open()
        guard let waker = try? Waker(), let loop = PulseLoop(waker: waker) else {
            throw .noServer("no descriptors are left")
        }
        var settings = PulseSettings()
        settings.server = server
        let connection: PulseConnection
        do throws(PulseFailure) {
            connection = try PulseConnection(loop: loop, settings: settings)
        } catch {
            throw .noServer(error.words)
        }
        return try answer(of: connection, on: loop, deadline: deadline)
    }

    private static func answer(
        of connection: PulseConnection, on loop: PulseLoop, deadline: MonotonicInstant
    ) throws(SoundError) -> [SoundDevice] {
        var devices: [SoundDevice] = []
        while true {
            while let signal = connection.take() {
                switch signal {
                case .ready: connection.list()
                case .failed: throw .noServer(connection.failure.words)
                case .device(let device): devices.append(device)
                case .devicesEnd(let error):
                    guard error == 0 else { throw .refused(PulseLibrary.words(for: error)) }
                    return devices
                case .sinkInputChanged, .volume: break
                }
            }
            guard MonotonicInstant.read() < deadline else { throw .hangs }
            loop.turn(until: deadline)
        }
    }
}
