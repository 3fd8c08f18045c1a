// SPDX-License-Identifier: MIT

import RadioFormats

/// Reads one `[[hook]]`.
struct HookReader {
    let reader: ConfigurationReader
    let table: TableReader

    private static let deadlines: ClosedRange<Duration> = .seconds(1) ... .seconds(3600)

    func read() -> HookSettings? {
        table.checkKeys()
        let events = events()
        let given = HookKey.actions.filter(table.has).sorted { first, second in
            guard let first = table.table[first.name], let second = table.table[second.name] else { return false }
            return first.position < second.position
        }
        if given.count != 1 {
            let names = HookKey.actions.map(\.name).joined(separator: ", ")
            table.fault(
                given.dropFirst().first,
                given.isEmpty ? "the hook does not say what to do" : "a hook does one thing only",
                remedy: given.isEmpty ? "write one of \(names)" : "make a [[hook]] for each of \(names)")
        }
        let actions = [command(), post(), mail(), ntfy()].compactMap(\.self)
        let action = actions.first
        let token = token(for: given, action)
        let deadline = table.duration(HookKey.deadline, in: Self.deadlines)
        guard let action else { return nil }
        var hook = HookSettings(events: events, action: action)
        hook.token = token
        hook.deadline = deadline ?? hook.deadline
        return hook
    }

    private func events() -> Set<String> {
        guard let texts = table.texts(HookKey.on) else { return [] }
        if texts.isEmpty {
            table.fault(HookKey.on, "it names no event", remedy: HookKey.on.advice)
        }
        return Set(texts.compactMap { table.choice(HookKey.on, $0, reader.context.events) })
    }

    private func command() -> HookSettings.Action? {
        guard let texts = table.texts(HookKey.run) else { return nil }
        guard let program = texts.first, program.text.hasPrefix("/"), !program.text.hasSuffix("/") else {
            return table.fault(
                HookKey.run, at: texts.first?.position, "it must begin with the full path of a program",
                remedy: HookKey.run.advice)
        }
        for text in texts where text.text.utf8.contains(0) {
            table.fault(HookKey.run, at: text.position, "an argument must not contain a NUL character")
        }
        table.expect(HookKey.run, .program(program.text))
        return .command(texts.map(\.text))
    }

    private func post() -> HookSettings.Action? {
        let address = table.parsed(HookKey.post, PlainAddress.parse) ?? secretAddress()
        return address.map { .post(url: $0) }
    }

    /// An address that is itself a secret, such as the addresses of chat services.
    private func secretAddress() -> String? {
        let secret = SecretReader(
            reader: reader, table: table, file: HookKey.postFile, credential: HookKey.postCredential)
        guard let bytes = secret.read(), let key = secret.given.first else { return nil }
        return table.parsed(key) { _ in try PlainAddress.parse(String(decoding: bytes, as: UTF8.self)) }
    }

    private func ntfy() -> HookSettings.Action? {
        table.parsed(HookKey.ntfy, PlainAddress.parse).flatMap { address in
            PlainAddress.hasPath(address)
                ? .ntfy(url: address)
                : table.fault(
                    HookKey.ntfy, "the topic after the server's name is missing", remedy: HookKey.ntfy.advice)
        }
    }

    private func mail() -> HookSettings.Action? {
        guard let text = table.text(HookKey.mail) else { return nil }
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        let isPlain = text.unicodeScalars.allSatisfy {
            !SafeText.isControl($0) && !" <>,;:\"()[]\\".unicodeScalars.contains($0)
        }
        guard isPlain, parts.count == 2, !parts.contains(where: \.isEmpty), !text.hasPrefix("-"), text.utf8.count <= 254
        else { return table.fault(HookKey.mail, "it must be a plain mail address", remedy: HookKey.mail.advice) }
        table.expect(HookKey.mail, .program(HookSettings.sendmail))
        return .mail(to: text)
    }
}
