// SPDX-License-Identifier: MIT

/// Extends ArgumentParser's completion scripts: they do not complete the commands after `aircheck help`.
enum CompletionScript {
    static let option = "--generate-completion-script"

    /// The script with `topics` after `help`. A script of an unknown form is returned unchanged.
    static func adding(topics: [String], to script: String) -> String {
        let list = topics.joined(separator: " ")
        if script.hasPrefix("#!/bin/bash") {
            return inserting(
                """
                    [[ "${positional_number}" -eq 1 ]] && COMPREPLY+=($(compgen -W '\(list)' -- "${cur}"))

                """, at: "}", after: "\n_aircheck_help() {\n", in: script)
        }
        if script.hasPrefix("#compdef") {
            return inserting(
                "        '1:command:(\(list))'\n", at: "        '*:", after: "\n_aircheck_help() {\n", in: script)
        }
        let condition = "__aircheck_should_offer_completions_for_positional \"aircheck help\" -eq 1"
        return script.contains("function __aircheck_should_offer_completions_for_positional ")
            ? script + "\ncomplete -c 'aircheck' -n '\(condition)' -fka '\(list)'" : script
    }

    /// Inserts a text before the first line after `mark` that begins with `place`.
    private static func inserting(_ text: String, at place: String, after mark: String, in script: String) -> String {
        guard let function = script.firstRange(of: mark),
            let position = script[function.upperBound...].firstRange(of: "\n" + place)?.lowerBound
        else { return script }
        let start = script.index(after: position)
        return script[..<start] + text + script[start...]
    }
}
