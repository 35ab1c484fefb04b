// Tells the directory under which correlation key an execution is to be found, and takes it out from where it was before.
// The key is read where it lives, so that a message that comes late tells what is true now.
import { isUndecided } from "#schema/refusal.ts";
import { cellName } from "../cells/placement.ts";
import type { Deps } from "../deps.ts";
import { directoryOf } from "./directories.ts";

export type Enlistee = { readonly tenant: string; readonly execution: string };

/** False: it could not be told just now. Throws where an object cannot be reached. */
export async function enlistExecution(
  deps: Pick<Deps, "cell" | "directory">,
  { tenant, execution }: Enlistee,
): Promise<boolean> {
  const cell = deps.cell(cellName(tenant, execution));
  const read = await cell.read(execution);
  // Told before and gone since, or told before.
  if (!read.ok || !read.value.enlisting || read.value.enlisting.sentAt === null) return true;
  const { createdAt: incarnation, enlisting } = read.value;
  const { key, since, listed } = enlisting;
  const homes = await Promise.all(listed.map(async (each) => [await directoryOf(tenant, each), each] as const));
  const home = homes.find(([, each]) => each === key)?.[0];
  // Where it comes first: nobody is to look for it in vain meanwhile.
  if (home !== undefined) await deps.directory(home).enlist([{ execution, incarnation, key, since }]);
  const others = new Set(homes.map(([name]) => name).filter((name) => name !== home));
  await Promise.all(
    [...others].map((name) => deps.directory(name).enlist([{ execution, incarnation, key: null, since }])),
  );
  const [answer] = (await cell.enlisted([{ execution, key, since, incarnation }])) ?? [];
  return !(answer && !answer.ok && isUndecided(answer.refusal));
}
