import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call } from "../service/api.ts"
import { FORM, type FormPart, filePart, form, titlePart } from "../service/forms.ts"
import { contractPdf } from "../service/pdf.ts"
import { type Service, startService } from "../service/service.ts"
import { documentCount } from "../service/stored.ts"

const pdf = contractPdf()
const content = pdf.toString("base64")
const title = titlePart("Contract")

/** What no client sends on purpose; each is answered at once, and nothing of it is kept. */
describe("bodies that are not what they should be", () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ worker: false })
  })
  afterAll(() => service?.close())

  const post = async (body: string | Uint8Array, contentType: string, query = "") => {
    const { status, body: problem } = await service.caller.post(`/v2/documents${query}`, body, {
      "content-type": contentType,
    })
    return { status, key: problem.key, message: problem.message }
  }
  const postForm = (...parts: FormPart[]) => post(form(parts), FORM)

  it("in forms: no title, no file, two files, another name, too many fields, one twice", async () => {
    const many = Array.from({ length: 30 }, (_, i) => ({ name: `field${i}`, value: "x" }))
    const cases: Record<string, Promise<{ status: number; message: string }>> = {
      "no title": postForm(filePart(pdf)),
      "no file": postForm(title),
      "two files": postForm(title, filePart(pdf), filePart(pdf)),
      "another name": postForm(title, { ...filePart(pdf), name: "file" }),
      "many fields": postForm(...many, title, filePart(pdf)),
      "a title twice": postForm(title, title, filePart(pdf)),
      "a title as a file": postForm({ ...title, fileName: "title.txt" }, filePart(pdf)),
      "a title of too many characters": postForm(titlePart("x".repeat(1025)), filePart(pdf)),
      "a field that is larger than any": postForm(titlePart("x".repeat(20_000)), filePart(pdf)),
      "a field of a prototype": postForm({ name: "__proto__", value: "x" }, filePart(pdf)),
      "content as a field": postForm(title, { name: "content", value: content }),
      "a file beside file_url": postForm(
        title,
        { name: "file_url", value: "https://example.org/" },
        filePart(pdf),
      ),
      // The parser of forms would wait for the rest of it for ever.
      "a part whose headers do not end": post("--b\r\nX\r\n--b--\r\n", "multipart/form-data; boundary=b"),
      nothing: post("", FORM),
      "only the end": post(form([]), FORM),
    }
    for (const [name, asked] of Object.entries(cases)) {
      const { status, message } = await asked
      expect([name, status]).toEqual([name, 400])
      expect(message).not.toBe("")
    }
    expect(await documentCount(service)).toBe(0)
  })

  it("in forms: what breaks off, has no boundary or another one", async () => {
    const whole = form([title, filePart(pdf)])
    const inFile = whole.indexOf("%PDF") + 100
    const cases = {
      "without its last line": post(form([title, filePart(pdf)], { end: false }), FORM),
      "in the middle of the file": post(whole.subarray(0, inFile), FORM),
      "in the middle of a header": post(whole.subarray(0, whole.indexOf("filename") + 3), FORM),
      "no boundary": post(whole, "multipart/form-data"),
      "an empty boundary": post(whole, "multipart/form-data; boundary="),
      "another boundary": post(whole, "multipart/form-data; boundary=another"),
    }
    for (const [name, asked] of Object.entries(cases))
      expect([name, (await asked).status]).toEqual([name, 400])
    expect(await documentCount(service)).toBe(0)
  })

  it("in forms: a file of another type is no PDF, whatever it holds", async () => {
    expect(await postForm(title, filePart(pdf, "image/png"))).toMatchObject({
      status: 400,
      key: "file.pdf.general_error",
    })
  })

  it("as they are: no title, two titles, nothing at all", async () => {
    expect((await post(pdf, "application/pdf")).status).toBe(400)
    expect((await post(pdf, "application/pdf", "?title=")).status).toBe(400)
    expect((await post(pdf, "application/pdf", "?title=a&title=b")).status).toBe(400)
    expect((await post(pdf, "application/pdf", "?title=%00")).status).toBe(400)
    expect(await post("", "application/pdf", "?title=a")).toMatchObject({
      status: 400,
      key: "file.pdf.corrupt",
    })
    const none = await call(service.url, "POST", "/v2/documents", undefined, {
      authorization: `Bearer ${service.caller.token}`,
    })
    expect(none.status).toBe(400)
    expect(await documentCount(service)).toBe(0)
  })

  it("of types that nobody takes", async () => {
    for (const type of [
      "text/plain",
      "application/xml",
      "application/x-www-form-urlencoded",
      "nonsense",
      "*/*",
    ])
      expect([type, (await post(pdf, type, "?title=a")).status]).toEqual([type, 415])
  })

  it("in JSON: what is no JSON, what is no Base64, what is of another type", async () => {
    const cases: readonly (readonly [string, string | undefined])[] = [
      ["", undefined],
      ["{", undefined],
      ["[]", undefined],
      [`{"title":"C","content":"${content}"`, undefined],
      [`{"title":"C","content":"${content}"}}`, undefined],
      [`{"title":"C","content":"${content}","content":"${content}"}`, undefined],
      [`{"content":"${content}"}`, undefined],
      [`{"title":1,"content":"${content}"}`, undefined],
      ['{"title":"C","content":"@@@@"}', undefined],
      ['{"title":"C","content":"QUJD="}', undefined],
      ['{"title":"C","content":7}', undefined],
      ['{"title":"C","content":null}', undefined],
      ['{"title":"C","content":""}', "file.pdf.corrupt"],
      ['{"title":"C","content":"JVBERi0="}', "file.pdf.corrupt"],
      [`{"title":"C","content":"${content}","content_type":"image/png"}`, "file.pdf.general_error"],
      [`{"title":"C","content":"${content}","content_type":""}`, "file.pdf.general_error"],
    ]
    for (const [body, key] of cases) {
      const answer = await post(body, "application/json")
      expect([body.slice(0, 60), answer.status, answer.key]).toEqual([body.slice(0, 60), 400, key])
    }
    expect(await documentCount(service)).toBe(0)
  })
})
