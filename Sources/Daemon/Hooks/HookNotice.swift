// SPDX-License-Identifier: MIT

/// A notice about hooks. Hooks are numbered from 0, in the order of ``HookRunner/settings`` at the time of the event.
package enum HookNotice: DaemonReport, Hashable {
    /// A hook has failed for an event. The reason is fit for display and contains no address.
    case failed(hook: Int, EventName, why: String)
    /// The output of a hook's program, in one line without control characters.
    case output(hook: Int, text: String)
    /// This many events were dropped since the last such notice, because too many were waiting.
    case dropped(Int)
}
