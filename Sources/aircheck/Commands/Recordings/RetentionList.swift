// SPDX-License-Identifier: MIT

import Daemon
import RadioFormats
import Words

/// The output of `aircheck recordings clean`. Pure.
enum RetentionList {
    static func lines(_ answer: JSONValue) -> [String] {
        let deletions = answer["deletions"].list
        var wait = answer["age_has_to_wait"]?.boolValue == true ? [Wording.ageHasToWait] : []
        if answer["out_of_reach"]?.boolValue == true { wait.append(outOfReach(answer["floor"])) }
        if let time = time(answer) { wait.append("the rules have changed, so some of these wait until \(time)") }
        guard !deletions.isEmpty else { return wait + ["nothing would be deleted now"] }
        let bytes = deletions.reduce(Int64(0)) { $0 + ($1["bytes"]?.integerValue ?? 0) }
        let files = deletions.reduce(0) { $0 + ($1["files"]?.arrayValue?.count ?? 0) }
        let total = "\(Measure.count(files, "file")), \(Measure.bytes(bytes)) in all"
        return wait + deletions.flatMap(lines(deletion:)) + [total]
    }

    /// What rules delete: an answer of ``CatalogJSON/foreseen(_:)``. No lines if they delete nothing. `isApplied`:
    /// whether a daemon uses the rules already.
    static func forecast(_ answer: JSONValue, isApplied: Bool = true) -> [String] {
        var lines: [String] = []
        if answer["out_of_reach"]?.boolValue == true { lines.append("warning: \(outOfReach(answer["free_space"]))") }
        let count = answer["files"]?.integerValue ?? 0
        guard count > 0 else { return lines }
        let size = Measure.bytes(answer["bytes"]?.integerValue ?? 0)
        let what = "\(Measure.count(Int(clamping: count), "file")) (\(size)) will be deleted"
        guard isApplied else { return lines + ["\(what) once a daemon uses this file"] }
        lines.append(
            time(answer).map {
                "\(what), those that the old rules kept not before \($0): until then, correct the rules, or protect "
                    + "recordings; 'aircheck reload --now' does not wait"
            } ?? "\(what) within minutes")
        lines.append("'aircheck recordings clean' lists them")
        return lines
    }

    private static func outOfReach(_ floor: JSONValue?) -> String {
        Wording.outOfReach(floor: floor?.integerValue ?? 0)
    }

    /// The date and time until which changed rules wait; nil if none do.
    private static func time(_ answer: JSONValue) -> String? {
        answer["waits_until"]?.stringValue.map { TitleText.cleaned(Measure.minute($0)) }
    }

    /// A line for each file; the first line has the total size.
    private static func lines(deletion: JSONValue) -> [String] {
        let why = deletion["reason"]?.stringValue.flatMap(RetentionReason.Kind.init)?.words ?? ""
        let files = deletion["files"].list.map { TitleText.cleaned($0.stringValue ?? "") }
        let size = Measure.bytes(deletion["bytes"]?.integerValue ?? 0)
        return files.enumerated().map { index, file in
            guard index == 0 else { return "\(file) (\(why))" }
            return "\(file) (\(why); \(size)\(files.count > 1 ? " in \(files.count) files" : ""))"
        }
    }
}
