// Control endpoints: tests set scripts here, and query the requests that the sandbox has received.
import { z } from "zod";
import { type SandboxEnv, storeOf } from "./env.ts";
import { isPattern } from "./pattern.ts";
import { parseJson, parseQuery } from "./problem.ts";
import { scriptHints, scriptSchema } from "./script.ts";

const path = z.string().refine(isPattern, "The path cannot be recorded.").exactOptional();
const limit = z.coerce.number().int().min(1);
const after = z.coerce.number().int().min(0).exactOptional();

const clearing = z.strictObject({ path });
const key = z.string().exactOptional();
const requestQuery = z.strictObject({ path, key, limit: limit.max(5000).default(100), after });
const keyQuery = z.strictObject({ path, limit: limit.max(50_000).default(10_000), after });
const effectQuery = keyQuery.extend({ minKeys: z.coerce.number().int().min(0).default(0) });

const pathHint = { path: 'A path such as "/sink/a", or "/sink/a/*" for all paths below it.' };
const pageHints = {
  ...pathHint,
  limit: "A whole number from 1. The maximum is 5000 for requests, and 50000 for keys and effects.",
  after:
    "The id or firstId of the last entry of the previous page. 0 begins with the oldest entry. Default: the latest entries.",
};
const requestHints = { ...pageHints, key: "An idempotency key." };
const effectHints = {
  ...pageHints,
  minKeys: "A whole number. 2 returns only effects that arrived under two or more keys.",
};

export async function putScript(request: Request, env: SandboxEnv): Promise<Response> {
  const script = await parseJson(scriptSchema, request, scriptHints);
  if (!script.ok) return script.response;
  await storeOf(env).putScript(script.value);
  return Response.json(script.value);
}

export async function listScripts(_request: Request, env: SandboxEnv): Promise<Response> {
  return Response.json({ scripts: await storeOf(env).listScripts() });
}

export async function clearScripts(request: Request, env: SandboxEnv): Promise<Response> {
  const query = parseQuery(clearing, request, pathHint);
  if (!query.ok) return query.response;
  return Response.json({ cleared: await storeOf(env).clearScripts(query.value.path) });
}

export async function listRequests(request: Request, env: SandboxEnv): Promise<Response> {
  const query = parseQuery(requestQuery, request, requestHints);
  if (!query.ok) return query.response;
  return Response.json(await storeOf(env).listRequests(query.value));
}

export async function clearRequests(request: Request, env: SandboxEnv): Promise<Response> {
  const query = parseQuery(clearing, request, pathHint);
  if (!query.ok) return query.response;
  return Response.json({ cleared: await storeOf(env).clearRequests(query.value.path) });
}

export async function listKeys(request: Request, env: SandboxEnv): Promise<Response> {
  const query = parseQuery(keyQuery, request, pageHints);
  if (!query.ok) return query.response;
  return Response.json(await storeOf(env).listKeys(query.value));
}

export async function listEffects(request: Request, env: SandboxEnv): Promise<Response> {
  const query = parseQuery(effectQuery, request, effectHints);
  if (!query.ok) return query.response;
  return Response.json(await storeOf(env).listEffects(query.value));
}
