import { expect, it } from "vitest"
import { changingRoutes } from "../../testing/changing-routes.ts"
import { NOBODY } from "../describe/generate.ts"

const FOREIGN = [
  { "sec-fetch-site": "cross-site", origin: "https://evil.example" },
  { "sec-fetch-site": "same-site", origin: "https://sister.example" },
  { "sec-fetch-site": "none" },
  { origin: "https://evil.example" },
  {},
]

it("[R27] no route of our pages that could change something takes a word from another site's page", async () => {
  const { server, routes } = await changingRoutes()
  expect(routes.length).toBeGreaterThan(40)
  for (const { method, url } of routes)
    for (const headers of FOREIGN) {
      const asked = { method, url: url.replaceAll(/:\w+/g, crypto.randomUUID()), headers }
      expect([method, url, headers, (await server.inject(asked)).body]).toEqual([
        ...[method, url, headers, "cross-site"],
      ])
    }
})

it("[R27] and each of them is asked for by a page of ours, or it would be refused to everybody", async () => {
  const { server, routes } = await changingRoutes()
  for (const { method, url } of routes) {
    const headers = { "sec-fetch-site": "same-origin", origin: NOBODY.publicUrl }
    const asked = { method, url: url.replaceAll(/:\w+/g, crypto.randomUUID()), headers }
    expect([method, url, (await server.inject(asked)).body]).not.toEqual([method, url, "cross-site"])
  }
})
