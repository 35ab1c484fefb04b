// The API with the real runners and a new tenant, for tests of one action.
import { configFindings } from "#runners/draft.ts";
import { actionTypes, repeatsOf } from "#runners/registry.ts";
import { rehearsals } from "#runners/rehearsal/rehearse.ts";
import { api, must, tenantWithKey, type Parsed } from "#test/support/api.ts";

export const made = api({
  actionTypes,
  configFindings,
  repeatsOf,
  rehearse: rehearsals({ allowLoopback: false, email: false, files: false, databases: ["crm"], services: ["shop"] }),
});

export async function tester() {
  const { tenant, key } = await tenantWithKey(made);
  const test = async (body: object): Promise<Parsed> =>
    (await must(200, made.ask("POST", "/v1/actions/test", { key, body }))).body;
  const post = (path: string, body: object) => must(201, made.ask("POST", path, { key, body }));
  const secret = (name: string, value: string) =>
    must(200, made.ask("PUT", `/v1/secrets/${name}`, { key, body: { value } }));
  return { tenant, key, test, post, secret };
}

export const webhook = {
  type: "webhook",
  config: { url: "https://example.com/hook", payload: { id: "{{ message.payload.id }}" } },
};
export const context = { message: { type: "paid", payload: { id: "o-17" } }, now: "2026-03-01T10:00:00Z" };
export const codes = (answer: Parsed): string[] => answer.recommendations.map(({ code }: { code: string }) => code);
