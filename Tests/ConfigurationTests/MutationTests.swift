// SPDX-License-Identifier: MIT

import Configuration
import RadioCore
import TestSupport
import TestTools
import Testing

@Suite("Damaged configurations")
struct MutationTests {
    @Test("The faults of a damaged configuration lie within the file")
    func mutations() throws {
        // Comments are left out, because most of the damage would fall on them.
        let folder = try Example.folder()
        let service = Example.context(folder)
        let lines = try Example.readable().split(separator: "\n").filter { !$0.hasPrefix("#") }.map { Array($0.utf8) }
        var generator = SplitMix64(seed: 20)
        var (valid, invalid) = (0, 0)
        for _ in 0..<10_000 {
            var document = piece(of: lines, &generator)
            for _ in 0..<Int.random(in: 1...3, using: &generator) { damage(&document, &generator) }
            let result = ConfigurationFile.parse(document, folder: folder.path, service)
            let count = document.count { $0 == UInt8(ascii: "\n") } + 1
            switch result {
            case .success: valid += 1
            case .failure(.invalid(let faults)):
                invalid += 1
                #expect(!faults.isEmpty && faults.count <= FaultList.most)
                for fault in faults where !(1...count).contains(fault.line) || fault.column < 1 {
                    Issue.record("\(fault) of \(String(decoding: document, as: UTF8.self))")
                }
            case .failure(.unreadable(let fault)): Issue.record("\(fault)")
            }
        }
        #expect(valid > 50 && invalid > 1000, "\(valid) \(invalid)")
    }

    /// Some consecutive lines, or all of them. Two of the lines may be swapped.
    private func piece(of lines: [[UInt8]], _ generator: inout SplitMix64) -> [UInt8] {
        let isWhole = Int.random(in: 0..<4, using: &generator) == 0
        let start = isWhole ? 0 : Int.random(in: 0..<lines.count, using: &generator)
        let count = isWhole ? lines.count : Int.random(in: 1...30, using: &generator)
        var piece = Array(lines[start...].prefix(count))
        if Bool.random(using: &generator) {
            let first = Int.random(in: 0..<piece.count, using: &generator)
            piece.swapAt(first, Int.random(in: 0..<piece.count, using: &generator))
        }
        return Array(piece.joined(separator: [UInt8(ascii: "\n")]))
    }

    private func damage(_ document: inout [UInt8], _ generator: inout SplitMix64) {
        guard !document.isEmpty else { return }
        let index = Int.random(in: 0..<document.count, using: &generator)
        let end = min(document.count, index + Int.random(in: 1...8, using: &generator))
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: document.removeSubrange(index..<end)
        case 1: document.insert(contentsOf: document[index..<end], at: index)
        case 2: document[index] = UInt8.random(in: 0...255, using: &generator)
        case 3: document[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 4:
            let others = ["\u{e9}", "\u{a0}", "\u{2028}", "\u{3000}", "\u{3042}", "\u{FEFF}", "\u{1F4FB}", "\r"]
            document.insert(contentsOf: (others.randomElement(using: &generator) ?? "").utf8, at: index)
        default: document[index] = Array("[]{}\"'.=,#\n\\0-".utf8).randomElement(using: &generator) ?? 0
        }
    }
}
