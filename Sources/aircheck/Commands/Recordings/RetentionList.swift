// SPDX-License-Identifier: MIT

import RadioFormats
import Words

/// What `aircheck recordings clean` prints. Pure.
enum RetentionList {
    static func lines(_ answer: JSONValue) -> [String] {
        let files = (answer["deletions"]?.arrayValue ?? []).flatMap(lines(deletion:))
        let wait = answer["age_has_to_wait"]?.boolValue == true ? [Wording.ageHasToWait] : []
        return wait + (files.isEmpty ? ["nothing would be deleted now"] : files)
    }

    private static func lines(deletion: JSONValue) -> [String] {
        let why = deletion["reason"]?.stringValue.flatMap { reasons[$0] } ?? ""
        return (deletion["files"]?.arrayValue ?? []).map { "\(TitleText.cleaned($0.stringValue ?? "")) (\(why))" }
    }

    private static let reasons = [
        "age": "too old", "count": "too many", "size": "too large", "space": "the disk is full",
    ]
}
