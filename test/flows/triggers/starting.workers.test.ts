// A webhook through the whole Worker: believed, mapped, kept, handed over, and known again when it comes twice.
import { expect, test } from "vitest";
import { hooks } from "./hooks.ts";

test("a push starts an execution, and is answered with its id", async () => {
  const shop = await hooks();
  const taken = await shop.pushed({ after: "c0ffee" }, { id: "72d3162e" });
  expect(taken).toMatchObject({ id: "trd_1", deliveryId: "72d3162e", status: "pending", duplicate: false });
  const execution = await shop.reaches(taken.execution, "waiting");
  expect(execution).toMatchObject({ variables: { commit: "c0ffee" }, namespace: "default" });
  expect(await shop.rests()).toMatchObject([{ id: "trd_1", status: "applied", execution: taken.execution, tries: 0 }]);
});
