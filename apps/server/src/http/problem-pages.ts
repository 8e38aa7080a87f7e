import { PROBLEM_TYPES, type ProblemType } from "@paraph/contract/shared/problems"
import type { FastifyInstance } from "fastify"
import Negotiator from "negotiator"
import type { Parts } from "../parts.ts"
import { type Frame, messagePage } from "./app/pages.ts"

type Words = { readonly title: string; readonly text: string }

/** What each type of problem means, for whoever follows the address in an answer (ERR-02). */
const WORDS: Readonly<Record<ProblemType, Words>> = {
  "problem-with-message": {
    title: "The request was refused",
    text: "The service understood what was asked and did not do it. The members “message” and “detail” of the answer say why; where there is a “key”, programs should go by it.",
  },
  "entity-not-found": {
    title: "There is nothing there",
    text: "What was asked for does not exist, no longer exists, or is not open to the API key that asked. Check the id and the key.",
  },
  "feature-not-enabled": {
    title: "The feature is not enabled",
    text: "The operation needs a feature that is not switched on for this business or this installation. Ask whoever runs the service to switch it on; the same request works then.",
  },
  "constraint-violation": {
    title: "The request breaks a rule of the interface",
    text: "A member or parameter is missing, has the wrong form, or lies outside its limits. The member “detail” of the answer names it. Sending the same again will not help.",
  },
  parameterized: {
    title: "The request was refused, with particulars",
    text: "The service understood what was asked and did not do it. The members “message” and “detail” of the answer say why; its further members are the particulars, for programs that write a sentence of their own.",
  },
  "limit-exceeded": {
    title: "A limit is reached",
    text: "Too much was sent at once, or too often. Where the answer has the header “Retry-After”, wait that many seconds and send the same again; where it has none, send less.",
  },
}

/** For programmers, like the reference. */
const FRAME: Frame = { language: "en", demo: false, addressIn: null }

/** Decisions, "Errors", "no token needed": every `type` of a problem leads to a page. */
export function problemPages(server: FastifyInstance, { publicUrl }: Pick<Parts, "publicUrl">): void {
  for (const type of PROBLEM_TYPES)
    server.get(`/problem/${type}`, async (request, reply) => {
      const { title, text } = WORDS[type]
      reply.header("vary", "accept").header("cache-control", "public, max-age=3600")
      if (new Negotiator(request.raw).mediaType(["text/html", "application/json"]) === "application/json")
        return reply.send({ type: `${publicUrl}/problem/${type}`, title, description: text })
      return reply.type("text/html; charset=utf-8").send(messagePage(FRAME, { heading: title, text }))
    })
}
