import { randomUUID } from "node:crypto"
import { readPng } from "@paraph/pades/png"
import PostalMime from "postal-mime"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Api, call } from "../service/api.ts"
import { linkIn, mailsComeTo, rawMail } from "../service/mailbox.ts"
import { memberApi } from "../service/members.ts"
import { block } from "../service/pictures.ts"
import { newAddress, sentTo } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { openSession, pathOf } from "../service/signer.ts"

/** An orange block with room around it: were its edge taken for paper, nothing would be left. */
const orange = (width: number, height: number, left = 0): Buffer =>
  block(width, height, [0xff, 0x88, 0x00], { left })

const PNG = { "content-type": "image/png" }
const LOGO = "/v3/settings/logo"

let service: Service
let owner: Api & { email: string }
let member: Api
beforeAll(async () => {
  service = await startService()
  ;[owner, member] = await Promise.all([memberApi(service, "owner"), memberApi(service, "member")])
}, 300_000)
afterAll(() => service?.close())

const logoIs = async () => (await owner.get("/v3/settings")).body.branding.logo

describe("a logo", () => {
  it("is cleaned, keeps its colours, and is set and taken away by owners and admins", async () => {
    expect((await owner.get(LOGO)).status).toBe(404)
    expect((await owner.delete(LOGO)).status).toBe(404)
    expect((await owner.put(LOGO, orange(900, 450, 30), PNG)).status).toBe(204)
    expect(await logoIs()).toBe(true)
    const got = await member.get(LOGO)
    expect([got.status, got.headers.get("content-type")]).toEqual([200, "image/png"])
    const { width, height, rgb } = readPng(got.bytes)
    expect(height).toBeLessThanOrEqual(200)
    expect(width / height).toBeCloseTo(840 / 390, 0)
    const middle = 3 * (Math.floor(height / 2) * width + Math.floor(width / 2))
    expect([...rgb.subarray(middle, middle + 3)]).toEqual([0xff, 0x88, 0x00])
    for (const who of [member, service.caller]) {
      for (const { status, body } of [await who.put(LOGO, orange(9, 9), PNG), await who.delete(LOGO)])
        expect([status, body.key]).toEqual([403, "error.role.needed"])
    }
    expect((await service.caller.get(LOGO)).status).toBe(403)
    expect((await owner.delete(LOGO)).status).toBe(204)
    expect(await logoIs()).toBe(false)
    const acts = `select actor, before->>'logo' is null, after->>'logo' is null from audit_log where act = 'set-logo' order by id`
    expect(await service.sql(acts)).toBe(`${owner.email}|t|f\n${owner.email}|f|t`)
  })

  it.each([
    ["a text that says it is a picture", Buffer.from("hello"), "image/png", 400],
    ["a PDF that says it is a picture", Buffer.from("%PDF-1.7\n"), "image/jpeg", 400],
    ["a picture of nothing", orange(40, 40, 20), "image/png", 400],
    ["one that is cut short", orange(400, 400).subarray(0, 200), "image/png", 400],
    ["one that is too large", Buffer.alloc(512_001, 1), "image/png", 413],
    ["nothing at all", Buffer.alloc(0), "image/png", 415],
    ["a drawing that could hold a program", Buffer.from("<svg/>"), "image/svg+xml", 415],
  ])("is not %s", async (_, bytes, type, status) => {
    expect((await owner.put(LOGO, bytes, { "content-type": type })).status).toBe(status)
    expect(await logoIs()).toBe(false)
  })
})

