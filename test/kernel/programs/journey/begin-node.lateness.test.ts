// Lateness in a journey: it counts from the planned instant of the node, whatever the node follows.
import { expect, test } from "vitest";
import { second } from "#test/support/drive.ts";
import { act, go } from "./drive-journey.ts";

const mail = act(undefined, { maxLateness: "PT3S" });
const after = (gate: object) => go({ nodes: { gate: gate as never, mail } });

test.each([
  ["a delay", after({ type: "delay", for: "PT2S", next: "mail" })],
  ["a wait's timeout", after({ type: "wait", for: [{ event: "yes" }], timeout: { after: "PT2S", next: "mail" } })],
  ["its own delay", go({ nodes: { mail: act(undefined, { delay: "PT2S", maxLateness: "PT3S" }) } })],
])("a pause makes a node late that is behind %s", (_what, t) => {
  t.start().clock(second).pause();
  t.clock(8 * second).resume();
  expect(t.run("mail")).toMatchObject({ status: "skipped", reason: "late" });
});

test.each([
  ["a delay", after({ type: "delay", for: "PT2S", next: "mail" })],
  ["a wait's timeout", after({ type: "wait", for: [{ event: "yes" }], timeout: { after: "PT2S", next: "mail" } })],
])("a short pause does not make the node behind %s late", (_what, t) => {
  t.start().clock(second).pause();
  t.clock(5 * second).resume();
  expect(t.run("mail").status).toBe("queued");
});
