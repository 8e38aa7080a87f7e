// What authorities said of a document, once, so that it can be said again to every copy of it without asking them. Lists only:
// an answer by OCSP repeats the number of its question, and so is good for one.

import type { RevocationPorts } from "@paraph/pki/revocation-evidence"

/** By address; a question that was never asked has no answer. */
export type Answers = Readonly<Record<string, Uint8Array>>

const nobody = async (): Promise<Uint8Array> => {
  throw new Error("Nobody is asked.")
}

export function recording(fetchCrl: RevocationPorts["fetchCrl"]) {
  const answers: Record<string, Uint8Array> = {}
  const fetch = async (url: string) => (answers[url] = await fetchCrl(url))
  const ports: RevocationPorts = { askOcsp: nobody, fetchCrl: fetch, fetchCertificate: nobody }
  return { answers, ports }
}

export const replaying = (answers: Answers): RevocationPorts => ({
  askOcsp: nobody,
  fetchCrl: async (url) => answers[url] ?? nobody(),
  fetchCertificate: nobody,
})
