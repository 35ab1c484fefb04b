// Stored size: the part of the runners' contract that limits what is stored of an answer. An execution has a size limit
// that all its runs share.
import { expect, it } from "vitest";
import type { Json, JsonObject } from "#schema/json.ts";
import { RESPONSE_BYTES_KEPT } from "#schema/limits/outgoing/responses.ts";
import type { Perform } from "./perform.ts";
import type { Answer } from "./world.ts";

type Contract = { readonly goodConfig: JsonObject; readonly answer: Answer | null };

/** The limit: the stored body, the mapped values, and the same amount for everything else. */
const KEPT_MAX = 4 * RESPONSE_BYTES_KEPT;

/** Longer than the stored part, and short enough that several such texts are read. */
const LONG = "x".repeat(50_000);
/** Short enough that several such texts fit into the part of a refusal that is read. */
const LONGISH = "y".repeat(3_000);

/** Refusals in the format of each provider, with `said` in every field. */
const refusals = (said: string): readonly Json[] => [
  { message: said, code: said, name: said, errorCode: said },
  { error: said, error_description: said },
  { ok: false, error: said, response_metadata: { messages: [said, said, said] } },
  { error: { message: said, code: -32000, status: said, data: said, details: [{ errorCode: said }] } },
  { success: false, errors: [{ code: 7500, message: said, field: said }], result: [] },
  { results: [{ type: "error", error: { message: said, code: said } }] },
  { status: "failed", error_code: { said }, error_message: said },
];

export function keptContract({ goodConfig, answer }: Contract, perform: Perform): void {
  if (answer === null) return;
  const kept = async (how: Answer) => JSON.stringify((await perform(goodConfig, how)).outcome).length;

  it("stores little of a success, however long each of its fields is", async () => {
    const how: Answer = async (call) => {
      const good = await answer(call);
      const text = await good.text();
      const headers = new Headers(
        [...good.headers].map(([name, value]) => [name, isNoted(name) ? value + LONG : value]),
      );
      for (const name of ["Link", "X-Request-Id", "X-RateLimit-Remaining"]) headers.set(name, LONG);
      return new Response(text === "" ? null : grown(text), { status: good.status, headers });
    };
    expect(await kept(how)).toBeLessThan(KEPT_MAX);
  });

  it.each([200, 400, 500])("stores little of a refusal with a %i, however long it is", async (status) => {
    for (const body of refusals(status === 200 ? LONG : LONGISH)) {
      const headers = { "Content-Type": "application/json", Link: LONG };
      const how: Answer = () => new Response(JSON.stringify(body), { status, headers });
      expect(await kept(how)).toBeLessThan(KEPT_MAX);
    }
  });
}

const isNoted = (name: string) => !/^content-|^retry-after$/.test(name);

function grown(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), (name, value: unknown) =>
      typeof value === "string" && !/^(?:access_token|token_type)$/.test(name) ? value + LONG : value,
    );
  } catch {
    return text + LONG;
  }
}
