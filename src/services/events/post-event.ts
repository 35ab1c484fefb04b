// Posts an event for all executions of the tenant that have a correlation key. The directory keeps it, says at once whom it
// will reach, and hands it over; where nobody is there yet, it waits as long as the caller says.
import type { Posted, PostedAnswer } from "#schema/directory/calls.ts";
import { keepFor } from "#policy/directory/keep-for.ts";
import type { KeepPosted } from "#schema/directory/keep.ts";
import { timeOrderedId } from "#schema/ids.ts";
import type { Json } from "#schema/json.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { fingerprint } from "../caller/fingerprint.ts";
import { reach } from "../cells/reach.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { checkPayload } from "../size-limits.ts";
import { listeningTo } from "../triggers/listening.ts";
import { directoryOf } from "./directories.ts";

export type PostEvent = {
  readonly id: string | null;
  readonly type: string;
  readonly correlationKey: string;
  readonly payload: Json;
  readonly source: string | null;
  readonly correlationId: string | null;
  readonly keep?: KeepPosted | undefined;
  readonly key: string | null;
  readonly dryRun: boolean;
  /** Triggers are not asked: what they post themselves would go round in circles. */
  readonly toExecutionsOnly?: true;
};
export type PostDeps = Pick<Deps, "now" | "randomBytes" | "directory" | "db" | "log">;

export async function postEvent(deps: PostDeps, caller: TenantCaller, input: PostEvent): Promise<Result<PostedAnswer>> {
  const sized = checkPayload(input.payload);
  if (!sized.ok) return sized;
  const keep = keepFor(input.keep);
  if (!keep.ok) return keep;
  const { id, key, dryRun, correlationKey, type, payload, correlationId } = input;
  const keepMs = keep.value;
  const asked = { type, payload, correlationKey, keepMs, correlationId, source: input.source ?? "api" };
  const heard = input.toExecutionsOnly ? accept([]) : await listeningTo(deps, caller.tenant, type);
  if (!heard.ok) return heard;
  const event: Posted = {
    id: id ?? key ?? timeOrderedId("evt", deps.now(), deps.randomBytes(10)),
    ...{ type, payload, source: asked.source, correlationId, keepMs, key: correlationKey, actor: caller.actor },
    ...(heard.value.length === 0 ? {} : { triggers: heard.value }),
    fingerprint: await fingerprint(asked),
  };
  const directory = deps.directory(await directoryOf(caller.tenant, correlationKey));
  const answers = await reach(() => directory.post([event], dryRun), "directory");
  if (!answers.ok) return answers;
  return answers.value[0] ?? refuse({ code: "internal_error", message: "The directory has not answered." });
}
