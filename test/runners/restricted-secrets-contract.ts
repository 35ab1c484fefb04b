// Host-restricted secrets: the part of the runners' contract about secrets that may be sent to certain hosts only.
import { expect, it } from "vitest";
import type { BoundSecret } from "#schema/outgoing/bound-secret.ts";
import type { JsonObject } from "#schema/json.ts";
import { errorOf, type Perform } from "./perform.ts";
import { deaf, type Answer } from "./world.ts";
import { naming } from "#test/support/matchers/naming.ts";

type Contract = { readonly goodConfig: JsonObject; readonly answer: Answer | null; readonly goesNowhere?: true };

const boundTo = (...hosts: readonly string[]): BoundSecret => ({ secret: "bound_one", hosts });

export function boundContract({ goodConfig, answer, goesNowhere }: Contract, perform: Perform): void {
  if (goesNowhere !== true)
    it("sends no host-restricted secret to another host", async () => {
      const fresh = { run: "9.0", idempotencyKey: "exe_1/9.0" }; // no attempt of this run has been made
      const { outcome, calls } = await perform(goodConfig, answer ?? deaf, fresh, {}, [
        boundTo("elsewhere.example.org"),
      ]);
      const error = errorOf(outcome);
      expect(error).toMatchObject({
        type: "invalid_configuration",
        code: "secret_host_mismatch",
        retryable: false,
        message: naming("bound_one", "elsewhere.example.org"),
        details: { secret: "bound_one", hosts: ["elsewhere.example.org"], to: expect.stringMatching(/\S/) },
      });
      expect(calls).toEqual([]);
    });

  if (answer === null) return;
  it("sends host-restricted secrets to their hosts and to no other host", async () => {
    const { calls } = await perform(goodConfig, answer);
    const hosts = [...new Set(calls.map(({ url }) => new URL(url).hostname))];
    const there = await perform(goodConfig, answer, {}, {}, [boundTo(...hosts)]);
    expect([there.outcome.ok, there.calls.length]).toEqual([true, calls.length]);
    for (const host of hosts) {
      const others = hosts.filter((each) => each !== host);
      const some = await perform(goodConfig, answer, {}, {}, [boundTo("elsewhere.example.org", ...others)]);
      expect(errorOf(some.outcome).code).toBe("secret_host_mismatch");
      expect(some.calls.map(({ url }) => new URL(url).hostname)).not.toContain(host);
    }
  });
}
