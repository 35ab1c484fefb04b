// Work in progress of a tenant in this isolate: attempts, and the consumer's invocations that they occupy. Each ends by
// its deadline at the latest, because an invocation that the platform ends releases nothing.
import type { IsolateLease } from "./isolate-lease.ts";

/** It counts as over then, with or without a report. */
export type Place = { until: number };
export type Places = { readonly attempts: Set<Place>; readonly consumers: Set<Place> };

export function enter(lease: IsolateLease, kind: keyof Places, until: number): Place {
  const place = { until };
  lease.places[kind].add(place);
  count(lease);
  return place;
}

/** Idempotent. */
export function leave(lease: IsolateLease, kind: keyof Places, place: Place): void {
  lease.places[kind].delete(place);
  count(lease);
}

export function dropOverdue(lease: IsolateLease, now: number): void {
  for (const places of [lease.places.attempts, lease.places.consumers])
    for (const place of places) if (place.until <= now) places.delete(place);
  count(lease);
}

function count(lease: IsolateLease): void {
  const { attempts, consumers } = lease.places;
  lease.held = { ...lease.held, inFlight: attempts.size, inQueue: consumers.size };
}
