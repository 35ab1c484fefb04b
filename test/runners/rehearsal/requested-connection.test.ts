// Tests of forecasts: the connection that each runner opens must be the one that a forecast assumes.
import { expect, test } from "vitest";
import { requestedConnection } from "#policy/forecast/requested-connection.ts";
import { cases } from "./cases.ts";
import { rehearsed, stageWith } from "./world.ts";

test.each(cases)("%s, %s", async (type, _what, config, set) => {
  const opened: object[] = [];
  const { account } = stageWith(set);
  const lookups = {
    ...set.lookups,
    account: (name: string | null, provider: string) => {
      opened.push({ name, provider });
      return account(name, provider);
    },
  };
  await rehearsed(type, config, { ...set, lookups });
  const asked = requestedConnection(type, config);
  expect(opened.slice(0, 1)).toEqual(asked === null ? [] : [asked]);
});
