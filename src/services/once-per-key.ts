// Shared lookups of one request: items with the same key share one lookup. If a lookup fails, all items with its key
// fail.

export function oncePerKey<Found>(load: (key: string) => Promise<Found>): (key: string) => Promise<Found> {
  const started = new Map<string, Promise<Found>>();
  return (key) => {
    const found = started.get(key) ?? load(key);
    started.set(key, found);
    return found;
  };
}
