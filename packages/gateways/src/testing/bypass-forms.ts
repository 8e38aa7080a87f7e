// For tests only: ways in which others have been led to addresses that they wanted to refuse.

const words = (text: string): string[] => text.trim().split(/\s+/)

/** Hosts that end at this machine, if anything lets them: a listener on every local address would be reached. */
export const THIS_MACHINE = words(`
  127.0.0.1 127.1 127.0.1 2130706433 127.0.0.2 127.1.2.3 127.255.255.254 127.16777214 127.0.258 2130706434 2147483646
  0x7f000001 0x7F000001 0X7f000001 0x7f.1 0x7f.0.0.1 0x7F.0x0.0x0.0x1 0x7f.0.1 0x7f.0x000001 0x0000007f.0.0.0x01 127.0x0.1
  017700000001 0177.0.0.1 0177.0.0.01 00000177.1 0177.1 0177.0x0.0.1 127.000.000.001 0177.0000.0.0x1 0x7f.0.0x0.01 0177.0x1
  127.0.0.1. 127.1. 2130706433. 0x7f000001. 0177.1. 0.0.0.0.
  0.0.0.0 0 0x0 00.0 0.0 0x00000000 000 0.0.0 0x.0
  %31%32%37.0.0.1 127%2e0%2e0%2e1 127%2E1 %30x7f.1 %32130706433 loc%61lhost %6C%6F%63%61%6C%68%6F%73%74
  ①②⑦.⓪.⓪.① 127。0。0。1 127．0．0．1 127｡0｡0｡1 １２７.0.0.1 𝟏𝟐𝟕.𝟎.𝟎.𝟏 𝟙𝟚𝟟.𝟙 ²¹³⁰⁷⁰⁶⁴³³ ₁₂₇.₁ 0ｘ7f.1 %ef%bc%91%ef%bc%92%ef%bc%97.1
  [::1] [0:0:0:0:0:0:0:1] [::0001] [0000:0000:0000:0000:0000:0000:0000:0001] [0::1] [0:0::1] [::0:1] [0::0:0:1] [::0.0.0.1]
  [::] [0::0] [0:0:0:0:0:0:0:0] [::0.0.0.0]
  [::ffff:127.0.0.1] [::ffff:7f00:1] [::FFFF:127.0.0.1] [::fFfF:7F00:0001] [0:0:0:0:0:ffff:7f00:0001] [0::ffff:127.0.0.2]
  [::ffff:0.0.0.0] [::ffff:0:0] [::ffff:127.1.2.3] [0000:0000:0000:0000:0000:FFFF:127.0.0.1]
  localhost LOCALHOST lOcAlHoSt ⓛⓞⓒⓐⓛⓗⓞⓢⓣ ｌｏｃａｌｈｏｓｔ 𝓵𝓸𝓬𝓪𝓵𝓱𝓸𝓼𝓽 loc\u00adalhost local\u200bhost loca\u2060lhost ℓocalhost localhoſt
`)

/** Whether these resolve at all is the machine's affair; they must not connect either way. */
export const LOCAL_NAMES = words(`
  localhost. sub.localhost a.b.localhost sub.localhost. 127.0.0.1.localhost localhost.localdomain ip6-localhost ip6-loopback
`)

/** Names that mean something only inside a network, so that no proxy need be asked for them. */
export const INSIDE_NAMES = words(`
  localhost6 metadata metadata.google.internal metadata.goog.internal instance-data.ec2.internal host.docker.internal
  kubernetes printer.local printer.lan router.home.arpa intranet wiki.intranet WIKI.Internal. db.localdomain
`)

/** Hosts that lead into somebody's network, to the secrets of a cloud, or that carry such an address in another. */
export const INSIDE = words(`
  10.0.0.1 10.1 0xa000001 012.1 167772161 10.255.255.254 172.16.0.1 172.31.255.255 0xac100001 192.168.0.1 192.168.1
  3232235777 0300.0250.0.1 0xc0.0xa8.1.1 100.64.0.1 100.127.255.255 192.168.0.1. [::ffff:10.0.0.1] [::ffff:c0a8:101]
  169.254.169.254 169.254.169.254. 0xa9fea9fe 0xA9.0xFE.0xA9.0xFE 2852039166 0251.0376.0251.0376 0251.0376.43518 169.16689662
  169.254.1 169.254.170.2 169%2e254%2e169%2e254 169。254。169。254 ①⑥⑨.②⑤④.①⑥⑨.②⑤④ [::ffff:169.254.169.254] [::ffff:a9fe:a9fe]
  100.100.100.200 1684300232 [::ffff:100.100.100.200] 192.0.0.192 0xc00000c0 168.63.129.16 0xa83f8110 2822734096 0250.077.0201.020
  [::ffff:168.63.129.16] [::ffff:a83f:8110] [fd00:ec2::254] [FD00:0EC2:0::254] [fd20:ce::254] [fd00:42::42]
  [fc00::1] [fdff:ffff::1] [fe80::1] [febf::1] [fec0::1] [ff02::1] [ff0e::1] [100::1] [4000::1] [5f00::1] [e000::1]
  [::127.0.0.1] [::7f00:1] [::a9fe:a9fe] [::8.8.8.8] [::ffff:0:127.0.0.1] [::ffff:0:7f00:1]
  [2002:7f00:1::] [2002:7f00:0001::1] [2002:a9fe:a9fe::1] [2002:c0a8:101::c0a8:101] [2002:0a00:1::]
  [64:ff9b::7f00:1] [64:ff9b::127.0.0.1] [64:ff9b::169.254.169.254] [0064:ff9b::a9fe:a9fe] [64:ff9b:1::7f00:1] [64:ff9b:1:ffff::a00:1]
  [2001::7f00:1] [2001:0:4136:e378:8000:63bf:80ff:fffe] [2001:0000::1] [2001:10::1] [2001:20::1] [2001:db8::1] [3fff::1]
  [2606:4700::5efe:127.0.0.1] [2606:4700::5efe:7f00:1] [2606:4700::200:5efe:10.0.0.1] [fe80::5efe:127.0.0.1] [2a00:1450:0:0:0:5efe:a9fe:a9fe]
  192.0.0.1 192.0.0.170 192.0.2.1 198.18.0.1 198.51.100.1 203.0.113.1 192.88.99.1 224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255 0.0.0.1 0.1.2.3
`)

