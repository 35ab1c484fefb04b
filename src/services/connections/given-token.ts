// An access token out of the object that keeps it, opened for one run: the isolate remembers what the object gave, sealed
// both times.
import type { TokenAnswer, TokenAsk } from "#schema/gate.ts";
import type { BoundSecret } from "#schema/outgoing/bound-secret.ts";
import type { TokenResult } from "#schema/provider/own-token.ts";
import type { Deps } from "../deps.ts";
import { rememberedToken } from "./remembered-token.ts";
import { openToken } from "./seal-token.ts";

export type TokenDeps = Pick<Deps, "now" | "randomBytes" | "gate" | "secretsKeys" | "log">;

/** What a run has been given so far: what is opened is added to `secrets`, and where some may go to stands in `bounds`. */
export type Given = { readonly secrets: string[]; readonly bounds: readonly BoundSecret[] };

export type Holder = {
  readonly tenant: string;
  /** A connection's id, or what stands in its place. */
  readonly connection: string;
  /** In messages. */
  readonly called: string;
  readonly given: Given;
  /** The last token that was given to this run: one that is refused is told by its number. */
  last: { readonly serial: number; readonly token: string } | null;
};

/** null: the object could not be asked. */
export type AskHolder = (ask: TokenAsk) => Promise<TokenAnswer | null>;

/** `refused` is a token that the provider has just refused. null: there was nobody to ask. */
export async function givenToken(
  deps: TokenDeps,
  holder: Holder,
  wanted: Omit<TokenAsk, "refused">,
  refused: string | null,
  askHolder: AskHolder,
): Promise<TokenResult | null> {
  const { last } = holder;
  const ask = (serial: number | null) =>
    rememberedToken(holderName(holder), { ...wanted, refused: serial }, deps.now, askHolder);
  let answer = await ask(refused !== null && last?.token === refused ? last.serial : null);
  let token = answer?.ok ? await openToken(deps, holder, answer.token) : null;
  // Sealed with a key that has gone since: as good as refused.
  if (answer?.ok && token === null) {
    answer = await ask(answer.serial);
    token = answer?.ok ? await openToken(deps, holder, answer.token) : null;
  }
  if (answer === null) return null;
  if (!answer.ok) {
    const { error, retryAfterMs, heldUntil } = answer;
    const later = retryAfterMs === undefined ? {} : { retryAfterMs };
    return { ok: false, failure: { error, ...later }, ...(heldUntil === undefined ? {} : { heldUntil }) };
  }
  if (token === null) return unopened(holder);
  holder.given.secrets.push(token);
  holder.last = { serial: answer.serial, token };
  return { ok: true, token };
}

/** The object's name. */
export function holderName({ tenant, connection }: Holder): string {
  return `${tenant}/${connection}`;
}

/** null where it does not answer, or is of before it was asked such things. */
export async function answered(
  deps: TokenDeps,
  { connection }: Holder,
  ask: () => Promise<readonly TokenAnswer[]>,
): Promise<TokenAnswer | null> {
  try {
    const [answer] = await ask();
    if (answer === undefined) throw new Error("an object answers every question");
    return answer;
  } catch (cause) {
    deps.log({ level: "error", event: "token_not_asked", connection, message: String(cause) });
    return null;
  }
}

function unopened({ called }: Holder): TokenResult {
  const message = `the token of ${called} does not open`;
  const error = { type: "service_unavailable", message, retryable: true, code: "secrets_unreadable" };
  return { ok: false, failure: { error } };
}
