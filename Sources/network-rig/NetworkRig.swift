// SPDX-License-Identifier: MIT

import Glibc

/// Runs stations on one loop, in a separate process: alongside unknown names, while networks come and go, and alongside
/// harmful servers. Commands that need our name server run in a network namespace (``NetworkNamespace``). Prints one
/// JSON object; for tests only.
@main
enum NetworkRig {
    static func main() throws {
        var arguments = CommandLine.arguments.dropFirst()
        switch arguments.popFirst() {
        case "lookups": try Lookups.run()
        case "recovery": try Recovery.run(while: arguments.first == "missing" ? .missing : .silent)
        case "reconnect": try Reconnect.run()
        case "changes": try Changes.run()
        case "floods": try Floods.run(arguments)
        case "return": try Return.run(program: arguments.first ?? "aircheck")
        default:
            throw RigError(
                "usage: network-rig lookups | recovery silent|missing | reconnect | changes | return PROGRAM"
                    + " | floods SECONDS [FLOOD…]")
        }
    }

    /// Writes a line to standard output.
    static func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = write(1, bytes, bytes.count)
    }
}

/// A precondition of the rig is not met.
struct RigError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
