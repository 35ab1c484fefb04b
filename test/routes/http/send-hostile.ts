// Sends a request and waits for the answer at most a fixed time.
import { ROOT_KEY } from "#test/support/catalog.ts";
import type { World } from "#test/support/one-of-each.ts";
import type { Hostile } from "./hostile.ts";

const ANSWERED_WITHIN_MS = 10_000;

export type Answered = { readonly status: number; readonly headers: Headers; readonly text: string };

export async function answerTo(
  { made, owner }: World,
  { method, path, headers, raw }: Hostile,
  root: string | null,
  shown: string,
): Promise<Answered> {
  const who =
    root === null
      ? { Authorization: `Bearer ${owner.key}` }
      : { Authorization: `Bearer ${ROOT_KEY}`, "X-Tenant": root };
  const body = raw === null ? {} : { body: raw };
  const asked = made.fetch(`https://api.test${path}`, { method, headers: { ...who, ...headers }, ...body });
  const response = await within(asked, shown);
  response.webSocket?.accept();
  return { status: response.status, headers: response.headers, text: await within(response.text(), shown) };
}

/** 501 reports a feature that this installation has not configured. */
export function isOurWord(status: number, text: string): boolean {
  return status === 501 && JSON.parse(text).code === "not_configured";
}

async function within<T>(answered: Promise<T>, shown: string): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer: ${shown}`)), ANSWERED_WITHIN_MS);
  return Promise.race([answered, promise]).finally(() => clearTimeout(timer));
}

export function textOf({ raw }: Hostile): string {
  return typeof raw === "string" ? raw : new TextDecoder().decode(raw ?? new Uint8Array());
}
