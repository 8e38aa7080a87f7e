import { type ClientRequest, request } from "node:http"
import { isIP, type Socket } from "node:net"
import { connect, type SecureContext } from "node:tls"
import { OutboundFailed } from "./failed.ts"

/**
 * Opens a TLS connection to the target through an HTTP proxy (RFC 9110, 9.3.6 CONNECT). The proxy resolves the
 * name, so the address guard has judged only the literal: the proxy's own rules must keep it out of the
 * operator's network.
 */
export async function openTunnel(
  proxy: URL,
  target: URL,
  secureContext: SecureContext,
  signal: AbortSignal,
): Promise<Socket> {
  const socket = await askForTunnel(proxy, target, signal)
  return new Promise((resolve, reject) => {
    const secured = connect({ socket, secureContext, ...serverName(target) })
    const abort = () => secured.destroy(new OutboundFailed("timeout", "No answer in time."))
    signal.addEventListener("abort", abort, { once: true })
    const fail = (error: Error) => {
      socket.destroy()
      reject(error)
    }
    secured.once("error", fail)
    secured.once("secureConnect", () => {
      signal.removeEventListener("abort", abort)
      secured.off("error", fail)
      resolve(secured)
    })
  })
}

function askForTunnel(proxy: URL, target: URL, signal: AbortSignal): Promise<Socket> {
  const authority = `${target.hostname}:${target.port || 443}`
  return new Promise((resolve, reject) => {
    const asked: ClientRequest = request({
      ...proxyAddress(proxy),
      method: "CONNECT",
      path: authority,
      headers: { host: authority, ...proxyCredentials(proxy) },
      agent: false,
      signal,
    })
    asked.once("error", reject)
    asked.once("response", () => asked.destroy(new OutboundFailed("connection", "The proxy refused.")))
    asked.once("connect", (answer, socket) => {
      if (answer.statusCode === 200) return resolve(socket)
      socket.destroy()
      reject(new OutboundFailed("connection", `The proxy answered ${answer.statusCode}.`))
    })
    asked.end()
  })
}

export function proxyCredentials(proxy: URL): Record<string, string> {
  if (proxy.username === "") return {}
  const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`
  return { "proxy-authorization": `Basic ${Buffer.from(credentials).toString("base64")}` }
}

// RFC 6066, 3: a server name is never an address. The certificate is judged by the host all the same: without one
// Node would judge it by the host of the socket, which is the proxy.
function serverName({ hostname }: URL): { host: string; servername: string } {
  const host = hostname.replace(/^\[(.*)\]$/, "$1")
  return { host, servername: isIP(host) === 0 ? host : "" }
}

export function proxyAddress({ hostname, port }: URL): { host: string; hostname: string; port: number } {
  const host = hostname.replace(/^\[(.*)\]$/, "$1")
  return { host, hostname: host, port: Number(port || 80) }
}
