// The names that rules and templates see, and which of them was probably meant by one that is not there.
import { didYouMean } from "#schema/suggest.ts";

const inMessages = ["id", "type", "payload", "source", "correlationId"];
/** null: whatever comes after it is the author's own, or there is nothing to name. */
const seen: { readonly [root: string]: readonly string[] | null } = {
  execution: ["id", "tenant", "namespace", "definition", "correlationId", "createdAt", "variables"],
  message: inMessages,
  previousState: null,
  currentState: null,
  now: null,
  action: ["inProgress", "actionName", "startedAt", "succeeded", "failed", "errorMessage", "retries"],
  tenant: ["id"],
};
/** Names that a kind sees besides those that all do; as above. */
export type Given = { readonly [root: string]: readonly string[] | null };
const NOTHING: Given = {};
/** What nodes of a journey see besides: the item of a list and its place, and what is taken back. */
export const seenInJourneys: Given = { item: null, index: null, node: null };

/** And what rules of a reconciler see; `result` only of what observes. */
export const seenInReconcilers: Given = {
  observed: null,
  desired: null,
  variables: null,
  state: ["name", "since", "reason"],
  result: null,
};

export const seenRoots: readonly string[] = Object.keys(seen);

/** What other engines and older habits call them. */
const VARIABLES = new Set(["variables", "vars", "context", "ctx"]);
const MESSAGE = new Set(["event", "msg"]);
const PAYLOAD = new Set(["payload", "data", "body"]);

export function isSeen(path: readonly string[], given: Given = NOTHING): boolean {
  const [root, field] = [String(path[0]), path[1]];
  const names = Object.hasOwn(seen, root) ? seen : given;
  return Object.hasOwn(names, root) && (field === undefined || names[root]?.includes(field) !== false);
}

/** Whether a path begins as ours do, or as those of others: then it was meant to be one. */
export function isLikePath(path: readonly string[]): boolean {
  const root = String(path[0]);
  return Object.hasOwn(seen, root) || [VARIABLES, MESSAGE, PAYLOAD].some((names) => names.has(root));
}

/** null: nothing there is like it. `variables` are those that the definition knows of. */
export function meantBy(
  path: readonly string[],
  variables: ReadonlySet<string>,
  given: Given = NOTHING,
): string | null {
  const [root, field] = [String(path[0]), String(path[1])];
  const [rest, inner] = [path.slice(1), path.slice(2)];
  if (variables.has(root)) return join(["execution", "variables", ...path]);
  if (VARIABLES.has(root)) return join(["execution", "variables", ...(field === "variables" ? inner : rest)]);
  if (PAYLOAD.has(root)) return join(["message", "payload", ...rest]);
  if (MESSAGE.has(root)) return rest.length === 0 ? "message" : inMessage(rest);
  if (root === "message") return inMessage(rest);
  if (root === "execution" && variables.has(field)) return join(["execution", "variables", ...rest]);
  const known = fieldsOf(root, given);
  const near = known ? didYouMean(field, known) : didYouMean(root, [...seenRoots, ...Object.keys(given)]);
  if (near === null) return null;
  const meant = known ? [root, near, ...inner] : [near, ...rest];
  return isSeen(meant, given) ? join(meant) : meantBy(meant, variables, given);
}

function inMessage(rest: readonly string[]): string {
  const [field, inner] = [String(rest[0]), rest.slice(1)];
  if (inMessages.includes(field)) return join(["message", ...rest]);
  if (PAYLOAD.has(field)) return join(["message", "payload", ...inner]);
  const near = didYouMean(field, inMessages);
  return near === null ? join(["message", "payload", ...rest]) : join(["message", near, ...inner]);
}

/** What there is instead, in a sentence. */
export function namesAt(path: readonly string[], given: Given): string {
  const root = String(path[0]);
  const fields = fieldsOf(root, given);
  const roots = [...seenRoots, ...Object.keys(given)];
  return fields ? `${root} has ${fields.join(", ")}.` : `Known: ${roots.join(", ")}.`;
}

function fieldsOf(root: string, given: Given): readonly string[] | null {
  const names = seenRoots.includes(root) ? seen : given;
  return Object.entries(names).find(([name]) => name === root)?.[1] ?? null;
}

function join(names: readonly string[]): string {
  return names.join(".");
}
