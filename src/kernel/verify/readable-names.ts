// The names that rules and templates can read, and the probable intention behind an unknown name.
import { didYouMean } from "#schema/suggest.ts";

const inMessages = ["id", "type", "payload", "source", "correlationId"];
/** The names by root. null: the names below the root are the author's, or unknown. */
const seen: { readonly [root: string]: readonly string[] | null } = {
  execution: ["id", "tenant", "namespace", "definition", "correlationId", "createdAt", "variables"],
  message: inMessages,
  previousState: null,
  currentState: null,
  now: null,
  action: ["inProgress", "actionName", "startedAt", "succeeded", "failed", "errorMessage", "retries"],
  tenant: ["id"],
};
/** Additional names of one kind of definition, in the same format. */
export type AdditionalNames = { readonly [root: string]: readonly string[] | null };
const NOTHING: AdditionalNames = {};
/** Additional names in journeys: the item of a list and its index, and the node that is undone. */
export const seenInJourneys: AdditionalNames = { item: null, index: null, node: null };

/** Additional names in reconcilers' rules; `result` exists in the collector only. */
export const seenInReconcilers: AdditionalNames = {
  observed: null,
  desired: null,
  variables: null,
  state: ["name", "since", "reason"],
  result: null,
};

export const seenRoots: readonly string[] = Object.keys(seen);

/** Names in other engines for variables, messages and payloads. */
const VARIABLES = new Set(["variables", "vars", "context", "ctx"]);
const MESSAGE = new Set(["event", "msg"]);
const PAYLOAD = new Set(["payload", "data", "body"]);

export function isSeen(path: readonly string[], given: AdditionalNames = NOTHING): boolean {
  const [root, field] = [String(path[0]), path[1]];
  const names = Object.hasOwn(seen, root) ? seen : given;
  return Object.hasOwn(names, root) && (field === undefined || names[root]?.includes(field) !== false);
}

/** Whether the path starts like a path of this engine, or of other engines: then a path was intended. */
export function isLikePath(path: readonly string[]): boolean {
  const root = String(path[0]);
  return Object.hasOwn(seen, root) || [VARIABLES, MESSAGE, PAYLOAD].some((names) => names.has(root));
}

/** The intended path; null if no similar path exists. `variables`: those of the definition. */
export function meantBy(
  path: readonly string[],
  variables: ReadonlySet<string>,
  given: AdditionalNames = NOTHING,
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

/** A sentence with the names that exist instead. */
export function namesAt(path: readonly string[], given: AdditionalNames): string {
  const root = String(path[0]);
  const fields = fieldsOf(root, given);
  const roots = [...seenRoots, ...Object.keys(given)];
  return fields ? `${root} has ${fields.join(", ")}.` : `Known: ${roots.join(", ")}.`;
}

function fieldsOf(root: string, given: AdditionalNames): readonly string[] | null {
  const names = seenRoots.includes(root) ? seen : given;
  return Object.entries(names).find(([name]) => name === root)?.[1] ?? null;
}

function join(names: readonly string[]): string {
  return names.join(".");
}
