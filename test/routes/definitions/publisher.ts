// A tenant that stores and publishes versions of one definition over HTTP.
import { api, must, tenantWithKey, type Ask, type Parsed } from "#test/support/api.ts";

export const order = (over: object = {}) => ({
  kind: "machine",
  name: "order",
  initial: "open",
  states: { open: { on: { paid: "done" } }, done: { type: "final" } },
  ...over,
});

export async function keeper() {
  const made = api();
  const owner = await tenantWithKey(made);
  const post = (path: string, body: unknown = {}, more: Ask = {}) =>
    made.ask("POST", path, { key: owner.key, body, ...more });
  const read = (path: string) => made.ask("GET", path, { key: owner.key });
  const create = async (body: unknown) => (await must(201, post("/v1/definitions", body))).body;
  const draft = async (body: unknown) => (await must(201, post("/v1/definitions?draft=true", body))).body;
  const started = async (definition = "order"): Promise<number> =>
    (await must(201, post("/v1/executions", { definition }))).body.execution.definition.version;
  const versions = async () => {
    const { data } = (await must(200, read("/v1/definitions/order/versions"))).body;
    return data.map(({ version, standing }: Parsed) => `${version} ${standing}`);
  };
  const history = async () => {
    const { data } = (await must(200, read("/v1/definitions/order/publications"))).body;
    return data.map(({ number, verb, was, version }: Parsed) => `${number} ${verb} ${was} to ${version}`);
  };
  return { ...made, ...owner, post, read, create, draft, started, versions, history };
}
