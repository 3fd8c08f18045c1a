// SPDX-License-Identifier: MIT

/// Feeds as they occur in practice.
enum FeedSamples {
    static let address = "https://pod.example/shows/feed.xml"

    static let podcast = """
        <?xml version="1.0" encoding="UTF-8"?>
        <?xml-stylesheet type="text/xsl" href="style.xsl"?>
        <rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"
             xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:atom="http://www.w3.org/2005/Atom">
          <channel>
            <atom:link href="https://pod.example/shows/feed.xml" rel="self" type="application/rss+xml"/>
            <title>Tom &amp;amp; Jerry&#8217;s  Show</title>
            <link>https://pod.example/</link>
            <image><url>/cover.jpg</url><title>Not the title</title></image>
            <itunes:image href="https://pod.example/other.jpg"/>
            <item>
              <title><![CDATA[Folge 12: „Äpfel & Birnen“ <b>neu</b>]]></title>
              <itunes:title>Äpfel</itunes:title>
              <guid isPermaLink="false">a1b2c3d4-e5f6-7890-abcd-ef0123456789</guid>
              <pubDate>Tue, 24 Nov 2026 05:00:00 +0100</pubDate>
              <enclosure url="https://cdn.example/12.mp3?dest-id=7&amp;x=1" length="12345678" type="audio/mpeg"/>
              <itunes:duration>1:02:03</itunes:duration>
              <itunes:episode>12</itunes:episode>
              <content:encoded><![CDATA[<p>text with <title>a title</title></p>]]></content:encoded>
            </item>
            <item>
              <title>Only text</title>
              <guid>https://pod.example/?p=11</guid>
            </item>
            <item>
              <title>Episode &lt;3 &#x1F600;</title>
              <pubDate>17 Nov 2026 04:00 GMT</pubDate>
              <enclosure url="../audio/10.ogg" length="0" type=""/>
              <itunes:duration>3723</itunes:duration>
            </item>
          </channel>
        </rss>
        """

    static let atom = """
        <feed xmlns="http://www.w3.org/2005/Atom" xml:base="http://a.example/atom/">
          <title type="text">Atom &amp; Co</title>
          <logo>logo.png</logo>
          <entry xml:base="e/">
            <id>urn:uuid:1225c695-cfb8-4ebb-aaaa-80da344efa6a</id>
            <title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">One <b>bold</b> word</div></title>
            <updated>2026-11-02T10:00:00Z</updated>
            <published>2026-11-01T10:00:00+01:00</published>
            <link rel="alternate" href="page.html"/>
            <link rel="enclosure" type="audio/mpeg" href="one.mp3" length="1000"/>
            <source><title>Not this one</title></source>
          </entry>
          <entry>
            <title type="html">Two &amp;ndash; &amp;lt;i&amp;gt;x</title>
            <updated>2026-10-02T10:00:00Z</updated>
            <link rel="enclosure" href="//b.example/two.opus"/>
          </entry>
        </feed>
        """

    static let media = """
        <rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/" xmlns:dc="http://purl.org/dc/elements/1.1/">
        <channel><title>M</title>
        <item><title>Group</title><dc:date>2026-01-02T03:04:05Z</dc:date>
        <media:group><media:content url="http://m.example/v.mp4" type="video/mp4" medium="video"/>
        <media:content url="http://m.example/a.mp3" fileSize="77" duration="61" medium="audio"/></media:group>
        <media:thumbnail url="http://m.example/t.jpg"/></item>
        <item><title>Both</title><media:content url="http://m.example/fallback.mp3" type="audio/mpeg"/>
        <enclosure url="http://m.example/own.mp3" type="audio/mpeg"/>
        <enclosure url="http://m.example/cover.jpg" type="image/jpeg"/></item>
        <item><title>Picture</title><enclosure url="http://m.example/p.png" type="image/png"/></item>
        <item><title>No web</title><enclosure url="ftp://m.example/p.mp3" type="audio/mpeg"/></item>
        </channel></rss>
        """

    static let rdf = """
        <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
          xmlns:enc="http://purl.oclc.org/net/rss_2.0/enc#" xmlns:media="http://search.yahoo.com/mrss">
        <channel rdf:about="http://r.example/"><title>RDF</title></channel>
        <item rdf:about="http://r.example/1"><title>First</title><media:content url="http://r.example/1.mp3"/></item>
        </rdf:RDF>
        """

    static let old = """
        <?xml version="1.0" encoding="windows-1251"?>
        <!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" "http://my.netscape.com/publish/formats/rss-0.91.dtd">
        <rss version="0.91"><channel><title>@&nbsp;caf&eacute;</title>
        <item><title>@</title><enclosure url="http://o.example/1.mp3"/></item></channel></rss>
        """

    static let all = [podcast, atom, media, rdf]
}
