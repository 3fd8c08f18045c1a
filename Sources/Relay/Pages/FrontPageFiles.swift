// SPDX-License-Identifier: MIT

/// The style and the icon of the page at `/`.
enum FrontPageFiles {
    static let style = """
        :root { color-scheme: light dark; font: 1.1rem/1.5 system-ui, sans-serif; }
        main, footer { max-width: 32rem; margin: 0 auto; padding: 1rem; }
        h1 { margin: 0; font-size: 1.4rem; overflow-wrap: anywhere; }
        section { margin: 1.5rem 0; }
        audio { width: 100%; margin: 0.5rem 0; }
        .title { margin: 0; min-height: 1.5em; overflow-wrap: anywhere; }
        .state { margin: 0; min-height: 1.5em; font-size: 0.9rem; }
        .playlists, footer { font-size: 0.9rem; }
        .playlists a { margin-right: 0.75rem; }

        """

    static let icon = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">
        <rect width="16" height="16" rx="3" fill="#1d5c8f"/>
        <circle cx="8" cy="8" r="1.75" fill="#fff"/>
        <path d="M5 11a4.2 4.2 0 0 1 0-6m6 0a4.2 4.2 0 0 1 0 6" fill="none" stroke="#fff" stroke-width="1.5"/>
        </svg>

        """
}
