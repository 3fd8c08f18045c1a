// SPDX-License-Identifier: MIT

import TestTools

/// A shell that has loaded the completion script of the program.
enum CompletingShell: String, CaseIterable, Sendable {
    case bash, zsh, fish

    private var tool: Tool {
        switch self {
        case .bash: .bash
        case .zsh: .zsh
        case .fish: .fish
        }
    }

    /// What the shell offers for the last word of a command line, in a folder. Candidates have no slash at their end.
    func candidates(
        for line: String, in folder: TemporaryFolder, environment: [String: String] = [:]
    ) async throws -> Set<String> {
        let program = try aircheckBinary()
        let script = try await Aircheck.run(["--generate-completion-script", rawValue])
        guard script.succeeded else { throw SetupError("no script: \(script.standardError)") }
        let hidden = try TemporaryFolder()
        try hidden.write("script", script.text)
        try hidden.write("setup", Self.setup)
        try hidden.write("ask", question)
        var environment = environment
        environment["PATH"] = program.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + ":/usr/bin:/bin"
        environment["HIDDEN"] = hidden.file("")
        environment["LINE"] = "aircheck " + line
        let options = self == .zsh ? ["-f"] : self == .bash ? ["--norc"] : ["--no-config"]
        let outcome = try await ChildProcess(
            tool, options + [hidden.file("ask")], environment: environment, directory: folder.path
        ).outcome(within: .seconds(60))
        guard outcome.succeeded, outcome.standardError.isEmpty else {
            throw SetupError("\(rawValue) failed: \(outcome.text)\(outcome.standardError)")
        }
        let words = outcome.text.split { $0.isNewline }.map { $0.hasSuffix("/") ? $0.dropLast() : $0 }
        return Set(words.filter { !$0.isEmpty }.map(String.init))
    }

    private var question: String {
        switch self {
        case .bash:
            #"""
            source "$HIDDEN/script"
            read -ra COMP_WORDS <<<"$LINE"
            [[ "$LINE" == *' ' ]] && COMP_WORDS+=('')
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_LINE="$LINE" COMP_POINT=${#LINE}
            _aircheck aircheck "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
            printf '%s\n' "${COMPREPLY[@]}"
            """#
        case .zsh:
            // zsh completes only in its editor, so this script runs an interactive zsh in a terminal of its own.
            #"""
            zmodload zsh/zpty
            zpty editor zsh -f -i
            zpty -w editor 'source $HIDDEN/setup'
            zpty -r editor answer $'*READY\r\n'
            zpty -n -w editor "$LINE"$'\t'
            zpty -r editor answer $'*<<*>>\r\n'
            zpty -d editor
            print -r -- "${${answer#*<<}%>>*}"
            """#
        case .fish:
            #"""
            source "$HIDDEN/script"
            for candidate in (complete -C "$LINE")
                string split -f 1 \t "$candidate"
            end
            exit 0
            """#
        }
    }

    /// The preparation of zsh, after which a Tab prints the candidates that would be offered.
    private static let setup = #"""
        autoload -Uz compinit; compinit -u -D
        source $HIDDEN/script
        typeset -a offered
        compadd () {
            if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return $?; fi
            typeset -a matching; builtin compadd -A matching "$@"
            offered+=("${matching[@]}")
            builtin compadd "$@"
        }
        offer () { offered=(); _main_complete; print '<<'; print -rl -- "${offered[@]}"; print '>>'; exit }
        zle -C offer complete-word offer
        bindkey '^I' offer
        print READY
        """#
}
