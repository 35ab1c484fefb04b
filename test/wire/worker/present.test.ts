// The output of a run in the worker's view.
import { expect, test } from "vitest";
import { presentWorkerExecution } from "#wire/worker/present.ts";
import { action, second } from "#test/support/drive.ts";
import { go } from "#test/kernel/programs/reconciler/drive-reconciler.ts";

function outputOf(type: string, config: object, result: object) {
  const rules = [{ when: { "===": [{ var: "action.actionName" }, ""] }, emit: "send" }];
  const t = go({ states: { A: { rules } }, actions: [action("send", { type, config: { ...config } })] });
  t.tickAt(second).ok("send", { result: { ...result } });
  return presentWorkerExecution(t.state).outputPayload;
}

test("the output of an e-mail has its recipient, subject and status beside the provider's answer", () => {
  const sent = outputOf("email", { to: "user@example.com", subject: "Hello" }, { messageId: "msg_1" });
  expect(sent).toMatchObject({ service: "email", type: "email", action: "send", messageId: "msg_1" });
  expect(sent).toMatchObject({ to: "user@example.com", subject: "Hello", status: "sent" });
});

test("a message names its recipient, whatever field of the config has it", () => {
  expect(outputOf("sms", { phoneNumber: "+41790000000" }, {})).toMatchObject({ to: "+41790000000", status: "sent" });
  expect(outputOf("slack", { channel: "#ops" }, {})).toMatchObject({ to: "#ops", status: "sent" });
  expect(outputOf("push", {}, {})).not.toHaveProperty("to");
});

test("another action's output has only its own result", () => {
  const output = outputOf("webhook", { url: "https://example.com", subject: "no mail" }, { status: 200 });
  expect(output).toMatchObject({ status: 200 });
  expect(output).not.toHaveProperty("subject");
});
