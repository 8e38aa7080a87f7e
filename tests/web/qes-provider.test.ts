// The pages of the sandbox's remote signing provider, as a person with a browser has them.

import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { createCscProvider } from "@paraph/gateways/csc"
import { createOutbound } from "@paraph/gateways/outbound"
import { readCertificate } from "@paraph/pki/certificate"
import { type CscSandbox, startCscProvider } from "@paraph/trust-sandbox/csc"
import { startTrustSandbox, type TrustSandbox } from "@paraph/trust-sandbox/sandbox"
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { afterAll, beforeAll, expect, it } from "vitest"
import { SMALL_PHONE, startBrowser } from "../service/browser.ts"
import { mustBeSound } from "../service/sound.ts"

const CLIENT = { clientId: "paraph", clientSecret: "secret" }
const now = () => new Date()
const LOGIN = "ada.lovelace@example.org"

/** We, to whom the browser comes back. */
const service = createServer((_, response) => response.writeHead(200).end("back"))
let redirectUri = ""
let sandbox: TrustSandbox
let csc: CscSandbox
let browser: Browser
beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve))
  redirectUri = `http://127.0.0.1:${(service.address() as AddressInfo).port}/qes/back`
  sandbox = await startTrustSandbox({ now })
  csc = await startCscProvider({ sandbox, now, clients: [{ ...CLIENT, redirectUris: [redirectUri] }] })
  browser = await startBrowser()
})
afterAll(async () => {
  await browser?.close()
  await csc?.close()
  await sandbox?.close()
  service.closeAllConnections()
  await new Promise((resolve) => service.close(resolve))
})

const client = () =>
  createCscProvider(
    {
      ...CLIENT,
      ...{ name: "sandbox", baseUrl: csc.baseUrl, legislation: "EIDAS", kind: "demo" },
      anchors: [readCertificate(sandbox.root)],
    },
    { outbound: createOutbound({ allowedHosts: { qes: ["127.0.0.1"] } }), now },
  )
const newWay = () => ({
  redirectUri,
  state: crypto.randomUUID(),
  codeVerifier: `${crypto.randomUUID()}${crypto.randomUUID()}`,
})
async function open(url: string, options: BrowserContextOptions): Promise<Page> {
  const page = await (await browser.newContext(options)).newPage()
  page.setDefaultTimeout(30_000)
  await page.goto(url)
  return page
}
/** What stands behind the `?` when the browser is sent back. */
async function press(page: Page, name: string): Promise<string> {
  await page.getByRole("button", { name }).click()
  await page.waitForURL((url) => url.href.startsWith(redirectUri))
  return new URL(page.url()).search
}

it("has a person log in, see what is signed, and release it, without a script", async () => {
  const provider = client()
  const first = newWay()
  const page = await open(await provider.authorizationUrl({ scope: "service", ...first, loginHint: LOGIN }), {
    javaScriptEnabled: false,
  })
  await page.getByRole("button", { name: "Log in" }).click()
  await page.getByRole("heading", { name: "Show your certificates" }).waitFor()
  const { accessToken } = await provider.exchange(first, await press(page, "Continue"))
  const [credential] = (await provider.credentials(accessToken)).usable
  const [algorithm] = credential?.algorithms ?? []
  if (credential === undefined || algorithm === undefined) throw new Error("Nothing to sign with.")

  // The provider knows the browser by now: one press is left, for exactly these hashes.
  const toBeSigned = [Buffer.from("one"), Buffer.from("two")]
  const asked = { credentialId: credential.id, algorithm, toBeSigned }
  const second = newWay()
  await page.goto(await provider.authorizationUrl({ scope: "credential", ...second, ...asked }))
  await page.getByRole("heading", { name: "Sign 2 documents" }).waitFor()
  expect(await page.getByRole("listitem").count()).toBe(2)
  const released = await provider.exchange(second, await press(page, "Release"))
  const signing = { ...asked, certificate: credential.certificate, accessToken: released.accessToken }
  expect(await provider.signHash(signing)).toMatchObject({ state: "signed" })

  const third = newWay()
  await page.goto(await provider.authorizationUrl({ scope: "credential", ...third, ...asked }))
  const refused = await press(page, "Refuse")
  await expect(provider.exchange(third, refused)).rejects.toMatchObject({ code: "refused" })
  expect(csc.signatures().length).toBe(2)
  await page.context().close()
})

it.each<[string, BrowserContextOptions]>([
  ["desktop", { viewport: { width: 1280, height: 800 } }],
  ["small-phone", SMALL_PHONE],
])("is free of axe's findings on %s", async (name, options) => {
  const toBeSigned = Array.from({ length: 50 }, (_, index) => Buffer.from(`document ${index}`))
  const algorithm = { name: "ecdsa-sha256", signAlgo: "1.2.840.10045.4.3.2" } as const
  const asked = { credentialId: "any", algorithm, toBeSigned, description: "Lease" }
  const url = await client().authorizationUrl({
    scope: "credential",
    ...newWay(),
    ...asked,
    loginHint: LOGIN,
  })
  const page = await open(url, options)
  await mustBeSound(page, `qes-provider-login-${name}`)
  await page.getByRole("button", { name: "Log in" }).click()
  await page.getByRole("heading", { name: "Sign 50 documents" }).waitFor()
  await mustBeSound(page, `qes-provider-release-${name}`)
  await page.context().close()
})
