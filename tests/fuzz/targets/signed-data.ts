// CMS signatures: what verifies is what was signed, however the rest was changed.

import { join } from "node:path"
import { SIGNATURE_TIMESTAMP_TOKEN, withUnsignedAttribute } from "@paraph/pki/cms"
import { DerError } from "@paraph/pki/der"
import { integer, nullValue } from "@paraph/pki/der-writer"
import { readSignedData } from "@paraph/pki/signed-data"
import { findSigner, verifySignerInfo } from "@paraph/pki/verify-signer-info"
import { marksIn } from "../corpus.ts"
import { CONTENT, sampleMarks, sampleWorld } from "../sample-pki.ts"
import { must, same, type Target } from "../target.ts"

export const signedData: Target = {
  name: "signed-data",
  kind: "der",
  seeds: async () => sampleMarks(await sampleWorld()),
  corpus: (folder) => [...marksIn(join(folder, "dss")), ...marksIn(join(folder, "pyhanko"))],
  refusals: [DerError],
  run: async (input) => {
    const read = readSignedData(input)
    must(read.encoding === "BER" || same(read.der, input), "DER is given back as it is")
    const ways: string[] = [read.encoding]
    for (const signer of read.signerInfos) {
      const certificate = findSigner(read, signer)
      if (certificate === undefined) ways.push("no certificate")
      else {
        const verdict = verifySignerInfo(signer, { certificate, content: CONTENT })
        ways.push(verdict.valid ? "valid" : verdict.reason)
        if (verdict.valid) await mustBeOurs(signer, certificate.der)
      }
    }
    return ways.join(" ")
  },
}

type Signer = ReturnType<typeof readSignedData>["signerInfos"][number]

async function mustBeOurs(signer: Signer, certificate: Uint8Array): Promise<void> {
  const world = await sampleWorld()
  const [mark = new Uint8Array()] = await sampleMarks(world)
  const [ours] = readSignedData(mark).signerInfos
  must(ours !== undefined && same(ours.signature, signer.signature), "a signature has one encoding")
  const [signed, theirs] = [ours?.signedAttributes, signer.signedAttributes]
  must(signed !== undefined && theirs !== undefined && same(signed, theirs), "only what was signed verifies")
  must(same(certificate, world.signer.certificate.der), "no other certificate verifies")
}

export const unsignedAttribute: Target = {
  name: "unsigned-attribute",
  kind: "der",
  seeds: async () => sampleMarks(await sampleWorld()),
  refusals: [DerError],
  run: (input) => {
    const grown = withUnsignedAttribute(input, SIGNATURE_TIMESTAMP_TOKEN, nullValue())
    const before = readSignedData(input)
    const after = readSignedData(grown)
    const [old] = before.signerInfos
    const [signer] = after.signerInfos
    must(after.encoding === "DER", "what was added to DER is DER")
    must(old !== undefined && signer !== undefined, "there is one signer before and after")
    if (old === undefined || signer === undefined) return ""
    must(same(old.signature, signer.signature), "the signature stays")
    must(
      same(old.signedAttributes ?? integer(0), signer.signedAttributes ?? integer(0)),
      "the signed attributes stay",
    )
    must(signer.unsignedAttributes.length === old.unsignedAttributes.length + 1, "one attribute is added")
    return String(signer.unsignedAttributes.length)
  },
}
