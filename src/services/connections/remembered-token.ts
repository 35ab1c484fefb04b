// Access tokens as objects gave them, sealed, kept by the isolate until shortly before they end: a warm run asks no
// object. Which of them holds is the object's to say; what is refused, or was got with older secrets, is asked for anew.
import { usableUntil } from "#policy/gates/token.ts";
import type { TokenAnswer, TokenAsk } from "#schema/gate.ts";
import { remembered } from "#schema/limits/isolates.ts";
import { isolateCache, peek, put } from "../isolate-cache.ts";

type Given = Extract<TokenAnswer, { ok: true }>;
type Kept = { readonly answer: Given; readonly givenAt: number };

const kept = isolateCache<Kept>({
  sizeMax: remembered.tokens.sizeMax,
  freshMs: ({ answer, givenAt }) => Math.max(0, usableUntil(answer, givenAt) - givenAt),
  staleMs: () => 0,
});

/** `holder` is the object's name. */
export async function rememberedToken(
  holder: string,
  ask: TokenAsk,
  now: () => number,
  askHolder: (ask: TokenAsk) => Promise<TokenAnswer | null>,
): Promise<TokenAnswer | null> {
  const { key, refused, asOf = 0 } = ask;
  const name = `${holder}\n${key}\n${asOf}`;
  const known = peek(kept, name, now());
  if (known !== null && (refused === null || refused < known.answer.serial)) return known.answer;
  const answer = await askHolder(ask);
  if (answer?.ok) put(kept, name, { answer, givenAt: now() }, now());
  else kept.entries.delete(name);
  return answer;
}
