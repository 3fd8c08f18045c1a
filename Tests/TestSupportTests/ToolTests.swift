// SPDX-License-Identifier: MIT

import TestSupport
import Testing

struct ToolTests {
    @Test("Every tool that tests run is in a package that make test installs")
    func packages() throws {
        let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
        let list = String(decoding: try bytes(ofFile: root + "/scripts/packages"), as: UTF8.self)
        let packages = list.split(separator: "\n").map { $0.split(separator: " ") }.filter { $0.first == "test" }
        for tool in Tool.allCases {
            #expect(packages.contains { $0[1] == tool.package }, "\(tool) of \(tool.package)")
        }
    }

    @Test("Each tool is found where it is installed")
    func paths() throws {
        for tool in Tool.allCases { #expect(try tool.path().hasSuffix("/\(tool.rawValue)")) }
    }
}
