// What stands around the service, each behind an edge that can be closed, slowed or cut.
import { startS3Proxy } from "@paraph/store/testing/s3-proxy"
import type { Stack } from "../../../scripts/stack/stack.ts"
import { freePort } from "../../service/settings.ts"
import { startCluster } from "./cluster.ts"
import { startMailServer } from "./mail.ts"
import { startPatroniCluster } from "./patroni.ts"
import { type Edge, startEdge } from "./proxy.ts"
import { startReceiver } from "./receiver.ts"
import { startTsa } from "./tsa.ts"

/** Who promotes: the rig itself, or Patroni. */
export type RigOptions = { readonly patroni: boolean }

export type Surroundings = Awaited<ReturnType<typeof startSurroundings>>

export async function startSurroundings({ dir, services, env }: Stack, { patroni }: RigOptions) {
  const { postgres, trust, clamd } = services
  const { port, dataDir = "", process } = postgres
  const begin = patroni ? startPatroniCluster : startCluster
  const cluster = await begin(dir, { name: "a", port, dataDir, process }, await freePort())
  const mailPort = await freePort()
  const tsa = await startTsa(await freePort(), trust.port)
  const edgeTo = async (to: number) => startEdge(await freePort(), () => to)
  const edges = {
    a: await edgeTo(cluster.servers[0].port),
    b: await edgeTo(cluster.servers[1].port),
    smtp: await edgeTo(mailPort),
    trust: await edgeTo(tsa.port),
    scanner: await edgeTo(clamd.port),
  }
  const mail = await startMailServer(mailPort, () => edges.smtp.cut())
  const s3 = await startS3Proxy(env.S3_ENDPOINT ?? "")
  const receiver = await startReceiver(dir, await freePort())
  const throughBoth = (url = "") =>
    url.replace(`127.0.0.1:${port}`, `127.0.0.1:${edges.a.port},127.0.0.1:${edges.b.port}`)
  const through = (url = "", from: number, edge: Edge) => url.replaceAll(`:${from}`, `:${edge.port}`)
  const settings: Readonly<Record<string, string>> = {
    ...env,
    DATABASE_URL: throughBoth(env.DATABASE_URL),
    // For psql, which takes the first host that answers unless it is told what it is for.
    DATABASE_OWNER_URL: `${throughBoth(env.DATABASE_OWNER_URL)}?target_session_attrs=read-write`,
    S3_ENDPOINT: s3.url,
    SMTP_URL: `smtp://127.0.0.1:${edges.smtp.port}`,
    SCANNER_URL: through(env.SCANNER_URL, clamd.port, edges.scanner),
    TIMESTAMP_URLS: through(env.TIMESTAMP_URLS, trust.port, edges.trust),
  }
  return {
    ...{ cluster, tsa, edges, mail, s3, receiver },
    env: settings,
    close: async () => {
      await receiver.close()
      for (const edge of Object.values(edges)) await edge.close()
      await s3.close()
      await mail.close()
      await tsa.close()
      await cluster.close()
    },
  }
}
