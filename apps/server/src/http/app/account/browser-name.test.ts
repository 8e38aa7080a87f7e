import { expect, it } from "vitest"
import { browserName } from "./browser-name.ts"
import { placeOf } from "./session.ts"

it.each([
  ["Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox, Windows"],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0",
    "Edge, Windows",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
    "Safari, iPhone",
  ],
  [
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0.0.0 Safari/537.36",
    "Chrome, Linux",
  ],
  ["curl/8.0 <script>", ""],
])("knows the browser of %j", (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name)
})

it("keeps the network of an address, not the address", () => {
  expect(placeOf("203.0.113.77")).toBe("203.0.113.x")
  expect(placeOf("2001:db8:1:2:3:4:5:6")).toBe("2001:db8:1:2::/64")
})
