// Each planted fault is found at its place, alone; and applying its fix removes the warning.
import { expect, test } from "vitest";
import { verify, warningsOf } from "#test/kernel/verify/at-once.ts";
import { machineDefinition } from "#schema/definition/definition.ts";
import { patched } from "#test/support/json-patch.ts";
import { declaredThings } from "./planted/declared.ts";
import { childrenAndTasks } from "./planted/ends.ts";
import { guards } from "./planted/guards.ts";
import { languages } from "./planted/languages.ts";
import { paths } from "./planted/paths.ts";
import { statesAndEvents } from "./planted/states.ts";
import { times } from "./planted/lasting.ts";

const planted = [
  ...statesAndEvents,
  ...childrenAndTasks,
  ...declaredThings,
  ...paths,
  ...languages,
  ...guards,
  ...times,
];

test.each(planted)("$fault", ({ definition, code, pointer, severity = "warning", mend }) => {
  const warnings = warningsOf(machineDefinition.parse(definition));
  expect(warnings).toMatchObject([{ code, pointer, severity }]);
  const changes = [mend, warnings[0]?.patch].filter((each) => each !== undefined);
  expect(changes).not.toEqual([]);
  for (const change of changes) {
    const mended = machineDefinition.parse(patched(definition, change));
    expect(verify(mended)).toEqual([]);
    expect(warningsOf(mended)).toEqual([]);
  }
});
