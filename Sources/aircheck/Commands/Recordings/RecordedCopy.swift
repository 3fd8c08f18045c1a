// SPDX-License-Identifier: MIT

import RadioFormats

/// A copy of a recording's file, as listed by the daemon.
struct RecordedCopy {
    /// Paths below the recordings folder.
    var path: String
    var original: String

    /// `answer`: the daemon's answer about a recording.
    static func all(in answer: JSONValue) -> [RecordedCopy] {
        answer["copies"].list.map {
            RecordedCopy(path: $0["path"]?.stringValue ?? "", original: $0["original"]?.stringValue ?? "")
        }
    }

    var line: String {
        "\(TitleText.cleaned(path)): a copy of \(TitleText.cleaned(original)), which does not count"
    }
}
