// SPDX-License-Identifier: MIT

import ArgumentParser
import Configuration
import Control
import Daemon
import Glibc
import RadioCore
import WallClock

/// `aircheck serve`: the daemon.
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Records, schedules and relays all stations of a configuration file, until it is stopped.",
        discussion: """
            config.example.toml shows all settings; 'aircheck check' says whether a file is right, and \
            'aircheck reload' makes a running daemon read it again.
            """)

    @OptionGroup var file: ConfigurationOptions

    @Option(
        help: ArgumentHelp(
            """
            Where to create the socket for 'aircheck status' and others. Default: aircheck.sock in \
            $RUNTIME_DIRECTORY, else where those commands look for it
            """, valueName: "path"), completion: .file())
    var socket: String?

    func run() throws {
        let path = file.path
        let configuration: LoadedConfiguration
        switch Self.load(path) {
        case .success(let loaded): configuration = loaded
        case .failure(let error):
            Self.say(error.lines(of: path))
            throw ExitStatus.configuration.code
        }
        var run = try ServeRun(configuration, path: path, socket: socket)
        try run.run()
    }

    /// Why a configuration cannot be used.
    enum LoadError: Error {
        case faults(ConfigurationError)
        /// A file that the configuration names cannot be used.
        case other(SettingFault)

        /// The lines that say what is wrong. `asAgain`: whether a running daemon is reading the file again.
        func lines(of path: String, asAgain: Bool = false) -> [String] {
            switch self {
            case .faults(let error): asAgain ? error.lines(of: path, missing: "put it back") : error.lines(of: path)
            case .other(let fault): ["\(path): \(fault)"]
            }
        }
    }

    /// Prints the lines like `aircheck check`. In the journal, logs them as errors, so that a search for errors shows
    /// why the service does not start.
    private static func say(_ lines: [String]) {
        if StandardError.isJournal {
            let log = DaemonLog(LogSettings(), zone: LocalZone())
            for line in lines { log.write(error: line) }
        } else {
            var console = Console()
            for line in lines { console.say(line) }
        }
    }

    /// Reads the configuration file and the files that it names. Any thread. The call blocks.
    static func load(_ path: String) -> Result<LoadedConfiguration, LoadError> {
        switch ConfigurationFile.read(path, ConfigurationOptions.context) {
        case .failure(let error): return .failure(.faults(error))
        case .success(let configuration):
            do throws(SettingFault) {
                let zones = TimeZones()
                return .success(
                    try LoadedConfiguration(loading: configuration) { try? zones.zone(named: $0) })
            } catch {
                return .failure(.other(error))
            }
        }
    }
}
