// SPDX-License-Identifier: MIT

package import HTTPServer
import RadioFormats

/// The page at `/`: a player for each mount, with its title and playlists.
///
/// All links are relative, so that the page also works behind a proxy that serves it below a path.
package enum FrontPage {
    private static let path = "/"
    private static let script = "/-/page.js"
    private static let style = "/-/page.css"
    private static let icon = "/-/icon.svg"
    /// Paths that no mount may have.
    static let paths = [script, style, icon]

    /// The page and its files. `mounts` is called at each request.
    package static func routes(_ mounts: @escaping () -> [Mount]) -> RouteSet {
        let routes = RouteSet()
        routes.add(path) { $0.respond(response("text/html", html(mounts().map(\.snapshot)))) }
        for (path, type, text) in [
            (script, "text/javascript", FrontPageScript.text), (style, "text/css", FrontPageFiles.style),
            (icon, "image/svg+xml", FrontPageFiles.icon),
        ] {
            routes.add(path) { $0.respond(response(type, text)) }
        }
        return routes
    }

    /// The page loads nothing from other sites, and no text of a station can become a script.
    static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; "
        + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    private static func response(_ type: String, _ text: String) -> HTTPResponse {
        HTTPResponse(
            .ok,
            fields: [
                HTTPField("Content-Type", "\(type); charset=utf-8"), HTTPField("Cache-Control", "no-cache"),
                HTTPField("Content-Security-Policy", policy), HTTPField("X-Content-Type-Options", "nosniff"),
                HTTPField("Referrer-Policy", "no-referrer"),
            ], body: Array(text.utf8))
    }

    static func html(_ mounts: [MountSnapshot]) -> String {
        let stations = mounts.isEmpty ? "<p>No station is on the air yet.</p>" : mounts.map(station).joined()
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(mounts.count == 1 ? MarkupText.escaped(mounts[0].name) : "Radio")</title>
            <link rel="icon" href=".\(icon)">
            <link rel="stylesheet" href=".\(style)">
            <script src=".\(script)" defer></script>
            </head>
            <body>
            <main>
            \(stations)
            </main>
            <footer><a href="./status.json">Status</a></footer>
            </body>
            </html>

            """
    }

    private static func station(_ mount: MountSnapshot) -> String {
        let playlists = StreamPlaylist.allCases.map { playlist in
            "<a href=\".\(mount.path).\(playlist)\">\(playlist.rawValue.uppercased())</a>"
        }
        return """
            <section data-path="\(mount.path)">
            <h1>\(MarkupText.escaped(mount.name))</h1>
            <p class="title">\(MarkupText.escaped(mount.title ?? ""))</p>
            <audio controls preload="none" src=".\(mount.path)"></audio>
            <p class="state" role="status"></p>
            <p class="playlists">\(playlists.joined(separator: " ")) <a href=".\(mount.path)">Stream</a></p>
            </section>

            """
    }
}
