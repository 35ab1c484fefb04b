// Known inputs of this version. During a deployment, newer code may send an input of a new kind to an object that still
// runs older code. The object refuses it as unavailable, so that the sender retries later.
import type { Command } from "#schema/engine/input.ts";
import { refuse, type Refusal } from "#schema/refusal.ts";

const known: { readonly [kind in Command["kind"]]: true } = {
  start: true,
  event: true,
  patch: true,
  pause: true,
  resume: true,
  cancel: true,
  desire: true,
  observe: true,
  runNow: true,
  skip: true,
  cancelAction: true,
  reschedule: true,
  hold: true,
  release: true,
  complete: true,
  retry: true,
  archive: true,
  erase: true,
  claim: true,
  settle: true,
  undeliverable: true,
  wakeRun: true,
  tick: true,
  confirmed: true,
  orphaned: true,
  fail: true,
};

export function refuseUnknown({ kind }: { readonly kind: string }): { ok: false; refusal: Refusal } | null {
  if (Object.hasOwn(known, kind)) return null;
  const message = `the execution's Durable Object still runs an older version, which does not support "${kind}"`;
  return refuse({ code: "unavailable", message, hint: "Retry after the deployment has finished." });
}
