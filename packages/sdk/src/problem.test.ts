import { expect, it } from "vitest"
import { refusalIn } from "./problem.ts"

const problem = {
  type: "https://sign.example.org/problem/feature-not-enabled",
  title: "Feature not enabled",
  status: 403,
  detail: "Ask the operator.",
  instance: "urn:uuid:1",
  method: "DELETE",
  path: "/v3/signature-requests/1/expires-at",
  message: "This feature is not enabled.",
  key: "error.feature.not_enabled",
}

it("holds all that the service said, and the id to ask for help with", async () => {
  const headers = { "content-type": "application/problem+json", "x-request-id": "r-1", "retry-after": "3" }
  const error = await refusalIn(new Response(JSON.stringify(problem), { status: 403, headers }))
  expect(error).toBeInstanceOf(Error)
  expect(error).toMatchObject({
    name: "ProblemError",
    message: "This feature is not enabled.",
    status: 403,
    key: "error.feature.not_enabled",
    requestId: "r-1",
    retryAfterSeconds: 3,
    problem,
  })
})

it.each(["", "<html>Bad gateway</html>", "null", '"text"', "[]"])(
  "of an answer that is no problem (%s) it tells the status",
  async (body) => {
    const error = await refusalIn(new Response(body, { status: 502 }))
    expect(error).toMatchObject({ status: 502, message: "The service answered 502." })
    expect([error.key, error.requestId, error.retryAfterSeconds]).toEqual([undefined, undefined, undefined])
  },
)

it.each([
  [{ message: { toString: 1 }, detail: [], title: "No" }, "No"],
  [{ message: {}, key: 5 }, "The service answered 502."],
  [{ message: "", detail: "Later.", key: null }, "Later."],
])("of %o, which something in between said, only texts are told", async (said, message) => {
  const error = await refusalIn(new Response(JSON.stringify(said), { status: 502 }))
  expect(error).toMatchObject({ name: "ProblemError", message, key: undefined, problem: said })
})
