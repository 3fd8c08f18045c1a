// SPDX-License-Identifier: MIT

import ArgumentParser
import CurlClient
import Engine
import Glibc
import HTTPServer
import MediaSources
import Stations

/// What `relay` is to serve: addresses of a station, or what lies on this machine.
struct RelaySource: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            """
            The station's address, and its mirrors; or a file, a folder or a playlist of files, or - for standard input.
            """, valueName: "source"))
    var sources: [String]

    @Flag(help: "Play the files in another order each time round.")
    var shuffle = false

    @Flag(help: "Play the files once instead of for ever.")
    var once = false

    /// What cannot be had a second time.
    var isPlayedOnce: Bool { once || sources.contains("-") }

    /// `station` is how an address would be reached; `ahead` is how much of files is at hand for who comes first.
    func spec(_ station: StationOptions, giveUp: Duration, ahead: Duration) throws -> ProgrammeSpec {
        let addresses = sources.filter { $0.contains("://") }
        if !addresses.isEmpty {
            guard addresses.count == sources.count else {
                throw ValidationError("Addresses and files cannot be mixed.")
            }
            try refuse("are for files; a station has its own order")
            return .station(try station.settings(sources, giveUp: giveUp))
        }
        return .media(try plan(), ahead: ahead)
    }

    /// What is heard while the station is away. The user's header fields are the station's alone.
    static func fallback(_ source: String, _ station: StationOptions, ahead: Duration) throws -> ProgrammeSpec {
        guard source != "-" else {
            throw ValidationError("--fallback: standard input (-) cannot be played a second time.")
        }
        guard !source.contains("://") else {
            var settings = try station.settings([source], giveUp: nil)
            settings.headers = []
            return .station(settings)
        }
        try requireFile(source)
        return .media(MediaPlan(.paths([source]), repeats: true), ahead: ahead)
    }

    /// A relay of itself would hear nothing but itself.
    func refuseOwn(_ listeners: [SocketAddress], fallback: String? = nil) throws {
        for source in sources + [fallback].compactMap(\.self) where source.contains("://") {
            guard let address = SocketAddress(ofURL: source), listeners.contains(where: address.isAnswered) else {
                continue
            }
            throw ValidationError(
                """
                '\(redactedURL(source))' is where this relay itself would listen: give the station's own address, or \
                another port with --listen.
                """)
        }
    }

    private func plan() throws -> MediaPlan {
        if sources.contains("-") {
            guard sources.count == 1 else { throw ValidationError("Standard input (-) is played on its own.") }
            try refuse("are for files; standard input is played as it comes")
            return MediaPlan(.standardInput, repeats: false)
        }
        for path in sources { try Self.requireFile(path) }
        return MediaPlan(
            .paths(sources), shuffleSeed: shuffle ? UInt64.random(in: .min ... .max) : nil, repeats: !once)
    }

    private static func requireFile(_ path: String) throws {
        guard access(path, F_OK) != 0 else { return }
        throw ValidationError(
            "'\(path)' is neither a file or folder here nor an address, which begins with http:// or https://.")
    }

    private func refuse(_ reason: String) throws {
        if shuffle || once { throw ValidationError("--shuffle and --once \(reason).") }
    }
}
