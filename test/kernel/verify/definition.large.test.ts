// The finding about a config that is too large: its hint says to pass files by reference.
import { expect, test } from "vitest";
import { verify } from "#test/kernel/verify/at-once.ts";
import { CONFIG_BYTES_MAX } from "#schema/limits/executions.ts";
import { action, machine } from "#test/support/drive.ts";
import { naming } from "#test/support/matchers/naming.ts";

test("a config too large hears that files go by reference", () => {
  const config = { text: "x".repeat(CONFIG_BYTES_MAX) };
  const definition = machine({ states: { a: {} }, actions: [action("mail", { triggerState: "a", config })] });
  const [found] = verify(definition);
  expect(found).toMatchObject({ pointer: "/actions/0/config", code: "limit_exceeded", hint: naming("url", "r2") });
});
