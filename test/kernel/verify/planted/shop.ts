// A sound definition of a shop, and faults to plant in it: each with the expected warning, its pointer, and the change
// that its fix describes. Without a change, the warning's own patch is applied.
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

/** The shop: open until it is closed. */
export const shop = (part: object) => ({
  kind: "machine",
  name: "shop",
  initial: "open",
  states: { open: { on: { close: "done" } }, done },
  ...part,
});
/** The shop with other states. */
export const states = (open: object, more: object = {}, part: object = {}) =>
  shop({ states: { open, done, ...more }, ...part });
/** The shop with one action that its state does not wait for. */
export const calling = (part: object, open: object = { on: { close: "done" } }) =>
  states(open, {}, { actions: [action("call", { triggerState: "open", ...part })] });
export const sending = (text: unknown, part: object = {}) => ({
  ...calling({ config: { url: "https://example.com", payload: { text } } }),
  ...part,
});
export const text = "/actions/0/config/payload/text";
/** The shop with a changed transition. */
export const taking = (transition: object, part: object = {}) =>
  states({ on: { close: { target: "done", ...transition } } }, {}, part);
export const asking = (guard: unknown, part: object = {}) => taking({ guard }, part);
export const guard = "/states/open/on/close/guard";
/** The shop with an assignment. */
export const setting = (value: unknown, part: object = {}) => taking({ assign: { x: value } }, part);
export const x = "/states/open/on/close/assign/x";

export const heard = { "action.call.ok": "done", "action.call.failed": "done" };
export const regions = (left: object, right: object, around: object = { onDone: "done" }) =>
  states({ type: "parallel", ...around, states: { left, right } });
