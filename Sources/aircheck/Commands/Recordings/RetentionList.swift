// SPDX-License-Identifier: MIT

import RadioFormats
import Words

/// The output of `aircheck recordings clean`. Pure.
enum RetentionList {
    static func lines(_ answer: JSONValue) -> [String] {
        let deletions = answer["deletions"]?.arrayValue ?? []
        let wait = answer["age_has_to_wait"]?.boolValue == true ? [Wording.ageHasToWait] : []
        guard !deletions.isEmpty else { return wait + ["nothing would be deleted now"] }
        let bytes = deletions.reduce(Int64(0)) { $0 + ($1["bytes"]?.integerValue ?? 0) }
        let total = "\(Measure.count(deletions.count, "recording")), \(Measure.bytes(bytes)) in all"
        return wait + deletions.flatMap(lines(deletion:)) + [total]
    }

    /// A line for each file; the first line has the total size.
    private static func lines(deletion: JSONValue) -> [String] {
        let why = deletion["reason"]?.stringValue.flatMap { reasons[$0] } ?? ""
        let files = (deletion["files"]?.arrayValue ?? []).map { TitleText.cleaned($0.stringValue ?? "") }
        let size = Measure.bytes(deletion["bytes"]?.integerValue ?? 0)
        return files.enumerated().map { index, file in
            guard index == 0 else { return "\(file) (\(why))" }
            return "\(file) (\(why); \(size)\(files.count > 1 ? " in \(files.count) files" : ""))"
        }
    }

    private static let reasons = [
        "age": "too old", "count": "too many", "size": "too large", "space": "less than free-space is free",
    ]
}
