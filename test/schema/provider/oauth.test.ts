// Token answers as providers write them, and as some do not.
import { expect, it } from "vitest";
import { tokenGrantOf, tokenRefusalOf } from "#schema/provider/oauth.ts";
import type { Json } from "#schema/json.ts";

it.each<[Json, number | null]>([
  [3_600, 3_600_000],
  ["3600", 3_600_000],
  [0, 0],
  ["soon", null],
  [null, null],
  [{}, null],
])("a token that expires in %j lives %j ms", (expiresIn, expiresInMs) => {
  const grant = tokenGrantOf({ access_token: "t", refresh_token: "r", expires_in: expiresIn });
  expect(grant).toEqual({ accessToken: "t", refreshToken: "r", expiresInMs });
});

it("a grant may leave out everything but the token", () => {
  expect(tokenGrantOf({ access_token: "t" })).toEqual({ accessToken: "t", refreshToken: null, expiresInMs: null });
  expect(tokenGrantOf({ access_token: "t", refresh_token: "" })).toMatchObject({ refreshToken: null });
});

it.each<[Json]>([[null], ["t"], [["t"]], [{}], [{ access_token: "" }], [{ access_token: 7 }]])(
  "%j grants nothing",
  (answer) => expect(tokenGrantOf(answer)).toBeNull(),
);

it.each<[Json, string | null, string]>([
  [{ error: "invalid_grant", error_description: "expired" }, "invalid_grant", "invalid_grant: expired"],
  [{ error: "invalid_client" }, "invalid_client", "invalid_client"],
  [{ error_description: "expired" }, null, "expired"],
  [{ error: { code: 7 } }, null, ""],
  ["no", null, ""],
])("%j is refused with the code %j, and says %j", (answer, code, said) => {
  expect(tokenRefusalOf(answer)).toEqual({ code, said });
});
