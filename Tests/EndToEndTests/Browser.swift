// SPDX-License-Identifier: MIT

import Foundation
import Instants
import RadioFormats
import TestSupport
import TestTools

/// A Chromium without a window, driven over WebDriver (https://www.w3.org/TR/webdriver2/). It ends when the object is
/// released.
struct Browser {
    private let driver: ChildProcess
    private let session: String

    init() async throws {
        let port = try Loopback.freePort()
        driver = try ChildProcess(.chromedriver, ["--port=\(port)"])
        let isReady = try await waitUntil(.seconds(30)) {
            guard let socket = try? Loopback.connect(port: port) else { return false }
            close(socket)
            return true
        }
        guard isReady else { throw SetupError("chromedriver does not listen:\n\(driver.errorSoFar)") }
        let arguments = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            "--autoplay-policy=no-user-gesture-required",
        ]
        let capabilities = ["capabilities": ["alwaysMatch": ["goog:chromeOptions": ["args": arguments]]]]
        let sessions = "http://127.0.0.1:\(port)/session"
        let value = try await Self.post(sessions, capabilities)
        guard let id = value?["sessionId"]?.stringValue else {
            throw SetupError("chromedriver has no session: \(String(describing: value))")
        }
        session = "\(sessions)/\(id)"
    }

    /// Opens a page, and waits until it is loaded.
    func open(_ url: String) async throws {
        _ = try await Self.post("\(session)/url", ["url": url])
    }

    /// What a JavaScript function with this body returns on the page.
    func run(_ script: String) async throws -> JSONValue? {
        try await Self.post("\(session)/execute/sync", ["script": script, "args": [String]()])
    }

    /// Waits until a JavaScript expression is true on the page. Returns false if it is not true within a minute and a
    /// half.
    func waits(for expression: String) async throws -> Bool {
        let deadline = MonotonicInstant.now + .seconds(90)
        while .now < deadline {
            if try await run("return Boolean(\(expression))")?.boolValue == true { return true }
        }
        return false
    }

    private static func post(_ url: String, _ body: [String: Any]) async throws -> JSONValue? {
        let text = String(decoding: try JSONSerialization.data(withJSONObject: body), as: UTF8.self)
        let answer = try await Relaying.Answer(url, ["--data", text])
        return try JSONValue(parsing: answer.body, limit: 1 << 20)["value"]
    }
}
