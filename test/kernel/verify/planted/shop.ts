// A sound shop, and what one plants in it: a fault, what is said of it and where, and what a person changes who does as the
// fix says. Where nothing is told of that, the warning itself has the change.
import type { Change, Warning } from "#schema/refusal.ts";
import { action } from "#test/support/drive.ts";

export type Planted = {
  readonly fault: string;
  readonly definition: object;
  readonly code: string;
  readonly pointer: string;
  readonly severity?: Warning["severity"];
  readonly mend?: readonly Change[];
};

export const done = { type: "final" };
export const add = (path: string, value: unknown): Change => ({ op: "add", path, value: value as never });
export const put = (path: string, value: unknown): Change => ({ op: "replace", path, value: value as never });
export const drop = (path: string): Change => ({ op: "remove", path });

/** Open until somebody closes it. */
export const shop = (part: object) => ({
  kind: "machine",
  name: "shop",
  initial: "open",
  states: { open: { on: { close: "done" } }, done },
  ...part,
});
/** The same, with other states. */
export const states = (open: object, more: object = {}, part: object = {}) =>
  shop({ states: { open, done, ...more }, ...part });
/** One action that its state does not wait for, with something in it. */
export const calling = (part: object, open: object = { on: { close: "done" } }) =>
  states(open, {}, { actions: [action("call", { triggerState: "open", ...part })] });
export const sending = (text: unknown, part: object = {}) => ({
  ...calling({ config: { url: "https://example.com", payload: { text } } }),
  ...part,
});
export const text = "/actions/0/config/payload/text";
/** A transition with something in it. */
export const taking = (transition: object, part: object = {}) =>
  states({ on: { close: { target: "done", ...transition } } }, {}, part);
export const asking = (guard: unknown, part: object = {}) => taking({ guard }, part);
export const guard = "/states/open/on/close/guard";
/** A variable that is set to something. */
export const setting = (value: unknown, part: object = {}) => taking({ assign: { x: value } }, part);
export const x = "/states/open/on/close/assign/x";

export const heard = { "action.call.ok": "done", "action.call.failed": "done" };
export const regions = (left: object, right: object, around: object = { onDone: "done" }) =>
  states({ type: "parallel", ...around, states: { left, right } });
