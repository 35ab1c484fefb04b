// Decides a rollback of a definition: which publications are undone, and to which version the name then refers.
// Publications are a stack, and a rollback without a target undoes the latest one.
import { accept, refuse, type Refusal, type Result } from "#schema/refusal.ts";

/** A version to which the name may refer, and the instant of its publication (epoch ms). */
export type PublishedVersion = { readonly version: number; readonly at: number };

export type RollbackRequest = {
  readonly name: string;
  /** The version that the client assumes to be published; null if any version may be. */
  readonly from: number | null;
  /** The target version; null for the version that was published before the latest. */
  readonly to: number | null;
};

export type RollbackPlan = { readonly target: PublishedVersion; readonly takenBack: readonly number[] };

/**
 * Returns the target version and the versions whose publication is undone. `stack`: the publications, the latest first.
 */
export function planRollback(
  stack: readonly PublishedVersion[],
  { name, from, to }: RollbackRequest,
): Result<RollbackPlan> {
  const [top] = stack;
  if (top === undefined)
    return refuse(nothingToRollBack(`No version of ${name} is published.`, `${LIST}/${name}/versions`));
  if (from !== null && from !== top.version) return refuse(changedSince(name, from, top));
  if (to === top.version)
    return refuse(nothingToRollBack(`${name}@${to} is the published version.`, `${LIST}/${name}/publications`));
  const at = to === null ? 1 : stack.findIndex(({ version }) => version === to);
  const target = stack[at];
  if (target !== undefined) return accept({ target, takenBack: stack.slice(0, at).map(({ version }) => version) });
  return refuse(to === null ? noEarlierVersion(name, top) : neverPublished(name, to));
}

/**
 * Returns the instant of a new publication. It is always later than the latest publication, even if the isolate's clock
 * is behind.
 */
export function publicationInstant(now: number, top: PublishedVersion | undefined): number {
  return top === undefined ? now : Math.max(now, top.at + 1);
}

const LIST = "GET /v1/definitions";

function nothingToRollBack(message: string, see: string): Refusal {
  return { code: "nothing_to_roll_back", message, hint: `Read ${see}.` };
}

function changedSince(name: string, from: number, top: PublishedVersion): Refusal {
  const since = new Date(top.at).toISOString();
  return {
    code: "nothing_to_roll_back",
    message: `${name}@${from} is not the published version. Since ${since}, version ${top.version} has been the published version.`,
    hint: "Nothing was changed. Another request may have published a version, so read the publications.",
    details: { published: top.version, since },
  };
}

function noEarlierVersion(name: string, { version }: PublishedVersion): Refusal {
  return {
    code: "nothing_to_roll_back",
    message: `No publication before ${name}@${version} can be restored.`,
    hint: `Publish another version. To start no new executions, archive this version: POST /v1/definitions/${name}@${version}/archive.`,
  };
}

function neverPublished(name: string, to: number): Refusal {
  return {
    code: "nothing_to_roll_back",
    message: `${name}@${to} was not published before: it is a draft, archived, withdrawn, or missing.`,
    hint: `To use this version, publish it: POST /v1/definitions/${name}@${to}/publish.`,
  };
}
