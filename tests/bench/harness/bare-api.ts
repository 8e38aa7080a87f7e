// Fastify and one indexed read, and nothing else: what a call costs whoever builds the same with the same parts. Told by its
// parent where the database is, and what to answer; says its port.
import { withServiceScope } from "@paraph/store/postgres/service-scope"
import Fastify from "fastify"
import pg from "pg"

type Told = { readonly databaseUrl: string; readonly id: string; readonly answer: object }

process.once("message", async ({ databaseUrl, id, answer }: Told) => {
  const pool = new pg.Pool({ connectionString: withServiceScope(databaseUrl), max: 10 })
  const app = Fastify({ logger: false })
  // As many bytes of JSON as ours are, by a read of the same row.
  app.get("/requests/:id", async (request) => {
    const { id } = request.params as { id: string }
    const { rows } = await pool.query({
      name: "read",
      text: "select * from signature_request where id = $1",
      values: [id],
    })
    if (rows.length !== 1) throw new Error("There is none.")
    return answer
  })
  const url = await app.listen({ host: "127.0.0.1", port: 0 })
  process.send?.({ url, id })
})
process.once("disconnect", () => process.exit(0))
