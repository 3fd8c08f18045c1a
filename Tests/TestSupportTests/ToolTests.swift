// SPDX-License-Identifier: MIT

import TestTools
import Testing

struct ToolTests {
    @Test("Every tool that tests run is in a package that their make command installs")
    func packages() throws {
        let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
        let list = String(decoding: try bytes(ofFile: root + "/scripts/packages"), as: UTF8.self)
        let packages = list.split(separator: "\n").map { $0.split(separator: " ") }
        for tool in Tool.allCases {
            let (group, package) = (tool.installer.rawValue, tool.package)
            #expect(packages.contains { $0.count > 1 && $0[0] == group && $0[1] == package }, "\(tool) of \(package)")
        }
    }

    @Test("Each tool is found where it is installed")
    func paths() throws {
        for tool in Tool.allCases where tool.installer == .test {
            #expect(try tool.path().hasSuffix("/\(tool.rawValue)"))
        }
    }
}
