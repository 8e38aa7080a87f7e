import type { FastifyInstance } from "fastify"
import type { Parts } from "../../../parts.ts"
import { acts } from "./acts.ts"
import { factorResets } from "./factor-resets.ts"
import { looks } from "./looks.ts"

/** For those who run the service (ADR 0036). Not a contract: the console and these routes change together. */
export function operator(app: FastifyInstance, parts: Parts): void {
  looks(app, parts)
  acts(app, parts)
  factorResets(app, parts)
}
