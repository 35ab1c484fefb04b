// Concurrent requests with one Idempotency-Key: a client that gave up waiting and repeated its request too early.
import { describe, expect, test } from "vitest";
import { bodyOf, endpoints } from "#test/support/endpoints.ts";
import { addressIn, oneOfEach } from "#test/support/one-of-each.ts";
import { answerTo, isOurWord } from "./send-hostile.ts";

/** A repeated request opens another session, because the cookie's secret is not stored and cannot be returned again. */
const UNSTORED = "openSession";
const posts = endpoints.filter(
  ({ method, path, operationId }) => method === "POST" && !path.startsWith("/v1/hooks") && operationId !== UNSTORED,
);

describe.each(posts.map((endpoint) => [endpoint.operationId, endpoint] as const))("%s", (_, endpoint) => {
  test("is done once, and all repeats return the same ids", async () => {
    const world = await oneOfEach();
    const headers = { "Content-Type": "application/json", "Idempotency-Key": "crowd" };
    const path = addressIn(world.names, endpoint.path);
    const request = { method: "POST", path, headers, raw: JSON.stringify(bodyOf(endpoint)), isLossy: false };
    const ask = () => answerTo(world, request, null, `${path} ${request.raw}`);
    const answers = [...(await Promise.all([ask(), ask(), ask(), ask()])), await ask()];
    for (const { status, text } of answers) expect([isOurs(status, text), text]).toEqual([true, text]);
    const named = answers.filter(({ status }) => status < 300).map(({ text }) => namesIn(text));
    expect(new Set(named).size, named.join("\n")).toBeLessThanOrEqual(1);
  });
});

/** Another request with this key may be in progress. */
function isOurs(status: number, text: string): boolean {
  return status < 500 || isOurWord(status, text) || (status === 503 && JSON.parse(text).retryable === true);
}

/** Returns the ids in a response, except the request's id and a key's secret, which only the first response has. */
function namesIn(text: string): string {
  const ids = text.match(/\b[a-z]{2,4}_[0-9A-Za-z_.]{10,}/g) ?? [];
  return [...new Set(ids)]
    .filter((id) => !/^(?:req|esk)_/.test(id))
    .toSorted()
    .join(" ");
}
