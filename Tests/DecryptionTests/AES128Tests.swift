// SPDX-License-Identifier: MIT

import Decryption
import TestSupport
import TestTools
import Testing

struct AES128Tests {
    private static let key = (0..<16).map { UInt8($0 * 11 + 3) }
    private static let vector = (0..<16).map { UInt8(250 - $0) }

    @Test("What openssl has encrypted is decrypted", arguments: [0, 1, 15, 16, 17, 188 * 700])
    func command(count: Int) async throws {
        let plain = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let folder = try TemporaryFolder("decryption")
        let text = { (bytes: [UInt8]) in bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
        let arguments = [
            "enc", "-aes-128-cbc", "-K", text(Self.key), "-iv", text(Self.vector), "-in",
            try folder.write("plain", plain), "-out", folder.file("coded"),
        ]
        let outcome = try await onThread { try ChildProcess(.openssl, arguments).wait(within: .seconds(10)) }
        #expect(outcome.succeeded, "\(outcome.standardError)")
        let coded = try bytes(ofFile: folder.file("coded"))
        #expect(coded == AESEncryption(key: Self.key).encrypt(plain, vector: Self.vector))
        #expect(try AES128.decrypt(coded, key: Self.key, vector: Self.vector) == plain)
    }

    @Test("The vector of a published example yields its text")
    func example() throws {
        // NIST SP 800-38A, F.2.1: the first block, which has no padding, followed by a block of padding of our own.
        let key: [UInt8] = [
            0x2B, 0x7E, 0x15, 0x16, 0x28, 0xAE, 0xD2, 0xA6, 0xAB, 0xF7, 0x15, 0x88, 0x09, 0xCF, 0x4F, 0x3C,
        ]
        let text: [UInt8] = [
            0x6B, 0xC1, 0xBE, 0xE2, 0x2E, 0x40, 0x9F, 0x96, 0xE9, 0x3D, 0x7E, 0x11, 0x73, 0x93, 0x17, 0x2A,
        ]
        let coded: [UInt8] = [
            0x76, 0x49, 0xAB, 0xAC, 0x81, 0x19, 0xB2, 0x46, 0xCE, 0xE9, 0x8E, 0x9B, 0x12, 0xE9, 0x19, 0x7D,
        ]
        let vector = (0..<16).map { UInt8($0) }
        let whole = AESEncryption(key: key).encrypt(text, vector: vector)
        #expect(whole.prefix(16).elementsEqual(coded))
        #expect(try AES128.decrypt(whole, key: key, vector: vector) == text)
    }

    @Test("Lengths that are no multiple of a block are refused, and wrong keys by their padding")
    func refusals() throws {
        let coded = AESEncryption(key: Self.key).encrypt([1, 2, 3], vector: Self.vector)
        for count in 0..<16 {
            #expect(throws: AES128.Problem.wrongLength) {
                try AES128.decrypt(Array(coded.prefix(count)), key: Self.key, vector: Self.vector)
            }
        }
        #expect(throws: AES128.Problem.wrongLength) {
            try AES128.decrypt(coded + [0], key: Self.key, vector: Self.vector)
        }
        for wrong in [[], Array(Self.key.dropLast()), Self.key + [0]] {
            #expect(throws: AES128.Problem.wrongKeyLength) {
                try AES128.decrypt(coded, key: wrong, vector: Self.vector)
            }
            #expect(throws: AES128.Problem.wrongKeyLength) {
                try AES128.decrypt(coded, key: Self.key, vector: wrong)
            }
        }
        // This key yields a padding that is wrong.
        #expect(throws: AES128.Problem.wrongPadding) {
            try AES128.decrypt(coded, key: Self.vector, vector: Self.vector)
        }
    }

    @Test("Each padding that is wrong is refused")
    func paddings() throws {
        // With a changed vector, the only block has any last byte that a test wants.
        let coded = AESEncryption(key: Self.key).encrypt((100..<115).map { $0 }, vector: Self.vector)
        for last in 0...255 {
            var vector = Self.vector
            vector[15] ^= 1 ^ UInt8(last)
            let plain = try? AES128.decrypt(coded, key: Self.key, vector: vector)
            #expect((plain != nil) == (last == 1), "\(last)")
        }
    }
}
