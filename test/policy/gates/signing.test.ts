import { describe, expect, test } from "vitest";
import { keyVersionsOf, overlapEnds, rotateKey } from "#policy/gates/signing.ts";
import type { SigningRotation } from "#schema/outgoing/signing.ts";

const rotation = (since: number, previous: number, previousUntil: number): SigningRotation => ({
  since,
  previous,
  previousUntil,
});
/** Formats the versions that sign: "since", or "version<until" for an earlier one. */
const signs = (tenant: SigningRotation | null, endpoint: SigningRotation | null, now: number) =>
  keyVersionsOf({ tenant, endpoint }, now)
    .map(({ generation, until }) => `${generation}${until === null ? "" : `<${until}`}`)
    .join(" ");

describe("keyVersionsOf", () => {
  test.each<[string, SigningRotation | null, SigningRotation | null, number, string]>([
    ["a tenant with one shared key", null, null, 500, "0"],
    ["a new tenant: only the receiver's key", rotation(100, 0, 100), null, 100, "100"],
    ["moving to per-receiver keys: both keys until the overlap ends", rotation(200, 0, 300), null, 299, "200 0<300"],
    ["moved to per-receiver keys: only the receiver's key", rotation(200, 0, 300), null, 300, "200"],
    ["a tenant's rotation", rotation(400, 100, 500), null, 450, "400 100<500"],
    ["a tenant's rotation after its overlap", rotation(400, 100, 500), null, 500, "400"],
    ["a receiver's rotation", rotation(100, 0, 100), rotation(400, 100, 500), 450, "400 100<500"],
    ["a receiver's rotation after its overlap", rotation(100, 0, 100), rotation(400, 100, 500), 500, "400"],
    ["the tenant's rotation after a receiver's", rotation(600, 100, 700), rotation(400, 100, 500), 650, "600 400<700"],
    [
      "the tenant's rotation during a receiver's overlap",
      rotation(450, 100, 700),
      rotation(400, 100, 500),
      460,
      "450 400<700 100<500",
    ],
    [
      "the tenant's rotation with an overlap shorter than the receiver's",
      rotation(450, 100, 480),
      rotation(400, 100, 500),
      460,
      "450 400<480 100<480",
    ],
    ["a leaked tenant key ends the receiver's overlap", rotation(450, 100, 450), rotation(400, 100, 500), 460, "450"],
    ["a leaked receiver key during the tenant's overlap", rotation(400, 100, 500), rotation(450, 400, 450), 460, "450"],
    [
      "a receiver's rotation before the tenant's last two",
      rotation(900, 600, 950),
      rotation(400, 100, 500),
      910,
      "900 600<950",
    ],
  ])("%s", (_what, tenant, endpoint, now, expected) => {
    expect(signs(tenant, endpoint, now)).toBe(expected);
  });
});

describe("rotateKey", () => {
  test("moves a tenant to per-receiver keys: the shared key signs until the overlap ends", () => {
    expect(rotateKey({ tenant: null, endpoint: null }, "tenant", 1_000, 50)).toEqual(rotation(1_000, 0, 1_050));
  });

  test("continues from the version that signs now: the tenant's, or the receiver's if it is newer", () => {
    const tenant = rotation(100, 0, 100);
    expect(rotateKey({ tenant, endpoint: null }, "endpoint", 1_000, 50)).toEqual(rotation(1_000, 100, 1_050));
    const endpoint = rotation(400, 100, 500);
    expect(rotateKey({ tenant, endpoint }, "endpoint", 1_000, 0)).toEqual(rotation(1_000, 400, 1_000));
    expect(rotateKey({ tenant, endpoint }, "tenant", 1_000, 50)).toEqual(rotation(1_000, 100, 1_050));
  });

  test("gives a later version than before, whatever the clock shows", () => {
    const tenant = rotation(2_000, 0, 2_000);
    expect(rotateKey({ tenant, endpoint: null }, "tenant", 1_000, 50)).toEqual(rotation(2_001, 2_000, 2_051));
  });

  test.each<[string, SigningRotation | null, SigningRotation | null, number | null]>([
    ["nothing", null, null, null],
    ["a rotation after its overlap", rotation(100, 0, 200), null, null],
    ["the tenant's", rotation(400, 100, 500), null, 500],
    ["the receiver's overlap", rotation(100, 0, 100), rotation(400, 100, 600), 600],
    ["the later of two overlaps", rotation(450, 100, 700), rotation(400, 100, 500), 700],
  ])("could be shortened by another rotation: %s", (_what, tenant, endpoint, until) => {
    expect(overlapEnds({ tenant, endpoint }, 460)).toBe(until);
  });
});
