import type { IncomingMessage, ServerResponse } from "node:http"

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** Lets the real provider answer, and sends something else in its place. */
export async function capture(
  rest: Handler,
  request: IncomingMessage,
  response: ServerResponse,
  change: (body: string) => { readonly body: string; readonly type?: string },
): Promise<void> {
  const pieces: Buffer[] = []
  const end = response.end.bind(response)
  const take = (piece: unknown) => {
    if (typeof piece === "string" || piece instanceof Uint8Array) pieces.push(Buffer.from(piece))
  }
  response.write = (piece: unknown) => {
    take(piece)
    return true
  }
  response.end = (piece?: unknown) => {
    take(piece)
    const said = Buffer.concat(pieces).toString("utf8")
    const isGood = response.statusCode === 200
    const { body, type } = isGood ? change(said) : { body: said, type: undefined }
    if (type !== undefined) response.setHeader("content-type", type)
    response.setHeader("content-length", Buffer.byteLength(body))
    return end(body)
  }
  await rest(request, response)
}
