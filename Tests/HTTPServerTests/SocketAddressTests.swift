// SPDX-License-Identifier: MIT

import HTTPServer
import Testing

@Suite struct SocketAddressTests {
    @Test(arguments: [
        "127.0.0.1:8000", "0.0.0.0:0", "255.255.255.255:65535", "[::1]:8000", "[::]:1", "[2001:db8::5]:80",
    ])
    func isReadAndWrittenAsInAURL(_ text: String) throws {
        #expect(try #require(SocketAddress(text)).description == text)
    }

    @Test(arguments: [
        "", ":", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "1.2.3:80", "256.0.0.1:80", "::1:80x",
        "[::1]", "[127.0.0.1]:80", "radio.example:80", "[::1:80", "127.0.0.1:8 ",
    ])
    func refusesWhatIsNone(_ text: String) {
        #expect(SocketAddress(text) == nil)
    }

    @Test func knowsLoopback() throws {
        for text in ["127.0.0.1:1", "127.9.9.9:1", "[::1]:1", "localhost:1"] {
            #expect(try #require(SocketAddress(text)).isLoopback)
        }
        for text in ["128.0.0.1:1", "0.0.0.0:1", "[::2]:1", "[::]:1"] {
            #expect(try !#require(SocketAddress(text)).isLoopback)
        }
    }
}
