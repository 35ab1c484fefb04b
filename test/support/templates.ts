// A tenant that keeps templates over HTTP, and the template most tests begin with.
import { api, must, tenantWithKey } from "./api.ts";

export const welcome = {
  name: "welcome",
  subject: "Welcome, {{ name }}",
  html: "<p>Good to have you, {{ name }}.</p>",
  text: "Good to have you, {{ name }}{% if nick %} ({{ nick }}){% endif %}.",
  variables: [
    { name: "name", description: "what to call the reader" },
    { name: "nick", required: false },
  ],
};

export async function keeper(...over: Parameters<typeof api>) {
  const made = api(...over);
  const owner = await tenantWithKey(made);
  const ask = (method: string, path: string, body?: unknown, headers = {}) =>
    made.ask(method, path, { key: owner.key, headers, ...(body === undefined ? {} : { body }) });
  const create = (body: object, status = 201) => must(status, ask("POST", "/v1/templates", body));
  return { ...made, ...owner, ask, create };
}
