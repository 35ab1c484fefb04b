// An execution and its restart, both driven through the kernel.
import { compile } from "#kernel/programs/compile.ts";
import { effectsMade } from "#kernel/execution/restart/effects-made.ts";
import type { Program } from "#kernel/execution/program.ts";
import type { RestartPoint, Repeat, Restart } from "#schema/family/restart.ts";
import type { Definition } from "#schema/definition/definition.ts";
import { action, ask, drive, driveProgram, machine, type Drive } from "#test/support/drive.ts";

export type Told = Pick<Drive, "state" | "entries">;

/** The response to the restart request, and the state of the new execution. */
export function taken(program: Program, t: Told, from: RestartPoint, repeat: Repeat = "none"): Restart {
  const { id, createdAt, position } = t.state;
  const made = effectsMade({ program, position, from, repeat }, t.entries).flatMap(
    ({ isKnown: _known, because, ...each }) => (because === null ? [each] : []),
  );
  return { execution: id, incarnation: createdAt, from, reason: "again", position, made };
}

export function again(definition: Definition, t: Told, from: RestartPoint, repeat: Repeat = "none") {
  const [one, other] = [compile(definition), compile(definition)];
  const start = ask.start({ ...t.state.variables });
  if (start.kind !== "start") throw new Error("it is one");
  const command = { ...start, execution: "exe_2", restart: taken(one, t, from, repeat) };
  return driveProgram([one, other]).take(command);
}

export const run = (definition: Definition) => driveProgram([compile(definition), compile(definition)]);
export const because = (program: Program, t: Told, from: RestartPoint, repeat: Repeat = "none") =>
  effectsMade({ program, position: t.state.position, from, repeat }, t.entries).map(
    (each) => `${each.run} ${each.action} ${each.because ?? "-"}`,
  );

export const order = machine({
  variables: { usual: 1 },
  input: { type: "object", properties: { n: { type: "number" } }, additionalProperties: false },
  states: {
    label: { on: { "action.print.ok": { target: "pack", assign: { label: { var: "message.payload.result" } } } } },
    pack: { after: { PT1H: "label" }, on: { "action.box.ok": "ship", back: "label" } },
    ship: { on: { "action.send.ok": "done", back: "label" } },
    done: { type: "final" },
  },
  actions: [
    action("print", { triggerState: "label" }),
    action("box", { triggerState: "pack" }),
    action("send", { triggerState: "ship", delay: "PT1H" }),
  ],
});
export const ran = () => {
  const t = drive(order).start({ n: 1 });
  return t
    .ok("print", { result: { id: 7 }, events: [{ type: "webhook_called", payload: { a: 1 } }] })
    .ok("box", { result: "boxed" });
};
