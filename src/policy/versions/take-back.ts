// What a rollback takes back, and what a definition's name means after it. Publications are a pile: what was published last
// lies on top, and taking it away leaves what lay under it, so that a second rollback goes back one further.
import { accept, refuse, type Refusal, type Result } from "#schema/refusal.ts";

/** A version that its name may mean, and since when it lies where it lies. */
export type Published = { readonly version: number; readonly at: number };

export type TakeBack = {
  readonly name: string;
  /** The version that the caller saw on top; null where none was named. */
  readonly from: number | null;
  /** Back to which one; null: the one right under it. */
  readonly to: number | null;
};

export type TakenBack = { readonly target: Published; readonly takenBack: readonly number[] };

/** `pile`: what was published last comes first. */
export function takeBack(pile: readonly Published[], { name, from, to }: TakeBack): Result<TakenBack> {
  const [top] = pile;
  if (top === undefined) return refuse(nothing(`Nothing of ${name} is published.`, `${LIST}/${name}/versions`));
  if (from !== null && from !== top.version) return refuse(moved(name, from, top));
  if (to === top.version) return refuse(nothing(`${name}@${to} is what is published.`, `${LIST}/${name}/publications`));
  const at = to === null ? 1 : pile.findIndex(({ version }) => version === to);
  const target = pile[at];
  if (target !== undefined) return accept({ target, takenBack: pile.slice(0, at).map(({ version }) => version) });
  return refuse(to === null ? first(name, top) : notUnder(name, to));
}

/** On top of the pile, whatever isolates think the time is. */
export function placeOnTop(now: number, top: Published | undefined): number {
  return top === undefined ? now : Math.max(now, top.at + 1);
}

const LIST = "GET /v1/definitions";

function nothing(message: string, see: string): Refusal {
  return { code: "nothing_to_roll_back", message, hint: `${see} says what there is.` };
}

function moved(name: string, from: number, top: Published): Refusal {
  const since = new Date(top.at).toISOString();
  return {
    code: "nothing_to_roll_back",
    message: `${name}@${from} is not what is published: that is version ${top.version}, since ${since}.`,
    hint: "Somebody was quicker, or another version is meant. Nothing was changed.",
    details: { published: top.version, since },
  };
}

function first(name: string, { version }: Published): Refusal {
  return {
    code: "nothing_to_roll_back",
    message: `Nothing was published before ${name}@${version} that is still there.`,
    hint: `Publish another version, or archive this one: POST /v1/definitions/${name}@${version}/archive. Nothing new starts then.`,
  };
}

function notUnder(name: string, to: number): Refusal {
  return {
    code: "nothing_to_roll_back",
    message: `${name}@${to} was not published before: it is a draft, archived, taken back, or not there.`,
    hint: `Where it is what you want, publish it: POST /v1/definitions/${name}@${to}/publish.`,
  };
}
