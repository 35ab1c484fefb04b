// Growing lists, which test pollers: a POST appends an item, and a GET returns pages of items with an ETag, oldest or
// newest first. A script can make a list fail, like any imitated provider.
import { z } from "zod";
import { type SandboxEnv, storeOf } from "./env.ts";
import { parseQuery } from "./problem.ts";
import { asProvider } from "./provider.ts";

const pageQuery = z.strictObject({
  after: z.coerce.number().int().min(0).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(10),
  order: z.enum(["oldest", "newest"]).default("oldest"),
});
const hints = {
  after: "The value of `next` in the previous page.",
  limit: "A whole number from 1 to 100.",
  order: "The order of the items: oldest or newest first.",
};

export function list(request: Request, env: SandboxEnv): Promise<Response> {
  return asProvider(request, env, {
    perform: (received, id) =>
      received.method === "POST" ? Response.json({ id: `item-${id}` }, { status: 201 }) : page(received, env),
    errorBody: (status) => ({ error: `a sandbox script makes this list return the status ${status}` }),
  });
}

async function page(request: Request, env: SandboxEnv): Promise<Response> {
  const parsed = parseQuery(pageQuery, request, hints);
  if (!parsed.ok) return parsed.response;
  const { after = null, limit, order } = parsed.value;
  const { pathname } = new URL(request.url);
  const rows = await storeOf(env).listItems({
    path: pathname,
    after,
    limit: limit + 1,
    isNewestFirst: order === "newest",
  });
  const shown = rows.slice(0, limit);
  const data = shown.map(({ id, body }) => ({ id: `item-${id}`, ...fieldsOf(body) }));
  const last = shown.at(-1);
  const next = last !== undefined && rows.length > limit ? String(last.id) : null;
  const etag = `"${shown.map(({ id }) => id).join("-")}${next === null ? "" : "+"}"`;
  const headers = { ETag: etag };
  if (request.headers.get("If-None-Match") === etag) return new Response(null, { status: 304, headers });
  return Response.json({ data, next }, { headers });
}

/** Returns the fields of a JSON object. Any body that is not a JSON object is returned as the field `value`. */
function fieldsOf(body: string): object {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : { value };
  } catch {
    return { value: body };
  }
}