/** Whole addresses as they might be written; `{scheme}` and `{port}` stand for those of the listener. */
export const WRITTEN = [
  "{scheme}://public.example@127.0.0.1:{port}/",
  "{scheme}://public.example:443@127.0.0.1:{port}/",
  "{scheme}://public.example%2f@127.0.0.1:{port}/",
  "{scheme}://public.example%23@127.0.0.1:{port}/",
  "{scheme}://a@public.example@127.0.0.1:{port}/",
  "{scheme}://:@127.0.0.1:{port}/",
  "{scheme}://:word@[::1]:{port}/",
  "{scheme}://127.0.0.1:{port}@127.0.0.1:{port}/",
  "{scheme}://public.example%40127.0.0.1:{port}/",
  "{scheme}://127.0.0.1:{port}\\@public.example/",
  "{scheme}://127.0.0.1:{port}#@public.example/",
  "{scheme}://127.0.0.1:{port}?@public.example/",
  "{scheme}:\\\\127.0.0.1:{port}\\",
  "{scheme}:\\/127.0.0.1:{port}/",
  "{scheme}:127.0.0.1:{port}/",
  "{scheme}:/127.0.0.1:{port}/",
  "{scheme}:////127.0.0.1:{port}/",
  "{scheme}://///localhost:{port}",
  "{scheme}://127.0\t.0.1:{port}/",
  "{scheme}://127.0.0\n.1:{port}/",
  "{scheme}://loc\r\nalhost:{port}/",
  "{scheme}:/\t/127.0.0.1:{port}/",
  "\t{scheme}://127.0.0.1:{port}/",
  " \u0000\u001f{scheme}://127.0.0.1:{port}/ ",
  "{scheme}://127.0.0.1\u0000.public.example:{port}/",
  "{scheme}://127.0.0.1%00.public.example:{port}/",
  "{scheme}://127.0.0.1%0d%0aHost:public.example:{port}/",
  "{scheme}://127.0.0.1 :{port}/",
  "{scheme}://127.0.0.1%20:{port}/",
  "{scheme}://127.0.0.1:{port}:443/",
  "{scheme}://127.0.0.1:0/",
  "{scheme}://127.0.0.1:65536/",
  "{scheme}://127.0.0.1:99999999999/",
  "{scheme}://127.0.0.1:-1/",
  "{scheme}://127.0.0.1:{port}x/",
  "{scheme}://public.example:0/",
  "{scheme}://public.example:65536/",
  "{scheme}://127.0.0.256:{port}/",
  "{scheme}://127.0.0.0.1:{port}/",
  "{scheme}://4294967296:{port}/",
  "{scheme}://6425673729:{port}/",
  "{scheme}://0x17f000001:{port}/",
  "{scheme}://127..0.1:{port}/",
  "{scheme}://.127.0.0.1:{port}/",
  "{scheme}://127.0.0.1..:{port}/",
  "{scheme}://0177.0.0.0x:{port}/",
  "{scheme}://[::1%25lo]:{port}/",
  "{scheme}://[::1%lo]:{port}/",
  "{scheme}://[fe80::1%25eth0]:{port}/",
  "{scheme}://[::ffff:127.1]:{port}/",
  "{scheme}://[::1]public.example:{port}/",
  "{scheme}://[127.0.0.1]:{port}/",
  "{scheme}://[v1.127.0.0.1]:{port}/",
  "{scheme}://::1:{port}/",
  "{scheme}://%5B::1%5D:{port}/",
  "{scheme}://",
  "{scheme}:///",
  "//127.0.0.1:{port}/",
  "127.0.0.1:{port}/",
  "localhost:{port}",
  "ftp://127.0.0.1:{port}/",
  "ws://127.0.0.1:{port}/",
  "wss://127.0.0.1:{port}/",
  "gopher://127.0.0.1:{port}/_GET%20/",
  "ldap://127.0.0.1:{port}/",
  "dict://127.0.0.1:{port}/",
  "tftp://127.0.0.1:{port}/",
  "unix:///var/run/docker.sock",
  "http+unix://%2Fvar%2Frun%2Fdocker.sock/",
  "file:///etc/passwd",
  "file://127.0.0.1/etc/passwd",
  "jar:{scheme}://127.0.0.1:{port}!/",
  "url:{scheme}://127.0.0.1:{port}/",
  "view-source:{scheme}://127.0.0.1:{port}/",
  "blob:{scheme}://127.0.0.1:{port}/1",
  "data:application/pdf;base64,JVBERi0xLjc=",
  "javascript:alert(1)",
  "about:blank",
  "",
]

