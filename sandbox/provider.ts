// Imitated providers: record the request, and answer as the path's script says, or as the real provider would if no
// script applies. A scripted status without a body gets an error body in the provider's format.
import { answer } from "./answer.ts";
import type { SandboxEnv } from "./env.ts";
import { receive } from "./receive.ts";

export interface ProviderImitation {
  /** Returns the provider's own answer. `id` is the id of the recorded request. */
  readonly perform: (request: Request, id: number) => Response | Promise<Response>;
  /**
   * Returns the body of an error in the provider's format. It is sent with a scripted error status that has no body of
   * its own.
   */
  readonly errorBody: (status: number) => object;
}

export async function asProvider(
  request: Request,
  env: SandboxEnv,
  { perform, errorBody }: ProviderImitation,
): Promise<Response> {
  const { id, step } = await receive(request, env);
  if (step === null) return perform(request, id);
  if (step.status !== undefined || step.body !== undefined || step.drop)
    return answer(step, errorBody(step.status ?? 200));
  // A step without status, body and drop only delays the provider's own answer, or adds headers to that answer.
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

/** Returns undefined if the body is not JSON. */
export async function jsonOf(request: Request): Promise<unknown> {
  try {
    return await request.json();
  } catch {
    return undefined;
  }
}

/** Returns an id in a provider's format. The same text always gives the same id. */
export async function idFrom(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  const hex = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join("-");
}
