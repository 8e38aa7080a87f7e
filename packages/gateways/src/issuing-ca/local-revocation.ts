import type { RevocationPorts } from "@paraph/pki/revocation-evidence"
import { answerNow } from "./answers.ts"
import { IssuingFailed } from "./failed.ts"
import { refreshLists } from "./lists.ts"
import type { Kind } from "./records.ts"
import { type AuthorityWorld, isOfTheFuture, nameOf } from "./world.ts"

/**
 * What our own authority says, to ourselves: a worker has its keys, so nothing goes over HTTP and nothing waits for an api process.
 * Every other address is asked as ever.
 */
export function createLocalRevocation(
  world: AuthorityWorld,
  others: RevocationPorts,
  now: () => Date,
): RevocationPorts {
  const ours = (url: string) => readPlace(world.address, url)
  const found = async (place: Place) => {
    const rows = await world.records.authorities(place.kind)
    const row = rows.find((one) => nameOf(one) === place.name)
    if (row?.certificate == null) throw new IssuingFailed("no-authority", "There is no such authority here.")
    return { id: row.id, certificate: row.certificate }
  }
  const { fetchCertificate } = others
  return {
    askOcsp: async (url, request) => {
      const place = ours(url)
      return place?.what === "ocsp"
        ? answerNow(world, place.kind, request, now())
        : others.askOcsp(url, request)
    },
    fetchCrl: async (url) => {
      const place = ours(url)
      if (place?.what !== "crl") return others.fetchCrl(url)
      const { id } = await found(place)
      const kept = await world.records.findList(id)
      if (kept !== null && kept.until > now() && !isOfTheFuture(kept.issuedAt, now())) return kept.list
      // Where the key is not here, what there is has to do: whoever reads it judges its dates.
      await refreshLists(world, place.kind, now())
      const list = await world.records.findList(id)
      if (list === null) throw new IssuingFailed("no-authority", "The authority has no list yet.")
      return list.list
    },
    ...(fetchCertificate && {
      fetchCertificate: async (url) => {
        const place = ours(url)
        return place?.what === "cer" ? (await found(place)).certificate : fetchCertificate(url)
      },
    }),
  }
}

type Place = { readonly kind: Kind; readonly what: "ocsp" | "crl" | "cer"; readonly name: string }

/** The addresses that `placesOf` writes; null for everybody else's. */
function readPlace(address: string, url: string): Place | null {
  const parts = /^\/pki\/(demo|production)\/(?:(ocsp)|([a-z]+-\d+)\.(crl|cer))$/.exec(
    url.startsWith(address) ? url.slice(address.length) : "",
  )
  const [, kind, ocsp, name = "", file] = parts ?? []
  const what = ocsp ?? file
  if ((kind !== "demo" && kind !== "production") || what === undefined) return null
  return { kind, what: what as Place["what"], name }
}
