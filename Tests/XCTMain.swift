// SPDX-License-Identifier: MIT

import Testing

/// The program of all tests. The package tool uses a file of this name instead of a program that it makes itself, for
/// which it would look in an index for tests of XCTest. There are none.
@main
enum Tests {
    static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
