// SPDX-License-Identifier: MIT

import ArgumentParser
import Glibc
import TestTools
import Testing

@testable import aircheck

/// The help texts equal the golden files, which `RECORD_GOLDEN=1 make suite TARGETS=CommandLineTests` writes again.
struct HelpTests {
    private static let names = [
        "aircheck", "record", "relay", "play", "probe", "demo", "password", "serve", "check", "add", "status",
        "schedule",
        "reload", "stop", "skip", "hooks", "recordings", "repair",
    ]

    @Test("The help of each command equals its golden file", arguments: Self.names)
    func golden(name: String) throws {
        let text = Self.help(name) + "\n"
        let path = "\(Self.folder)/\(name).txt"
        if getenv("RECORD_GOLDEN") != nil {
            try Self.write(text, to: path)
        } else {
            let golden = String(decoding: try bytes(ofFile: path), as: UTF8.self)
            #expect(text == golden)
        }
    }

    @Test("The help fits on a terminal of 80 columns", arguments: Self.names)
    func terminalWidth(name: String) {
        for line in Self.help(name).split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    }

    private static func help(_ name: String) -> String {
        switch name {
        case "record": Aircheck.helpMessage(for: RecordCommand.self, columns: 80)
        case "relay": Aircheck.helpMessage(for: RelayCommand.self, columns: 80)
        case "probe": Aircheck.helpMessage(for: ProbeCommand.self, columns: 80)
        case "play": Aircheck.helpMessage(for: PlayCommand.self, columns: 80)
        case "demo": Aircheck.helpMessage(for: DemoCommand.self, columns: 80)
        case "serve": Aircheck.helpMessage(for: ServeCommand.self, columns: 80)
        case "check": Aircheck.helpMessage(for: CheckCommand.self, columns: 80)
        case "add": Aircheck.helpMessage(for: AddCommand.self, columns: 80)
        case "status": Aircheck.helpMessage(for: StatusCommand.self, columns: 80)
        case "schedule": Aircheck.helpMessage(for: ScheduleCommand.self, columns: 80)
        case "reload": Aircheck.helpMessage(for: ReloadCommand.self, columns: 80)
        case "stop": Aircheck.helpMessage(for: StopCommand.self, columns: 80)
        case "skip": Aircheck.helpMessage(for: SkipCommand.self, columns: 80)
        case "hooks": Aircheck.helpMessage(for: TestHooks.self, columns: 80)
        case "repair": Aircheck.helpMessage(for: RepairCommand.self, columns: 80)
        case "recordings": Aircheck.helpMessage(for: RecordingsCommand.self, columns: 80)
        case "password": Aircheck.helpMessage(for: PasswordCommand.self, columns: 80)
        default: Aircheck.helpMessage(columns: 80)
        }
    }

    private static let folder = #filePath.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/Golden"

    private static func write(_ text: String, to path: String) throws {
        guard let file = fopen(path, "w") else { throw SetupError("cannot write \(path)") }
        fputs(text, file)
        fclose(file)
    }
}
