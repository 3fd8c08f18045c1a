// SPDX-License-Identifier: MIT

import CDemoProgramme
import EventLoop
import HTTPServer
import MediaSources
import RadioCore
import Relay
import Stations

/// Serves the bundled programme as a radio station on loopback.
///
/// The items of the programme are delivered at the speed at which they play. Their audio passes through a hub and a
/// relay to a free local port. These parts also serve real listeners, so a recording of this station takes the usual
/// path.
final class DemoStation {
    /// The URL of the station.
    let url: String
    private let station: Programme
    private let service: HTTPService
    private let mount: Mount

    private static let path = "/demo"
    private static let burst = Duration.seconds(4)

    init(_ reactor: any Reactor) throws(Failure) {
        var info = StationInfo(kind: .live, name: "Aircheck Demo", url: Self.path)
        info.genre = "made by us"
        service = HTTPService(reactor: reactor)
        let address: SocketAddress
        do throws(ListenError) {
            address = try service.listen(SocketAddress(host: .v4(0x7F00_0001), port: 0))
        } catch {
            throw Failure(
                .internal, "the demo station could not listen on this machine: \(error)",
                remedy: "check whether other programs use up this machine's ports")
        }
        url = "http://127.0.0.1:\(address.port)\(Self.path)"
        info.url = url
        station = Programme(Self.items, info: info, repeats: true, ahead: Self.burst, reactor: reactor)
        var settings = MountSettings()
        settings.burst = Self.burst
        settings.flushInterval = .milliseconds(250)
        mount = Mount(Self.path, on: service, reactor: reactor, settings: settings)
        mount.tune(to: station.hub)
        station.start()
    }

    func close() {
        mount.close()
        service.close()
        station.stop()
    }

    private static var items: [MediaItem] {
        (0..<ac_demo_piece_count()).map { index in
            let piece = ac_demo_piece_at(index)
            return MediaItem(
                name: "demo \(index + 1).mp3",
                staticBytes: UnsafeRawBufferPointer(start: piece.bytes, count: piece.length))
        }
    }
}
