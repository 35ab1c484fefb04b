// Tests the limits of kept transactions, and when they are checked.
import { describe, expect, test } from "vitest";
import { DAY, MINUTE, signerAt } from "./signer-at.ts";

describe("kept transactions", () => {
  test("are limited to a thousand; the lowest nonces are dropped first", () => {
    const signer = signerAt().mined(...Array.from({ length: 1_001 }, (_, n) => `${n}`));
    expect(signer.kept()).toHaveLength(1_000);
    expect(signer.kept()[0]).toBe(1);
  });

  test("are limited to four million characters", () => {
    const signer = signerAt();
    for (const key of ["a", "b", "c"]) signer.sign(key, "x".repeat(1_500_000)).confirm(key);
    expect(signer.kept()).toEqual([1, 2]);
  });

  test("are dropped after a day", () => {
    const signer = signerAt().mined("a");
    signer.at(DAY - 1).mined("b");
    expect(signer.kept()).toEqual([0, 1]);
    signer.at(DAY).tend(2);
    expect(signer.kept()).toEqual([1]);
  });

  test("are checked by a waiting run at most every ten seconds, and not at its first check", () => {
    const signer = signerAt().mined("a").sign("b").sign("c");
    const turns = [
      ["b", 20_000],
      ["b", 20_000],
      ["c", 20_000],
      ["c", 29_999],
      ["c", 30_000],
    ] as const;
    expect(turns.map(([key, at]) => signer.at(at).wait(key).tend ?? false)).toEqual([false, true, false, false, true]);
  });

  test("are checked by a finished run if none was checked for five minutes", () => {
    const signer = signerAt().mined("a");
    expect(
      signer
        .at(5 * MINUTE - 1)
        .sign("b")
        .confirm("b"),
    ).toEqual({ tend: false });
    expect(
      signer
        .at(5 * MINUTE)
        .sign("c")
        .confirm("c"),
    ).toEqual({ tend: true });
    expect(signer.sign("d").confirm("d")).toEqual({ tend: false });
    expect(signerAt().at(DAY).sign("a").confirm("a")).toEqual({ tend: false });
  });
});
