import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { callbackAddress, callbackUrlFault } from "./address.ts"

const REQUEST = "4f7f2f4e-2b5c-4f3e-9a43-0d5a4dfb1c11"
const DOCUMENT = "a2b8d3de-7c0e-4c0f-b1a6-50a4a9f3d222"
const address = (template: string) => callbackAddress(template, REQUEST, DOCUMENT)

describe("callbackAddress", () => {
  it.each([
    ["in the path", "https://a.example/r/SERVICE_SIGNATURE_REQUEST_ID", `https://a.example/r/${REQUEST}`],
    ["in the query", "https://a.example/?d=SERVICE_DOCUMENT_ID", `https://a.example/?d=${DOCUMENT}`],
    [
      "each as often as it stands there",
      "https://a.example/SERVICE_DOCUMENT_ID/SERVICE_SIGNATURE_REQUEST_ID?d=SERVICE_DOCUMENT_ID",
      `https://a.example/${DOCUMENT}/${REQUEST}?d=${DOCUMENT}`,
    ],
    [
      "side by side, with nothing between",
      "https://a.example/SERVICE_DOCUMENT_IDSERVICE_SIGNATURE_REQUEST_ID",
      `https://a.example/${DOCUMENT}${REQUEST}`,
    ],
    [
      "inside a longer word",
      "https://a.example/x_SERVICE_DOCUMENT_ID_x",
      `https://a.example/x_${DOCUMENT}_x`,
    ],
    ["in the fragment", "https://a.example/#SERVICE_DOCUMENT_ID", `https://a.example/#${DOCUMENT}`],
  ])("[EVT-02 v2] replaces placeholders %s", (_, template, expected) => {
    expect(address(template)).toBe(expected)
  })

  it.each([
    "https://a.example/service_document_id",
    "https://a.example/Service_Signature_Request_Id",
    "https://a.example/SERVICE_DOCUMENT_I",
    "https://a.example/SERVICE-DOCUMENT-ID",
    "https://a.example/%53ERVICE_DOCUMENT_ID",
  ])("[EVT-02 v2] leaves alone what is no placeholder: %s", (template) => {
    expect(address(template)).toBe(template)
  })

  it("[EVT-02 v2] calls any URL without placeholders unchanged", () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (url) => {
        expect(address(url)).toBe(url)
      }),
    )
  })
})

describe("callbackUrlFault", () => {
  it.each([
    "https://a.example/",
    "https://a.example/path?r=SERVICE_SIGNATURE_REQUEST_ID&d=SERVICE_DOCUMENT_ID",
    "https://a.example:8443/SERVICE_DOCUMENT_ID",
    "HTTPS://A.EXAMPLE/",
    "https://[2001:db8::1]/",
  ])("finds none in %s", (url) => {
    expect(callbackUrlFault(url)).toBeNull()
  })

  it.each([
    ["http://a.example/", "must be https"],
    ["ftp://a.example/", "must be https"],
    ["javascript:alert(1)", "must be https"],
    ["file:///etc/passwd", "must be https"],
    ["a.example/path", "is not a URL"],
    ["/path", "is not a URL"],
    ["", "is not a URL"],
    ["https://", "is not a URL"],
    ["https://ann@a.example/", "may not carry a user name or a password"],
    ["https://ann:secret@a.example/", "may not carry a user name or a password"],
    ["https://:secret@a.example/", "may not carry a user name or a password"],
    ["https://SERVICE_DOCUMENT_ID.example/", "may not have a placeholder in its host"],
    ["https://a.SERVICE_SIGNATURE_REQUEST_ID.example/", "may not have a placeholder in its host"],
    ["https://service_document_id.example/", "may not have a placeholder in its host"],
    ["https://SERVICE%5FDOCUMENT%5FID.example/", "may not have a placeholder in its host"],
    ["https://SERVICE_\tDOCUMENT_ID.example/", "may not have a placeholder in its host"],
  ])("of %j is that it %s", (url, fault) => {
    expect(callbackUrlFault(url)).toBe(fault)
  })

  it("is null only for an address whose host no id can change", () => {
    const part = fc.constantFrom(
      "a",
      ".",
      "-",
      "SERVICE_DOCUMENT_ID",
      "service_signature_request_id",
      "%5F",
      "\t",
    )
    const host = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(""))
    fc.assert(
      fc.property(host, (name) => {
        const template = `https://${name}/SERVICE_DOCUMENT_ID`
        fc.pre(callbackUrlFault(template) === null)
        expect(new URL(address(template)).host).toBe(new URL(template).host)
      }),
    )
  })
})
