// SPDX-License-Identifier: MIT

/// What a ``ScriptedOrigin`` performs on its connections: an ``OriginScript`` or a ``LiveScript``. Times are relative
/// to the start of the origin.
package protocol ConnectionScript: Sendable {
    /// The absence at a time; nil if there is none.
    func absence(at time: Duration) -> LiveScript.Absence?
    /// The time at which the next absence begins or ends.
    func nextChange(after time: Duration) -> Duration?
    /// Serves one connection. The caller closes it with FIN afterwards. Blocks the connection's thread.
    func perform(_ connection: OriginConnection) throws
}

extension ConnectionScript {
    package func absence(at time: Duration) -> LiveScript.Absence? { nil }
    package func nextChange(after time: Duration) -> Duration? { nil }
}
