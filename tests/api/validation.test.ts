import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Json } from "../service/api.ts"
import { FORM, filePart, form } from "../service/forms.ts"
import { send } from "../service/large.ts"
import { contractPdf, pdfOfSize } from "../service/pdf.ts"
import { type SealingService, startSealing } from "../service/sealing.ts"
import { sendForSignature, signBy } from "../service/signed.ts"
import { AT, changedAfterwards, inBase64, sealed, validate, validateForm } from "../service/validation.ts"

const MB = 1_000_000

describe("the validation interface", () => {
  let service: SealingService
  let spool: string
  let signed: Buffer
  const unsigned = contractPdf()
  beforeAll(async () => {
    spool = await mkdtemp(join(tmpdir(), "paraph-spool-"))
    service = await startSealing({ validation: true, env: { SPOOL_FOLDER: spool, SPOOL_KEPT_MB: "0" } })
    signed = await sealed(service.caller, contractPdf("Sealed."))
  }, 300_000)
  afterAll(async () => {
    await service?.close()
    await rm(spool, { recursive: true, force: true })
  })

  const count = async (table: string) => Number(await service.sql(`select count(*) from ${table}`))
  /** Documents on their way; beside them lies compiled code. */
  const files = async () =>
    (await readdir(spool, { recursive: true, withFileTypes: true })).flatMap((entry) =>
      entry.isFile() && !/\/code(\/|$)/.test(entry.parentPath) ? [entry.name] : [],
    )

  it("[VAL-01] takes a PDF in Base64 or as a form, and answers an id and a verdict", async () => {
    for (const post of [validate, validateForm]) {
      const { status, headers, body } = await post(service.caller, unsigned)
      expect([status, headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"])
      expect(body).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        valid: false,
        signatures: 0,
        validSignatures: 0,
        quality: null,
        legislation: null,
        longTermValidation: false,
        visualDifferences: false,
        undefinedChanges: false,
        additionalInfos: {},
      })
    }
    const { body } = await validate(service.caller, signed)
    expect(body).toEqual({
      id: expect.any(String),
      valid: true,
      signatures: 1,
      validSignatures: 1,
      quality: "AES",
      legislation: "WORLD",
      longTermValidation: true,
      visualDifferences: false,
      undefinedChanges: false,
      additionalInfos: {},
    })
  })

  it("[VAL-01] takes 50 MB by either way, and not one byte more, of the file or of the whole request", async () => {
    const path = `${AT}/validate/document`
    const post = (contentType: string, ...parts: Buffer[]) =>
      send(service.url, service.caller.token, path, { contentType, parts })
    const around = form([filePart(Buffer.alloc(0))]).length
    const largest = pdfOfSize(50 * MB - around)
    const taken = await post(FORM, form([filePart(largest)]))
    expect([taken.status, taken.body.signatures]).toEqual([200, 0])
    const one = await post(FORM, form([filePart(Buffer.concat([largest, Buffer.from("\n")]))]))
    expect([one.status, one.body.key]).toEqual([413, "file.pdf.too_large"])
    // It says itself that it is too large, and is refused on its way.
    expect(one.sentBytes).toBeLessThan(40 * MB)

    const [before, after] = [Buffer.from('{"content":"'), Buffer.from('"}')]
    const base64 = (bytes: number) => Buffer.from(inBase64(pdfOfSize(bytes)))
    const room = Math.floor((50 * MB - before.length - after.length) / 4) * 3
    expect((await post("application/json", before, base64(room), after)).status).toBe(200)
    const more = await post("application/json", before, base64(room + 3), after)
    expect([more.status, more.body.key]).toEqual([413, "file.pdf.too_large"])
    // Whoever says nothing of the length is stopped on the way.
    const silent = await send(service.url, service.caller.token, path, {
      contentType: "application/json",
      parts: [before, base64(room + 3), after],
      withLength: false,
    })
    expect([silent.status, silent.body.key]).toEqual([413, "file.pdf.too_large"])
    expect(await files()).toEqual([])
  }, 300_000)

  it("[VAL-01] refuses what is no PDF, and what nobody could have meant; a bad signature is an answer", async () => {
    const path = `${AT}/validate/document`
    const { caller } = service
    const kept = [await count("validation"), await count("credit_day")]
    const refused = [
      [await validate(caller, Buffer.from("hello")), 400, "file.pdf.corrupt"],
      [await validate(caller, Buffer.alloc(0)), 400, "file.pdf.corrupt"],
      [await caller.post(path, {}), 400, undefined],
      [await caller.post(path, { content: "not Base64!" }), 400, undefined],
      [await caller.post(path, { content: inBase64(unsigned), password: "x" }), 400, undefined],
      [await caller.post(path, "%PDF-1.7", { "content-type": "application/pdf" }), 415, undefined],
      [await validate(caller, unsigned, "quality=BEST"), 400, undefined],
      [await validate(caller, unsigned, "legislation=ZERTES"), 400, undefined],
      [await validate(caller, unsigned, "infos=everything"), 400, undefined],
      [await validate(caller, unsigned, "longTermValidation=yes"), 400, undefined],
      // Misspelt, it would have let through what was to be refused.
      [await validate(caller, unsigned, "longtermvalidation=true"), 400, undefined],
    ] as const
    for (const [{ status, body, headers }, expected, key] of refused) {
      expect([status, body.key]).toEqual([expected, key])
      expect(headers.get("content-type")).toBe("application/problem+json; charset=utf-8")
    }
    expect([await count("validation"), await count("credit_day")]).toEqual(kept)
    expect(await files()).toEqual([])

    const broken = Buffer.from(signed)
    broken.write("C", broken.indexOf("(Sealed.") + 1)
    const { status, body } = await validate(caller, broken, "infos=validation")
    expect([status, body.valid, body.signatures, body.validSignatures]).toEqual([200, false, 1, 0])
    expect(body.additionalInfos.validation).toMatchObject({
      indication: "TOTAL-FAILED",
      subIndication: "HASH_FAILURE",
    })
  })

  it("[VAL-02, VAL-03, VAL-04] tells the indication, the signers and the format by the id, and with the answer where asked", async () => {
    const query = "infos=validation&infos=signer&infos=format"
    const { body } = await validate(service.caller, signed, query)
    const info = async (what: string) => (await service.caller.get(`${AT}/infos/${body.id}/${what}`)).body
    const [validation, signers, format] = [
      await info("validation"),
      await info("signers"),
      await info("format"),
    ]
    expect(body.additionalInfos).toEqual({ validation, signer: signers, format })
    expect(validation).toEqual({
      indication: "TOTAL-PASSED",
      subIndication: null,
      details: expect.any(Array),
    })
    expect(signers).toEqual([
      {
        field: expect.any(String),
        valid: true,
        indication: "TOTAL-PASSED",
        subIndication: null,
        details: [],
        notes: expect.any(Array),
        signer: "Demo: Acme AG",
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        timeProof: "time-stamp",
        level: expect.stringMatching(/^PAdES-BASELINE-LTA?$/),
        quality: "AES",
        legislation: "WORLD",
        longTermValidation: true,
        visualDifferences: false,
        undefinedChanges: false,
        changes: [],
        certificate: {
          subject: expect.stringContaining("Acme AG"),
          issuer: expect.any(String),
          serialNumber: expect.any(String),
          nameEstablished: null,
        },
        optionalInfos: { name: "Demo: Acme AG", contact: null, location: null, reason: null },
      },
    ])
    expect(format).toEqual({ fileType: "PDF", quality: null, producer: null })
    const none = await validate(service.caller, unsigned, "infos=validation")
    expect(none.body.additionalInfos).toEqual({
      validation: {
        indication: "INDETERMINATE",
        subIndication: "SIGNED_DATA_NOT_FOUND",
        details: ["The document holds no signature."],
      },
    })
  })

  it("says why in sentences, and writes a report by ETSI TS 119 102-2 for other programs", async () => {
    const broken = Buffer.from(signed)
    broken.write("C", broken.indexOf("(Sealed.") + 1)
    const { body } = await validate(service.caller, broken, "infos=validation")
    const { details } = body.additionalInfos.validation
    expect(details.length).toBeGreaterThan(0)
    for (const sentence of details) expect(sentence).toMatch(/^\p{Lu}.* .*\.$/su)
    const { status, headers, bytes } = await service.caller.get(`${AT}/reports/${body.id}/etsi`)
    expect([status, headers.get("content-type")]).toEqual([200, "application/xml; charset=utf-8"])
    expect(headers.get("content-disposition")).toBe('attachment; filename="validation-report.xml"')
    const xml = bytes.toString()
    expect(xml).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>/)
    expect(xml).toContain("urn:etsi:019102:mainindication:total-failed")
    expect(xml).toContain("urn:etsi:019102:subindication:HASH_FAILURE")
  })

  it("a signature that is good and not what was asked for is not valid; the indication stays what it is", async () => {
    for (const query of ["quality=QES", "legislation=CH", "legislation=CH_EU"]) {
      const { body } = await validate(service.caller, signed, `${query}&infos=validation`)
      expect([query, body.valid, body.validSignatures]).toEqual([query, false, 0])
      expect(body).toMatchObject({ quality: "AES", legislation: "WORLD" })
      expect(body.additionalInfos.validation.indication).toBe("TOTAL-PASSED")
    }
    for (const query of ["quality=AES&legislation=WORLD&longTermValidation=true", "legislation=WORLD"])
      expect((await validate(service.caller, signed, query)).body.valid).toBe(true)
  })

  it("[VAL-03] what the service signs for a person, with its own key, is SES", async () => {
    const { body: made } = await service.caller.post("/v2/documents", {
      title: "Contract",
      content: inBase64(unsigned),
    })
    const { id, signer } = await sendForSignature(service, made.id)
    const { document_id } = await signBy(service, id, signer)
    const { bytes } = await service.caller.get(`/v2/documents/${document_id}/content`)
    expect((await validate(service.caller, bytes)).body).toMatchObject({ valid: true, quality: "SES" })
    expect((await validate(service.caller, bytes, "quality=AES")).body.valid).toBe(false)
  })

  it("says why in the reader's language, at once and afterwards; in no other than the four", async () => {
    const broken = Buffer.from(signed)
    broken.write("C", broken.indexOf("(Sealed.") + 1)
    const why = {
      en: "What was signed has been altered since.",
      de: "verändert",
      fr: "modifié",
      it: "modificat",
    }
    const german = await validate(service.caller, broken, "infos=signer&infos=validation&lang=de")
    const { id, additionalInfos } = german.body
    expect(additionalInfos.signer[0].details).toContainEqual(expect.stringContaining(why.de))
    expect(additionalInfos.validation.details).toContainEqual(expect.stringContaining(why.de))
    for (const [lang, words] of Object.entries(why)) {
      const query = lang === "en" ? "" : `?lang=${lang}`
      const { body: validation } = await service.caller.get(`${AT}/infos/${id}/validation${query}`)
      const { body: signers } = await service.caller.get(`${AT}/infos/${id}/signers${query}`)
      expect(validation.details).toContainEqual(expect.stringContaining(words))
      expect(signers[0].details).toContainEqual(expect.stringContaining(words))
      expect(signers[0]).toMatchObject({
        indication: "TOTAL-FAILED",
        subIndication: "HASH_FAILURE",
        valid: false,
      })
    }
    for (const path of [`infos/${id}/signers?lang=es`, `infos/${id}/validation?lang=`])
      expect((await service.caller.get(`${AT}/${path}`)).status).toBe(400)
    expect((await validate(service.caller, broken, "lang=es")).status).toBe(400)
  })

  it("what demo keys made is not trusted by production keys", async () => {
    const { body } = await validate(service.production, signed, "infos=validation")
    expect([body.valid, body.additionalInfos.validation]).toMatchObject([
      false,
      { indication: "INDETERMINATE", subIndication: "NO_CERTIFICATE_CHAIN_FOUND" },
    ])
    const real = await sealed(service.production, contractPdf("Sealed."))
    expect((await validate(service.production, real)).body.valid).toBe(true)
  })

  it("what was changed afterwards is rejected unless the caller says otherwise, explained, and shown before and after", async () => {
    const changed = changedAfterwards(signed, "You owe me a million.")
    const { body } = await validate(service.caller, changed, "infos=validation&infos=signer")
    expect(body).toMatchObject({
      valid: false,
      validSignatures: 0,
      undefinedChanges: true,
      visualDifferences: true,
    })
    expect(body.additionalInfos.validation).toMatchObject({
      indication: "TOTAL-FAILED",
      subIndication: "FORMAT_FAILURE",
    })
    const [signer] = body.additionalInfos.signer
    expect(signer).toMatchObject({ valid: false, undefinedChanges: true, visualDifferences: true })
    expect(signer.changes).toContainEqual({
      path: expect.stringContaining("/Contents"),
      kind: "content",
      page: 1,
      picture: null,
      field: null,
      fill: null,
    })
    const { picture } = signer.changes.find(({ kind }: Json) => kind === "visual")
    const at = `${AT}/infos/${body.id}/differences/${picture}`
    const shown = await Promise.all(
      ["", "?view=before", "?view=after", "?view=difference"].map((view) =>
        service.caller.get(`${at}${view}`),
      ),
    )
    for (const { status, headers, bytes } of shown) {
      expect([status, headers.get("content-type")]).toEqual([200, "image/png"])
      expect(bytes.subarray(1, 4).toString()).toBe("PNG")
    }
    const [usual, before, after, difference] = shown.map(({ bytes }) => bytes.toString("base64"))
    expect(usual).toBe(difference)
    expect(new Set([before, after, difference]).size).toBe(3)
    expect((await service.caller.get(`${AT}/infos/${body.id}/differences/99`)).status).toBe(404)
    expect((await service.caller.get(`${at}?view=above`)).status).toBe(400)

    const lenient = "rejectUndefinedChanges=false&rejectVisualDifferences=false&infos=validation"
    const flagged = (await validate(service.caller, changed, lenient)).body
    expect(flagged).toMatchObject({ valid: true, undefinedChanges: true, visualDifferences: true })
    const half = (await validate(service.caller, changed, "rejectUndefinedChanges=false&infos=validation"))
      .body
    expect([half.valid, half.additionalInfos.validation]).toMatchObject([
      false,
      { indication: "INDETERMINATE", subIndication: "SIG_CONSTRAINTS_FAILURE" },
    ])
  })
})
