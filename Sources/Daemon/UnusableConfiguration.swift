// SPDX-License-Identifier: MIT

package import RadioCore

/// Why a reloaded configuration cannot be used.
package struct UnusableConfiguration: Error, Hashable, Sendable {
    package var failureClass: Failure.Class
    /// The problems, one line for each; at least one.
    package var problems: [String]
    /// What the user can do.
    package var remedy: String

    package init(_ failureClass: Failure.Class, _ problems: [String], remedy: String) {
        self.failureClass = failureClass
        self.problems = problems
        self.remedy = remedy
    }
}