/** What the resolver answers for a name, one row for each time it is asked; the last row for ever. */
export const RESOLVED: readonly (readonly (readonly string[])[])[] = [
  ...words(`
    127.0.0.1 127.0.0.2 0.0.0.0 10.0.0.1 172.16.0.1 192.168.1.1 100.64.0.1 169.254.169.254 100.100.100.200 192.0.0.192
    168.63.129.16 ::1 :: ::ffff:127.0.0.1 ::ffff:7f00:1 0:0:0:0:0:ffff:127.0.0.1 ::127.0.0.1 ::ffff:169.254.169.254
    64:ff9b::7f00:1 2002:7f00:1::1 2001::1 fe80::1 fe80::1%lo ::1%lo fc00::1 fd00:ec2::254 fec0::1 ff02::1 127.1 0177.0.0.1 2130706433
    2606:4700::5efe:7f00:1 localhost
  `).map((address) => [[address]]),
  [[]],
  [[""]],
  [["2fff::1", "127.0.0.1"]],
  [["127.0.0.1", "2fff::1"]],
  [["2fff::1", "2fff::2", "2fff::3", "::1"]],
  [["2fff::1", "169.254.169.254"]],
  [["2fff::1", "::ffff:127.0.0.1"]],
  [["2fff::1", "168.63.129.16"]],
  [["2606:4700::5efe:7f00:1", "2fff::1"]],
]

/** Names whose first answer is public and whose second is not. 2fff::/16 was given to nobody, so nobody is disturbed. */
export const REBOUND: readonly (readonly (readonly string[])[])[] = [
  [["2fff::1"], ["127.0.0.1"]],
  [["2fff::1"], ["::1"]],
  [["2fff::1"], ["::ffff:127.0.0.1"]],
  [["2fff::1"], ["169.254.169.254"]],
  [["2fff::1"], ["0.0.0.0"]],
  [
    ["2fff::1", "2fff::2"],
    ["2fff::1", "127.0.0.1"],
  ],
]

/** What a Location may say; `{port}` is that of the listener, `{peer}` that of the server that redirects. */
export const LOCATIONS = [
  "https://127.0.0.1:{port}/",
  "https://127.0.0.1:{peer}/file",
  "https://peer.example:{port}/file",
  "https://peer.example./file",
  "https://peer.example.:{peer}/file",
  "https://sub.peer.example:{peer}/file",
  "https://peer.example:443/file",
  "http://127.0.0.1:{port}/",
  "http://peer.example:{peer}/file",
  "HTTPS://LOCALHOST:{port}/",
  "https://sub.localhost:{port}/",
  "https://inside.example:{port}/",
  "https://rebound.example:{port}/",
  "//127.0.0.1:{port}/",
  "//[::1]:{port}/",
  "\\\\127.0.0.1:{port}\\",
  "/\\127.0.0.1:{port}/",
  "\\/127.0.0.1:{port}/",
  "/\t/127.0.0.1:{port}/",
  "https:\\\\127.0.0.1:{port}/",
  "https:127.0.0.1:{port}/",
  "https://public.example@127.0.0.1:{port}/",
  "https://user:word@peer.example:{peer}/file",
  "//user@peer.example:{peer}/file",
  "https://peer.example:{peer}@127.0.0.1:{port}/",
  "https://peer.example:{peer}\\@127.0.0.1:{port}/",
  "https://peer.example%3a{peer}@localhost:{port}/",
  "https://169.254.169.254/latest/meta-data/",
  "http://169.254.169.254/latest/meta-data/",
  "http://metadata.google.internal/computeMetadata/v1/",
  "https://[fd00:ec2::254]/latest/meta-data/",
  "https://100.100.100.200/latest/meta-data/",
  "https://192.0.0.192/latest/",
  "https://168.63.129.16/metadata/",
  "https://127.0.0.1:0/",
  "https://127.0.0.1:65536/",
  "https://[::1%25lo]:{port}/",
  "https://127\u00e3\u0080\u00820\u00e3\u0080\u00820\u00e3\u0080\u00821:{port}/",
  "ftp://127.0.0.1:{port}/",
  "file:///etc/passwd",
  "gopher://127.0.0.1:{port}/_",
  "data:application/pdf;base64,JVBERi0xLjc=",
  "javascript:alert(1)",
  "https://",
  "https:///",
]
