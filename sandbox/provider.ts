// What every look-alike of a provider does: record the request, answer as scripted if somebody scripted it, else as the
// provider would. A script without a body gets an error in the provider's own shape.
import { answer } from "./answer.ts";
import type { SandboxEnv } from "./env.ts";
import { receive } from "./receive.ts";

export interface Manners {
  /** The provider's own answer, once the request is on record under this id. */
  readonly perform: (request: Request, id: number) => Response | Promise<Response>;
  /** What the provider's errors look like, for statuses that only a script gives. */
  readonly errorBody: (status: number) => object;
}

export async function asProvider(
  request: Request,
  env: SandboxEnv,
  { perform, errorBody }: Manners,
): Promise<Response> {
  const { id, step } = await receive(request, env);
  if (step === null) return perform(request, id);
  if (step.status !== undefined || step.body !== undefined || step.drop)
    return answer(step, errorBody(step.status ?? 200));
  // Only late, or with other headers: otherwise as ever.
  if (step.delayMs) await scheduler.wait(step.delayMs);
  const response = await perform(request, id);
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(step.headers ?? {})) headers.set(name, value);
  return new Response(response.body, { status: response.status, headers });
}

export const bearerOf = (request: Request) =>
  /^Bearer (.+)$/.exec(request.headers.get("Authorization") ?? "")?.[1] ?? "";

export function basicOf(request: Request): { user: string; password: string } {
  try {
    const encoded = /^Basic (.+)$/.exec(request.headers.get("Authorization") ?? "")?.[1] ?? "";
    const [user = "", ...password] = atob(encoded).split(":");
    return { user, password: password.join(":") };
  } catch {
    return { user: "", password: "" };
  }
}

/** Undefined when the body is no JSON. */
export async function jsonOf(request: Request): Promise<unknown> {
  try {
    return await request.json();
  } catch {
    return undefined;
  }
}

/** The same for the same text, in a shape that looks like a provider's id. */
export async function idFrom(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  const hex = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join("-");
}
