import type * as wire from "@paraph/contract/v2/login"
import { login as logIn } from "@paraph/core/login/login"
import type { FastifyInstance, FastifyReply } from "fastify"
import { Type } from "typebox"
import type { Parts } from "../parts.ts"
import { networkOf } from "./network.ts"
import { mustHaveLeft } from "./rate-limits.ts"

/** What a version takes, and how long its tokens live. */
export type LoginWire = Pick<typeof wire, "LoginBody" | "readLogin"> & {
  readonly TOKEN_LIFETIME_SECONDS: number
}

/** Part 4.1. */
export function logins(app: FastifyInstance, parts: Parts, v: LoginWire): void {
  app.post<{ Body: wire.LoginBody }>(
    "/access/login",
    {
      config: { public: true },
      bodyLimit: 4096,
      schema: {
        operationId: "login",
        summary: "Log in and receive a token",
        body: v.LoginBody,
        response: { 200: { content: { "text/plain": { schema: Type.String() } } } },
      },
    },
    async (request, reply) => {
      const credentials = v.readLogin(request.body)
      await mustBeWithin(parts, reply, networkOf(request.ip), credentials.username)
      const caller = await logIn(parts, credentials)
      const token = await parts.tokens.issue(caller, v.TOKEN_LIFETIME_SECONDS)
      return reply.type("text/plain; charset=utf-8").header("cache-control", "no-store").send(token)
    },
  )
}

/**
 * Decisions, "Default rate limits": by user name and by address, whoever asks. A user name is counted by the network that the call
 * comes from, so that a stranger uses up their own share and locks nobody out; and ten times as much in all. Its keys are 256 random
 * bits, which nobody guesses at whatever rate.
 */
async function mustBeWithin(
  { limits }: Parts,
  reply: FastifyReply,
  address: string,
  username: string,
): Promise<void> {
  mustHaveLeft(reply, await limits.loginByAddress(address))
  mustHaveLeft(reply, await limits.loginByUser(username))
  // Last, so that its headers are the ones that are told.
  mustHaveLeft(reply, await limits.loginByUserNear(`${address} ${username}`))
}
