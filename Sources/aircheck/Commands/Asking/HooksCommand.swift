// SPDX-License-Identifier: MIT

import ArgumentParser
import Control
import RadioCore
import RadioFormats

/// `aircheck hooks`: the hooks of a running daemon.
struct HooksCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hooks", abstract: "Tries the hooks of a running 'aircheck serve'.",
        subcommands: [TestHooks.self])
}

/// `aircheck hooks test`.
struct TestHooks: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Runs each hook once with a made-up event, and says whether it works.",
        discussion: """
            Programs are run, and requests, messages and mails are sent, as for a real event; their text says that this \
            is a test. Each may take a minute at most, and 'timeout' if that is shorter. The exit status is 74 if any \
            hook fails.
            """)

    @Option(help: .value("number", "Only this hook: 1 is the first in the file."), transform: ArgumentValue.count)
    var hook: Int?

    @OptionGroup var options: AnswerOptions

    func run() throws {
        let target = ControlTarget("/v1/hooks/test").adding("hook", hook.map { "\($0)" })
        // The daemon answers when the slowest hook has ended.
        let answer = try options.client.answer(target, method: .post, timeout: .seconds(90))
        options.show(answer, Self.lines)
        let hasFailed = answer["hooks"].list.contains { $0["error"]?.stringValue != nil }
        if hasFailed { throw ExitStatus.ioError.code }
    }

    /// One line for each hook.
    static func lines(_ answer: JSONValue) -> [String] {
        answer["hooks"].list.map { hook in
            let result = hook["error"]?.stringValue.map { "failed: \(TitleText.cleaned($0))" } ?? "works"
            let output = hook["output"]?.stringValue.map { "; it says: \(TitleText.cleaned($0))" } ?? ""
            let action = hook["action"].shown
            return "hook \(hook["hook"]?.integerValue ?? 0) (\(action)): \(result)\(output)"
        }
    }
}
