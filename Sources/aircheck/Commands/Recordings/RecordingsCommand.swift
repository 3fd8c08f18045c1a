// SPDX-License-Identifier: MIT

import ArgumentParser

/// `aircheck recordings`: the recordings of a running daemon.
struct RecordingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recordings",
        abstract: "Lists, searches, protects and deletes what 'aircheck serve' has recorded.",
        subcommands: [
            ListRecordings.self, ShowRecording.self, SearchRecordings.self, VerifyRecording.self,
            RecordingLevels.self, ExportRecording.self, ProtectRecording.self,
            UnprotectRecording.self, DeleteRecording.self, CleanRecordings.self, HealRecordings.self,
            RescanRecordings.self,
        ], defaultSubcommand: ListRecordings.self)
}