describe("a business", () => {
  /** The door, the view and the mail of somebody who is asked to sign. */
  async function met() {
    const who = newAddress("signer")
    await sentTo(service.caller, "v2", [who])
    const [mail] = await mailsComeTo(who)
    if (mail === undefined) throw new Error("No mail.")
    const link = linkIn(mail) ?? ""
    const door = await call(service.url, "GET", pathOf(link), undefined, {})
    const view = (await (await openSession(service.url, link)).view()).body
    return { door: door.bytes.toString(), view, email: await PostalMime.parse(await rawMail(mail)) }
  }
  const get = (path: string) => call(service.url, "GET", path, undefined, {})

  it("that has said nothing looks as all do", async () => {
    const { door, view, email } = await met()
    expect(door).not.toMatch(/<img|\/app\/accent|class="ours"/)
    expect(view.branding).toEqual({ style: null, logo: null })
    expect(email.from?.name).toBe("Acme AG via Paraph")
    expect(email.attachments).toEqual([])
    expect(email.html).toContain("#1d3a86")
    expect(email.html).not.toMatch(/<img|cid:/)
  })

  it("is seen at the door, while one signs and in the mails, by its logo, its colour and its sender's name", async () => {
    const branding = { accent: "#0F766E", sender_name: "Acme Contracts" }
    expect((await owner.patch("/v3/settings", { branding })).status).toBe(200)
    expect((await owner.put(LOGO, orange(600, 200), PNG)).status).toBe(204)
    // Until an operator has confirmed the name, mails come from the one that is registered.
    expect((await met()).email.from?.name).toBe("Acme AG via Paraph")
    const named = ["--business", service.business, "--name", branding.sender_name]
    await service.paraph("admin", "confirm-sender-name", ...named)
    const { door, view, email } = await met()

    const { style, logo } = view.branding
    expect(style).toBe("/app/accent/0f766e.css")
    expect(door).toContain(`<link rel="stylesheet" href="${style}">`)
    expect(door).toContain(`<img class="logo" src="${logo}" alt="Acme AG">`)
    // Our own name stays, and is small; who asks is called by the name that the operator knows.
    expect(door).toContain('<p class="ours">')
    expect([view.request.sender, door.includes("Acme Contracts")]).toEqual(["Acme AG", false])
    const css = await get(style)
    expect([css.status, css.headers.get("content-type")]).toEqual([200, expect.stringContaining("text/css")])
    expect(css.bytes.toString()).toContain("--accent: #0f766e;")
    const picture = await get(logo)
    expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/png"])
    expect(readPng(picture.bytes).width).toBeGreaterThan(100)

    expect(email.from?.name).toBe("Acme Contracts (Acme AG) via Paraph")
    expect(email.subject).toContain("Acme Contracts")
    expect(email.text).toContain("Sent by Acme AG through Paraph.")
    expect(email.html).toContain("background-color:#0f766e")
    const [inline, ...more] = email.attachments
    expect(more).toEqual([])
    expect(inline).toMatchObject({ mimeType: "image/png", disposition: "inline", related: true })
    const contentId = inline?.contentId?.slice(1, -1)
    expect(email.html).toContain(`<img src="cid:${contentId}"`)
    expect(Buffer.from(inline?.content as ArrayBuffer).equals(picture.bytes)).toBe(true)
    // Nothing is loaded from anywhere.
    expect(email.html?.match(/src="[^"]*"/g)).toEqual([`src="cid:${contentId}"`])
  })

  it("that passes for somebody else loses it by the operator, and that is on record", async () => {
    const remove = () => service.paraph("admin", "remove-branding", "--business", service.business)
    expect([await remove(), await remove()]).toMatchObject([{ removed: true }, { removed: false }])
    const { branding } = (await owner.get("/v3/settings")).body
    expect(branding).toEqual({ accent: null, logo: false, sender_name: null, sender_name_state: "CONFIRMED" })
    const record = "select before->>'sender_name' from audit_log where act = 'remove-branding'"
    expect(await service.sql(record)).toBe("Acme Contracts")
  })

  it("leads nowhere by a colour that nobody could read, or a logo that nobody has", async () => {
    expect((await get(`/app/logo/${randomUUID()}.png`)).status).toBe(404)
    // Too light, and what is no colour.
    for (const accent of ["ffcc00", "red", "0F766E", "0f766e;}", "0f766"])
      expect([accent, (await get(`/app/accent/${accent}.css`)).status]).not.toEqual([accent, 200])
  })
})
