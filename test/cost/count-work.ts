// Work, counted instead of timed: how often the runtime has entered each block of our code, and of the libraries that
// interpret definitions. The same on any machine, however busy.
import { Session, type Profiler } from "node:inspector";

const COUNTED = /\/src\/|\/node_modules\/(?:liquidjs|xstate|json-logic-engine|zod)\//;

export function countWork(run: () => unknown): number {
  const session = new Session();
  session.connect();
  try {
    session.post("Profiler.enable");
    session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
    run();
    return sumOf(takeCoverage(session));
  } finally {
    session.post("Profiler.stopPreciseCoverage");
    session.disconnect();
  }
}

/** The answer comes before `post` returns. */
function takeCoverage(session: Session): readonly Profiler.ScriptCoverage[] {
  let scripts: readonly Profiler.ScriptCoverage[] = [];
  session.post("Profiler.takePreciseCoverage", (_error, { result }) => {
    scripts = result;
  });
  return scripts;
}

function sumOf(scripts: readonly Profiler.ScriptCoverage[]): number {
  const counted = scripts.filter(({ url }) => COUNTED.test(url));
  const ranges = counted.flatMap(({ functions }) => functions.flatMap((each) => each.ranges));
  return ranges.reduce((sum, { count }) => sum + count, 0);
}
