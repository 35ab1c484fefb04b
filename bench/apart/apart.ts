// Separate-process contenders: hosts a contender in a child process on fixed ports. The bench can kill the process and
// start another one on the same state folder.
import { randomBytes } from "node:crypto";
import { startEngine, freePort, type EngineProcess } from "../../test/crash/life.ts";
import type { Hosted } from "../contender.ts";
import { connectEngine } from "../engine.ts";
import { connectOther, type OtherWorker } from "../other-worker.ts";
import { newStateDir } from "../state.ts";

export function engineApart(kind: "own" | "pooled"): Promise<Hosted> {
  return apart(({ engineUrl }, rootKey) => connectEngine(engineUrl, rootKey, kind, "auto"));
}

export function workflowsApart(body: OtherWorker["body"]): Promise<Hosted> {
  const script = import.meta.resolve("./workflows.ts");
  return apart(async ({ engineUrl }) => connectOther(new URL(engineUrl), { body }), script);
}

async function apart(
  attach: (life: EngineProcess, rootKey: string) => Promise<Omit<Hosted, "dispose">>,
  script?: string,
): Promise<Hosted> {
  const rootKey = `root-${randomBytes(16).toString("hex")}`;
  const place = { stateDir: newStateDir(), port: await freePort(), sandboxPort: await freePort(), rootKey };
  let life = await startEngine(place, script);
  const crash = async (): Promise<void> => {
    await life.kill();
    life = await startEngine(place, script);
  };
  return { ...(await attach(life, rootKey)), killAndRestart: crash, dispose: () => life.kill() };
}
