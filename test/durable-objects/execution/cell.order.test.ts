// Tests that rows and alarm are stored before any effect is sent.
import { expect, it } from "vitest";
import type { ActionMessage } from "#schema/engine/message.ts";
import { lone, openTestCell, start } from "./cell.ts";

const lanes = ["queue", "direct"] as const;

function watched(lane: (typeof lanes)[number]) {
  const sent: { readonly isStored: boolean; readonly alarm: number | null; readonly status: string | undefined }[] = [];
  const look = (execution: string): void => {
    const [run] = world.read(execution)?.runs ?? [];
    sent.push({ isStored: world.isStored(execution), alarm: world.armedAt(), status: run?.status });
  };
  const world = openTestCell({
    sendActions: async (messages: readonly ActionMessage[]) => messages.forEach(({ execution }) => look(execution)),
    callRunner: ({ execution }) => (look(execution), new Promise(() => {})),
  });
  const { action, dedup } = lone(null);
  const item = start("exe_1_p0", "s", { action: { ...action, lane: lane === "queue" ? "queue" : "auto" }, dedup });
  return { world, sent, begin: () => world.take({ ...item, direct: lane === "direct" }) };
}

it.each(lanes)("rows and alarm are stored before the effects are sent: %s", async (lane) => {
  const { begin, sent } = watched(lane);
  expect(await begin()).toMatchObject([{ ok: true }]);
  expect(sent).toEqual([
    { isStored: true, alarm: expect.any(Number), status: lane === "queue" ? "queued" : "running" },
  ]);
});

it.each(lanes)("effects of a failed commit are not sent: %s", async (lane) => {
  const { world, begin, sent } = watched(lane);
  world.breaks(true);
  await begin().catch(() => {});
  expect([sent, world.isStored("exe_1_p0")]).toEqual([[], false]);
});
