// Lookups of one request: items with the same key share one lookup, and its failure.

export function oncePerKey<Found>(look: (key: string) => Promise<Found>): (key: string) => Promise<Found> {
  const begun = new Map<string, Promise<Found>>();
  return (key) => {
    const found = begun.get(key) ?? look(key);
    begun.set(key, found);
    return found;
  };
}
