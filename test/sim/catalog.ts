// The catalog and its queue: messages arrive late, twice and in any order. A message that the catalog cannot store is
// delivered again; after ten times the cells are asked to project again.
import type { ProjectionMessage } from "#schema/engine/projection.ts";
import { cellName } from "#services/cells/ids-and-cells.ts";
import type { Chance } from "./kit/chance.ts";
import type { Faults } from "./faults.ts";
import type { Host } from "./host.ts";
import { openLists, type Lists } from "#test/support/lists.ts";
import type { Timeline } from "./kit/timeline.ts";
import { openMail } from "./kit/mail.ts";

export type Catalog = {
  readonly send: (message: ProjectionMessage) => void;
  readonly forget: () => void;
  readonly lists: Lists;
  /** Executions and audit rows in a message that was lost with the process. */
  readonly forgotten: { readonly executions: ReadonlySet<string>; readonly audit: ReadonlySet<string> };
  readonly sent: () => number;
  /** The projected reasons why executions were quarantined; null: no longer quarantined. */
  readonly apart: ReadonlyMap<string, readonly (string | null)[]>;
};

type Parts = {
  readonly timeline: Timeline;
  readonly faults: Faults;
  readonly chance: Chance;
  readonly host: (name: string) => Host;
};

const DELIVERIES_MAX = 11;

export function openCatalog({ timeline, faults, chance, host }: Parts): Catalog {
  const lists = openLists();
  const apart = new Map<string, readonly (string | null)[]>();
  const forgotten = { executions: new Set<string>(), audit: new Set<string>() };
  const underWay = new Set<ProjectionMessage>();
  const mail = openMail(timeline, faults, { kind: "projectionDelayed", ms: [100, 300_000] });
  let downUntil = 0;
  let sent = 0;

  const post = (message: ProjectionMessage, attempts: number, delayMs: number): void =>
    mail.send(delayMs, () => deliver(message, attempts));

  const deliver = (message: ProjectionMessage, attempts: number): void => {
    if (faults.strikes("catalogDown")) downUntil = timeline.now() + faults.chance.between(1_000, 1_200_000);
    if (timeline.now() >= downUntil) return apply(message);
    if (attempts < DELIVERIES_MAX) post(message, attempts + 1, Math.min(600, 5 * 2 ** (attempts - 1)) * 1_000);
    else void recover(message);
  };

  const apply = (message: ProjectionMessage): void => {
    underWay.delete(message);
    for (const row of message.executions) timeline.note(`catalog hears of ${row.id} seq ${row.seq} ${row.status}`);
    lists.apply(message);
    for (const { id, reason } of message.quarantined ?? []) {
      timeline.note(`catalog hears that ${id} ${reason === null ? "goes on" : `stands apart: ${reason}`}`);
      apart.set(id, [...(apart.get(id) ?? []), reason]);
    }
  };

  /** As src/queue/projections-dead.ts: writes the message's rows, and asks the cells to project again. */
  const recover = async (message: ProjectionMessage): Promise<void> => {
    const mine = mail.process();
    timeline.note("projection is dead: it is written, and the cells are asked to project again");
    apply(message);
    for (;;) {
      try {
        const rows = [
          ...message.executions.map(({ tenant, id }) => ({ tenant, id })),
          ...message.runs.map(({ tenant, execution: id }) => ({ tenant, id })),
        ];
        for (const { tenant, id } of rows)
          if ((await host(cellName(tenant, id)).call(mine, (calls) => calls.reproject([id]))).length !== 0)
            throw new Error("it could not project");
        break;
      } catch {
        await timeline.sleep(60_000, mine);
      }
    }
  };

  return {
    send: (message) => {
      sent += 1;
      underWay.add(message);
      post(message, 1, chance.between(1, 1_000));
      if (faults.strikes("projectionDoubled")) post(message, 1, chance.between(1, 60_000));
    },
    forget: () => {
      mail.forget();
      for (const message of underWay) {
        for (const { id } of message.executions) forgotten.executions.add(id);
        for (const { execution } of message.runs) forgotten.executions.add(execution);
        for (const { id } of message.audit) forgotten.audit.add(id);
      }
      underWay.clear();
    },
    lists,
    forgotten,
    sent: () => sent,
    apart,
  };
}
