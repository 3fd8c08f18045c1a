// SPDX-License-Identifier: MIT

/// Runs `body` for all elements at the same time, and waits for all. The first error cancels the others.
package func atOnce<Element: Sendable>(
    _ elements: some Sequence<Element>, _ body: @escaping @Sendable (Element) async throws -> Void
) async throws {
    try await withThrowingTaskGroup { group in
        for element in elements { group.addTask { try await body(element) } }
        try await group.waitForAll()
    }
}
