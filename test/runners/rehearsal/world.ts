// Rehearsals for tests: lookups with the test's connections, and a fetch that must not be called.
import { expect, vi } from "vitest";
import { rehearsals, type InstalledPorts } from "#runners/rehearsal/rehearse.ts";
import type { JsonObject } from "#schema/json.ts";
import type { AttemptMocks, ClosedAccount, HttpInteraction, PortInteraction, Lookups } from "#schema/rehearsal.ts";
import type { Ticket } from "#schema/engine/run.ts";
import { NOW, ticketFor } from "#test/runners/world.ts";

export type Set = {
  readonly account?: Partial<ClosedAccount>;
  readonly lookups?: Partial<Lookups>;
  readonly installed?: Partial<InstalledPorts>;
};

export function stageWith({ account = {}, lookups = {} }: Set = {}): Lookups {
  return {
    account: async (name, provider) => ({
      ok: true,
      account: {
        name: name ?? "main",
        provider,
        baseUrl: null,
        credentials: {},
        auth: { type: "none" },
        settings: {},
        sandbox: false,
        ...account,
      },
    }),
    template: async (reference) => ({
      ok: true,
      rendered: { subject: `Subject of ${reference}`, html: null, text: "Words" },
    }),
    start: async (_ticket, { definition }) => ({ ok: true, execution: `exe_of-${definition}`, repeated: false }),
    dueAt: (dueDate) => (dueDate === "P1D" ? NOW + 86_400_000 : undefined),
    bounds: async () => [],
    suppressed: async () => ({ ok: true, suppressed: [] }),
    signs: false,
    publicUrl: null,
    ...lookups,
  };
}

export function rehearsal(set: Set = {}) {
  const bound = { email: true, files: true, databases: ["crm"], services: ["shop"] };
  const installed = { allowLoopback: false, ...bound, ...set.installed };
  return rehearsals(installed)(stageWith(set));
}

/** Rehearses one attempt at the time `NOW`. */
export async function rehearsed(
  type: string,
  config: JsonObject,
  set: Set & { readonly mocks?: AttemptMocks; readonly ticket?: Partial<Ticket> } = {},
) {
  const ticket = ticketFor(type, config, { deadlineAt: NOW + 5_000, ...set.ticket });
  const { outcome, interactions } = await rehearsal(set)(ticket, set.mocks ?? null, NOW);
  const http = interactions.filter((each): each is HttpInteraction => "url" in each);
  const ports = interactions.filter((each): each is PortInteraction => "port" in each);
  return { outcome, interactions, http, ports };
}

/** Replaces fetch by one that fails the test if it is called. */
export function offline() {
  const reached = vi.fn<typeof fetch>(() => {
    throw new Error("a rehearsal reached the network");
  });
  return {
    cut: () => void vi.stubGlobal("fetch", reached),
    check: () => {
      vi.unstubAllGlobals();
      expect(reached).not.toHaveBeenCalled();
    },
  };
}
