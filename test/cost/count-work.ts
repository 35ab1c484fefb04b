// Work, counted instead of timed: how often the runtime has entered each block of our code, and of the libraries that
// interpret definitions. The same on any machine, however busy. Import it before the code that it counts: only functions that
// are compiled afterwards have a counter in each block.
import { Session, type Profiler } from "node:inspector";

const COUNTED = /\/src\/|\/node_modules\/(?:liquidjs|xstate|json-logic-engine|zod)\//;

const session = new Session();
session.connect();
session.post("Profiler.enable");
session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });

export function countWork(run: () => unknown): number {
  takeCoverage();
  run();
  const counted = takeCoverage().filter(({ url }) => COUNTED.test(url));
  const ranges = counted.flatMap(({ functions }) => functions.flatMap((each) => each.ranges));
  return ranges.reduce((sum, { count }) => sum + count, 0);
}

/** Since it was last taken. The answer comes before `post` returns. */
function takeCoverage(): readonly Profiler.ScriptCoverage[] {
  let scripts: readonly Profiler.ScriptCoverage[] = [];
  session.post("Profiler.takePreciseCoverage", (_error, { result }) => {
    scripts = result;
  });
  return scripts;
}
