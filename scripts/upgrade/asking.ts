// Upgrade requests: queries the engine and the sandbox while executions may be quarantined. A quarantined execution is
// a valid answer here, while other 503 answers are retried.
import { z } from "zod";
import { clientWith, type Answer, type Client } from "../../test/crash/client.ts";
import { repeatUntilAnswered, waitUntil } from "../../test/crash/patience.ts";

const problem = z.object({ code: z.string() });
const seen = z.object({ status: z.string(), states: z.array(z.string()) });
const apartPage = z.object({
  data: z.array(z.object({ id: z.string(), quarantine: z.object({ reason: z.string() }) })),
  nextCursor: z.string().nullable(),
});
const received = z.object({
  requests: z.array(z.object({ id: z.number(), at: z.number(), effect: z.string().nullable() })),
});

/** null: the execution is quarantined. */
export type ExecutionView = z.infer<typeof seen> | null;

export type Urls = { readonly engineUrl: string; readonly sandboxUrl: string };

export function openQueries({ engineUrl, sandboxUrl }: Urls, tenant: Client) {
  const url = (path: string): string => `${engineUrl}/v1/${path}`;

  return {
    standingOf: async (id: string): Promise<ExecutionView> => {
      const answer = await requestUntilAnswered(() => tenant.request("GET", url(`executions/${id}`)));
      if (isUnreadable(answer)) return null;
      if (answer.status !== 200) throw new Error(`GET ${id}: ${answer.status} ${answer.text}`);
      return seen.parse(JSON.parse(answer.text));
    },

    /** Lists the quarantined executions: id → reason. */
    apartNow: async (): Promise<ReadonlyMap<string, string>> => {
      const found = new Map<string, string>();
      for (let cursor: string | null = ""; cursor !== null;) {
        const after: string = cursor === "" ? "" : `&cursor=${cursor}`;
        const answer = await repeatUntilAnswered(() =>
          tenant.requestJson("GET", url(`executions?quarantined=true&limit=200${after}`)),
        );
        const { data, nextCursor } = apartPage.parse(answer);
        for (const { id, quarantine } of data) found.set(id, quarantine.reason);
        cursor = nextCursor;
      }
      return found;
    },

    poke: (id: string): Promise<unknown> =>
      repeatUntilAnswered(() => tenant.requestJson("POST", url(`executions/${id}/poke`), {})),

    deadLetters: async (): Promise<number> => {
      const answer = await repeatUntilAnswered(() => tenant.requestJson("GET", url("dead-letters?limit=1")));
      return z.object({ data: z.array(z.unknown()) }).parse(answer).data.length;
    },

    /** Lists the effects that the sandbox received since `at`. */
    effectsSince: async (at: number): Promise<readonly string[]> => {
      const found: string[] = [];
      for (let after = 0; ;) {
        const query = `path=${encodeURIComponent("/sink/*")}&after=${after}&limit=5000`;
        const answer = await repeatUntilAnswered(() =>
          clientWith({}).requestJson("GET", `${sandboxUrl}/_control/requests?${query}`),
        );
        const { requests } = received.parse(answer);
        for (const request of requests) if (request.at >= at && request.effect !== null) found.push(request.effect);
        const last = requests.at(-1);
        if (last === undefined) return found;
        after = last.id;
      }
    },
  };
}

/** Repeats the request until it is answered. A 503 is retried unless the execution is quarantined. */
export async function requestUntilAnswered(request: () => Promise<Answer | null>): Promise<Answer> {
  let answer: Answer | null = null;
  await waitUntil("an answer", async () => {
    answer = await request();
    return answer !== null && (answer.status !== 503 || isUnreadable(answer));
  });
  if (answer === null) throw new Error("it was waited for");
  return answer;
}

export function isUnreadable({ status, text }: Answer): boolean {
  if (status !== 503) return false;
  try {
    return problem.parse(JSON.parse(text)).code === "execution_unreadable";
  } catch {
    return false; // the platform answers without JSON
  }
}
