// A dead letter's id leads back to the run it stands for.
import { describe, expect, it } from "vitest";
import { deadLetterId, parseDeadLetterId } from "#schema/dead-letter.ts";

describe("a dead letter's id", () => {
  it.each([
    ["exe_01KABCDEFGHJKMNPQRSTVWXYZ0", "3.0", "dl_01KABCDEFGHJKMNPQRSTVWXYZ0.3.0"],
    ["exe_01KABC_p3", "1.0", "dl_01KABC_p3.1.0"],
    ["exe_order-7", "12.34", "dl_order-7.12.34"],
    ["exe_2.5", "1.0", "dl_2.5.1.0"],
  ])("of %s, run %s, is %s and leads back", (execution, run, id) => {
    expect(deadLetterId(execution, run)).toBe(id);
    expect(parseDeadLetterId(id)).toEqual({ execution, run });
  });

  it.each(["", "dl_", "dl_01KABC", "dl_01KABC.1", "dl_.1.0", "exe_01KABC.1.0", "dl_01KABC.1.x", "dl_01KABC.1.0 "])(
    "is not %j",
    (id) => {
      expect(parseDeadLetterId(id)).toBeNull();
    },
  );
});
