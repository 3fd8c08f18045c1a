// SPDX-License-Identifier: MIT

import ArgumentParser

/// The recording that a command changes.
struct RecordingArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp("The recording's ID, or that of one of its files.", valueName: "id"), completion: .recordings
    )
    var id: String
}
