// One execution with one action, "mail", and a machine that hears of its end: what most traces of a run begin with.
import { action, drive } from "./drive.ts";

export type ActionPart = Parameters<typeof action>[1];

export const hears = {
  a: { on: { "action.mail.ok": "sent", "action.mail.failed": "lost", leave: "b" } },
  b: { on: { back: "a" } },
  sent: { on: { x: "a" } },
  lost: { on: { x: "a" } },
};

export const one = (part: ActionPart = {}, states: Parameters<typeof drive>[0]["states"] = hears) =>
  drive({ states, actions: [action("mail", { triggerState: "a", ...part })] }).start();
