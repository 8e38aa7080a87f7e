import { type AnyRequest, NotSignedError, type Paraph } from "@paraph/sdk"
import { COMMANDS } from "./commands.ts"
import { NotUnderstood } from "./not-understood.ts"
import { print } from "./printed.ts"
import { changesTold, exitCodeOf, requestTold } from "./request-told.ts"
import { asking, serviceOf } from "./service.ts"
import { typed } from "./synopsis.ts"

/** `paraph status`: how a request stands, for people and by its exit code for scripts. */
export async function status(words: readonly string[]): Promise<number> {
  const { values, positionals } = typed(COMMANDS.status.usage, words)
  const [id = ""] = positionals
  if (positionals.length !== 1 || !/^[0-9a-f-]{36}$/i.test(id))
    throw new NotUnderstood("paraph status: which request? Its id is what paraph send has printed.")
  const service = serviceOf()
  const found = await asking(() =>
    values.watch === true
      ? watched(service, id)
      : service.v3.get("/signature-requests/{id}", { path: { id } }),
  )
  print({ value: found, words: requestTold(found) }, values.json === true)
  return exitCodeOf(found)
}

/** Waits for the end of a request, whichever it is, and says on stderr what happens until then. */
export async function watched(service: Paraph, id: string): Promise<AnyRequest> {
  let last: AnyRequest | null = null
  const tell = (request: AnyRequest) => {
    for (const line of changesTold(last, request)) console.error(line)
    last = request
  }
  const end = await service.v3.waitUntilSigned(id, { onChange: tell }).catch((error: unknown) => {
    if (error instanceof NotSignedError) return error.request
    throw error
  })
  tell(end)
  return end
}
